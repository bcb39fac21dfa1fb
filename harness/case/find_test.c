#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>

#include "case/case_testing.h"

/* What is made in an empty folder: "d/" a folder, "f" a file, "l>x" a link to x, "p|" a pipe. */
static void make(const char *entry)
{
	char name[64];
	size_t length = strlen(entry);
	const char *link = strchr(entry, '>');
	snprintf(name, sizeof name, "%.*s", (int)(link ? link - entry : (long)length), entry);
	if (entry[length - 1] == '/') {
		ck_assert_int_eq(mkdir(entry, 0700), 0);
	} else if (link) {
		ck_assert_int_eq(symlink(link + 1, name), 0);
	} else if (entry[length - 1] == '|') {
		name[length - 1] = '\0';
		ck_assert_int_eq(mkfifo(name, 0600), 0);
	} else {
		int fd = open(name, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
		ck_assert_int_ge(fd, 0);
		close(fd);
	}
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	(void)status;
	(void)type;
	(void)walk;
	return remove(path);
}

static const struct {
	const char *entries[8], *paths[4];
	const char *found; /* NULL: an error, whose text is below */
	const char *error, *why;
} finds[] = {
	{ { "b.json", "a.json", "c.jsonc" }, { "." }, "./a.json ./b.json ./c.jsonc", NULL,
		"sorted" },
	{ { "z/", "z/a.json", "a/", "a/z.json", "m.json" }, { "." },
		"./a/z.json ./m.json ./z/a.json", NULL, "folders among the files" },
	{ { "suite.json", "suite.jsonc", "a.json", "a/", "a/suite.json" }, { "." }, "./a.json",
		NULL, "no suites" },
	{ { ".a.json", ".git/", ".git/a.json", "b.json" }, { "." }, "./b.json", NULL, "hidden" },
	{ { "open.accepted.json", "a.b.jsonc", "a.json5", "a.JSON", "ajson", "a.json.bak" },
		{ "." }, "", NULL, "data files and others" },
	{ { "a.json", "d/", "d/b.json" }, { "a.json", "d", "d/b.json" }, "a.json d/b.json d/b.json",
		NULL, "files as they are named, folders below" },
	{ { "d/", "d/b.json" }, { "d/" }, "d/b.json", NULL, "a slash at the end" },
	{ { "data.txt" }, { "data.txt" }, "data.txt", NULL, "a file that is named is a case" },
	{ { "d/", "d/loop>..", "d/a.json", "self>." }, { "." }, "./d/a.json", NULL, "loops" },
	{ { "d/", "d/a.json", "link>d", "l.json>d/a.json" }, { "." },
		"./d/a.json ./l.json ./link/a.json", NULL, "links to elsewhere" },
	{ { "gone.txt>nowhere", "a.json" }, { "." }, "./a.json", NULL, "no case is gone" },
	{ { "gone.json>nowhere" }, { "." }, NULL, "cannot be read: No such file or directory",
		"a case that would be missed" },
	{ { "pipe.json|", "a.json" }, { "." }, "./a.json", NULL, "a pipe is no file" },
	{ { NULL }, { "." }, "", NULL, "nothing" },
	{ { NULL }, { "none" }, NULL, "no such case file or folder: No such file or directory",
		"not there" },
};

START_TEST(found)
{
	char folder[] = "/tmp/find_test.XXXXXX";
	struct arena *arena = arena_new();
	struct err err = { 0 };
	const char **files, *text = "";
	size_t count, paths = 0;
	ck_assert(mkdtemp(folder) && chdir(folder) == 0);
	for (size_t i = 0; i < 8 && finds[_i].entries[i]; i++)
		make(finds[_i].entries[i]);
	while (paths < 4 && finds[_i].paths[paths])
		paths++;
	enum rc rc = case_find(finds[_i].paths, paths, arena, &files, &count, &err);
	if (finds[_i].found) {
		ck_assert_msg(rc == RC_OK, "%s: %s %s", finds[_i].why, err.where, err.text);
		for (size_t i = 0; i < count; i++)
			text = arena_print(arena, "%s%s%s", text, i ? " " : "", files[i]);
		ck_assert_msg(strcmp(text, finds[_i].found) == 0, "%s: %s", finds[_i].why, text);
	} else {
		ck_assert_msg(rc == RC_USAGE, "%s", finds[_i].why);
		ck_assert_str_eq(err.text, finds[_i].error);
	}
	ck_assert_int_eq(nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
	arena_free(arena);
}
END_TEST

START_TEST(too_deep)
{
	char folder[] = "/tmp/find_test.XXXXXX", path[256] = ".";
	const char *const paths[] = { "." };
	struct arena *arena = arena_new();
	struct err err = { 0 };
	const char **files;
	size_t count;
	ck_assert(mkdtemp(folder) && chdir(folder) == 0);
	for (int i = 0; i < 33; i++) {
		strncat(path, "/d", sizeof path - strlen(path) - 1);
		ck_assert_int_eq(mkdir(path, 0700), 0);
	}
	ck_assert(case_find(paths, 1, arena, &files, &count, &err) == RC_USAGE);
	ck_assert_str_eq(err.text, "folders deeper than 32 levels");
	ck_assert_int_eq(nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
	arena_free(arena);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("find");
	tcase_add_loop_test(tests, found, 0, COUNT(finds));
	tcase_add_test(tests, too_deep);
	Suite *suite = suite_create("case/find");
	suite_add_tcase(suite, tests);
	return run_tests(suite);
}
