#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

#include "openapi/compare_testing.h"
#include "openapi/large_testing.h"
#include "openapi/operations.h"

static const struct large larges[] = {
	{ 0, 300, 120, 14, SIZE_MAX, 0 },
	{ 1, 450, 200, 20, SIZE_MAX, 0 },
	{ 1, 250, 350, 10, SIZE_MAX, 0 },
};

/* Component 77 is first reached somewhere below an answer; what is told of it is the end of that way. */
static const struct {
	const char *why;
	enum place_kind kind;
	enum change_class class;
	const char *where_ends, *what;
} rows[] = {
	{ "a nested property's type", PLACE_TYPE, CHANGE_BREAKING, "/properties/p1/type",
		"\"string\" -> \"integer\"" },
	{ "a nested property lost", PLACE_GONE, CHANGE_BREAKING, "/properties/p1", "removed" },
	{ "a nested value more", PLACE_ENUM, CHANGE_BREAKING, "/properties/p1/enum",
		"\"c\" added" },
	{ "a nested text", PLACE_TEXT, CHANGE_DOCUMENTATION, "/properties/p1/description",
		"\"the place\" -> \"another\"" },
};

enum { ROWS = sizeof rows / sizeof *rows, LARGES = sizeof larges / sizeof *larges };

START_TEST(same)
{
	char *text = large_text(&larges[_i]);
	check_same(text, "large");
	free(text);
}
END_TEST

START_TEST(one_change)
{
	struct large large = larges[_i % LARGES];
	char *old_text = large_text(&large);
	large.at = 77;
	large.kind = rows[_i / LARGES].kind;
	char *new_text = large_text(&large);
	struct document *old = read_text(old_text), *new = read_shuffled(new_text, 5);
	struct changes changes;
	compare_documents(old, new, &changes);
	ck_assert_msg(changes.count == 1, "%s: %zu changes, then %s %s", rows[_i / LARGES].why,
		changes.count, changes.count > 1 ? changes.list[1].where : "",
		changes.count > 1 ? changes.list[1].what : "");
	const struct change *change = &changes.list[0];
	size_t len = strlen(change->where), end = strlen(rows[_i / LARGES].where_ends);
	ck_assert_msg(len > end && strncmp(change->where, "POST /things/", 13) == 0 &&
			      strcmp(change->where + len - end, rows[_i / LARGES].where_ends) == 0,
		"%s", change->where);
	ck_assert_ptr_nonnull(strstr(change->where, " 200 application/json "));
	ck_assert_str_eq(change->what, rows[_i / LARGES].what);
	ck_assert_int_eq(change->class, rows[_i / LARGES].class);
	changes_release(&changes);
	document_free(old);
	document_free(new);
	free(old_text);
	free(new_text);
}
END_TEST

/* The same document in the words of 3.0 and of 3.1. */
START_TEST(versions)
{
	struct large large = larges[0];
	char *old_text = large_text(&large);
	large.minor = 1;
	char *new_text = large_text(&large);
	struct document *old = read_text(old_text), *new = read_text(new_text);
	char *found = changes_text(old, new), *back = changes_text(new, old);
	ck_assert_msg(!*found, "%.1000s", found);
	ck_assert_msg(!*back, "%.1000s", back);
	free(found);
	free(back);
	document_free(old);
	document_free(new);
	free(old_text);
	free(new_text);
}
END_TEST

START_TEST(operations)
{
	char *text = large_text(&larges[1]);
	struct document *document = read_text(text);
	struct operations all;
	operations_init(&all, document, NULL);
	ck_assert_uint_eq(all.count, larges[1].operations);
	ck_assert_str_eq(all.list[449].target, "/things/449/1");
	ck_assert(slice_starts(all.list[449].body, "{\"p"));
	operations_release(&all);
	document_free(document);
	free(text);
}
END_TEST

/* What others do on the machine doesn't count. */
static double cpu_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

START_TEST(bench)
{
	struct large large = { 1, 1500, 1300, 24, SIZE_MAX, 0 };
	char *old_text = large_text(&large);
	large.at = 1234;
	large.kind = PLACE_GONE;
	char *new_text = large_text(&large);
	struct changes changes;
	struct rusage usage;
	double start = cpu_ms();
	struct document *old = read_text(old_text), *new = read_text(new_text);
	double read = cpu_ms();
	getrusage(RUSAGE_SELF, &usage);
	long read_kib = usage.ru_maxrss;
	compare_documents(old, new, &changes);
	double end = cpu_ms();
	getrusage(RUSAGE_SELF, &usage);
	printf("openapi: 2 documents of %zu bytes: read in %.0f ms of processor time, compared in %.0f ms; %zu change, %s; "
	       "memory at most %ld MiB read, %ld MiB compared\n",
		strlen(old_text), read - start, end - read, changes.count, changes.list[0].where,
		read_kib / 1024, usage.ru_maxrss / 1024);
	changes_release(&changes);
	document_free(old);
	document_free(new);
	free(old_text);
	free(new_text);
}
END_TEST

int main(int argc, char **argv)
{
	/* `compare_large_test bench` prints how long two documents of 5 MB take. */
	bool only_bench = argc > 1 && strcmp(argv[1], "bench") == 0;
	TCase *tests = tcase_create("compare_large");
	tcase_set_timeout(tests, 60);
	if (only_bench) {
		tcase_add_test(tests, bench);
	} else {
		tcase_add_loop_test(tests, same, 0, LARGES);
		tcase_add_loop_test(tests, one_change, 0, ROWS * LARGES);
		tcase_add_test(tests, versions);
		tcase_add_test(tests, operations);
	}
	Suite *suite = suite_create("openapi/compare_large");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
