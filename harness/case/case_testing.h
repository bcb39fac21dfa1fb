/*
 * case_testing: what the tests of this folder share: JSON from text, scopes with bindings from text, whole case files
 * from text, and main(). For tests alone.
 */
#ifndef CASE_CASE_TESTING_H
#define CASE_CASE_TESTING_H

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/errors.h"
#include "case/load.h"
#include "case/scope.h"

#define COUNT(table) (int)(sizeof(table) / sizeof *(table))

struct world {
	struct arena *arena;
	struct rng rng;
	struct scope_root root;
	struct scope *scope;
	struct suite *suite;
	struct case_file *one;
};

static inline void drop_tree(void *tree)
{
	cJSON_Delete(tree);
}

/* Strict but for big numbers: what is written here has no comments. */
static inline cJSON *tree_of(struct world *w, const char *text)
{
	struct err err = { 0 };
	cJSON *tree = json_parse(slice_of(text), &err);
	ck_assert_msg(tree != NULL, "%s: %s", text, err.text);
	arena_defer(w->arena, drop_tree, tree);
	return tree;
}

static inline void world_open(struct world *w, bool lenient)
{
	*w = (struct world){ .arena = arena_new() };
	w->root = (struct scope_root){
		.arena = w->arena, .lasting = w->arena, .rng = &w->rng, .unique = "u"
	};
	rng_init(&w->rng, 1, "");
	w->scope = scope_new(&w->root, lenient);
}

static inline void world_close(struct world *w)
{
	arena_free(w->arena);
	case_free(w->one);
	suite_free(w->suite);
}

/* Every member of the object, as written or as received; null: declared only. */
static inline void world_bind(struct world *w, const char *object, enum binding_kind kind)
{
	const cJSON *member;
	cJSON_ArrayForEach (member, tree_of(w, object))
		scope_bind(w->scope, member->string, cJSON_IsNull(member) ? NULL : member, kind);
}

/* The text as a file that has no name but "/proc/self/fd/N"; *fd is to be closed. */
static inline const char *file_of(struct world *w, const char *text, size_t size, int *fd)
{
	*fd = memfd_create("case", MFD_CLOEXEC);
	ck_assert(*fd >= 0 && write(*fd, text, size) == (ssize_t)size);
	return arena_print(w->arena, "/proc/self/fd/%d", *fd);
}

/* Loads a suite and a case, each told apart from files; what is wrong is in errors. */
static inline enum rc world_load(
	struct world *w, const char *suite, const char *one, struct errors *errors)
{
	int suite_fd, case_fd;
	const char *path = suite ? file_of(w, suite, strlen(suite), &suite_fd) : NULL;
	enum rc rc = suite_load(path, &w->suite, errors);
	if (path)
		close(suite_fd);
	if (rc != RC_OK)
		return rc;
	path = file_of(w, one, strlen(one), &case_fd);
	rc = case_load(path, w->suite, &w->one, errors);
	close(case_fd);
	return rc;
}

/* The same where nothing may be wrong. */
static inline void world_load_sound(struct world *w, const char *suite, const char *one)
{
	struct errors errors = { 0 };
	enum rc rc = world_load(w, suite, one, &errors);
	ck_assert_msg(rc == RC_OK && !errors.count, "%s: %s", one,
		errors.count ? errors.list[0].text : "not read");
	errors_release(&errors);
}

/* Compact JSON, of the arena; "nothing" for NULL. */
static inline const char *text_of(struct world *w, const cJSON *value)
{
	if (!value)
		return "nothing";
	char *text = json_print(value);
	const char *copy = arena_text(w->arena, text);
	free(text);
	return copy;
}

static inline int run_tests(Suite *suite)
{
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* "4! LINE:COL: POINTER: TEXT": each error without the file; 4! for what ends with exit 4. */
static inline const char *world_told(struct world *w, struct errors *errors)
{
	char *text = NULL;
	size_t size;
	const char *out = "";
	FILE *file = open_memstream(&text, &size);
	errors_print(errors, file);
	fclose(file);
	struct slice rest = slice_from(text, size), line;
	for (size_t i = 0; slice_next(&rest, '\n', &line); i++) {
		size_t colon = slice_find_byte(line, ':');
		ck_assert(errors->list[i].rc == RC_LIMIT || errors->list[i].rc == RC_USAGE);
		out = arena_print(w->arena, "%s%s%s%.*s", out, out[0] ? "\n" : "",
			errors->list[i].rc == RC_LIMIT ? "4! " : "",
			SLICE_PRINT(slice_part(line, colon + 1, SIZE_MAX)));
	}
	free(text);
	return out;
}

#endif
