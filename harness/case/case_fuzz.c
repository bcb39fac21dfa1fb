/*
 * Any bytes as a case file: it is loaded, checked and, where it is sound, unfolded. Nothing may crash, hang or leak, and
 * a case that is refused says why.
 */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "case/expand.h"
#include "case/load.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The text as a file without a name; 0 where the kernel gives none. */
static int file_of(const void *text, size_t size, char *path, size_t room)
{
	int fd = memfd_create("case", MFD_CLOEXEC);
	if (fd < 0 || write(fd, text, size) != (ssize_t)size)
		abort();
	snprintf(path, room, "/proc/self/fd/%d", fd);
	return fd;
}

/* Expectations, variables, roots and profiles of a suite as the examples have it. */
static struct suite *load_suite(struct errors *errors)
{
	static const char TEXT[] =
		"{ \"sut\": { \"command\": [\"x\"], \"root\": \"webapp\", \"env\": { \"A\": \"${root}\" } },"
		" \"roots\": { \"webapp\": \"/usr\", \"media\": \"/usr\" },"
		" \"profiles\": { \"haproxy\": { \"command\": [\"y\", \"${sut.port}\"] } },"
		" \"services\": [{ \"name\": \"db\", \"command\": [\"z\"] }],"
		" \"variables\": { \"shared\": { \"list\": [1, \"two\", null] } } }";
	char path[64];
	struct suite *suite;
	int fd = file_of(TEXT, sizeof TEXT - 1, path, sizeof path);
	if (suite_load(path, &suite, errors) != RC_OK)
		abort();
	close(fd);
	return suite;
}

static void unfold(const struct case_file *one, const struct suite *suite)
{
	struct err err = { 0 };
	FILE *out = fopen("/dev/null", "we");
	if (!out)
		abort();
	if (expand_case(one, suite, 1, out, &err) != RC_OK && !err.text[0])
		abort();
	fclose(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[64];
	struct errors errors = { 0 };
	struct case_file *one;
	struct suite *suite = load_suite(&errors);
	int fd = file_of(data, size, path, sizeof path);
	enum rc rc = case_load(path, suite, &one, &errors);
	close(fd);
	if ((rc != RC_OK && !errors.count) || (rc == RC_OK) != (one != NULL))
		abort();
	if (one)
		unfold(one, suite);
	case_free(one);
	suite_free(suite);
	errors_release(&errors);
	return 0;
}
