#include "case/case_testing.h"
#include "case/cells.h"
#include "case/template.h"

/* "a=1, b=2 | a=1, b=3": all cells by their labels. */
static const char *labels(struct world *w, const struct cells *cells)
{
	const char *text = "";
	for (size_t i = 0; i < cells->count; i++)
		text = arena_print(w->arena, "%s%s%s", text, i ? " | " : "",
			cell_text(w->arena, cell_text_none, &cells->list[i]).label);
	return text;
}

static const struct {
	const char *matrix, *labels, *why;
} matrices[] = {
	{ "{\"a\": [1, 2], \"b\": [3, 4]}", "a=1, b=3 | a=1, b=4 | a=2, b=3 | a=2, b=4",
		"the last name turns fastest" },
	{ "{\"a\": [1], \"b\": [2], \"c\": [3, 4, 5]}",
		"a=1, b=2, c=3 | a=1, b=2, c=4 | a=1, b=2, c=5", "lists of one" },
	{ "{\"a\": [1, 2, 3], \"b\": [4, 5], \"c\": [6]}",
		"a=1, b=4, c=6 | a=1, b=5, c=6 | a=2, b=4, c=6 | a=2, b=5, c=6 | a=3, b=4, c=6 | "
		"a=3, b=5, c=6",
		"the longest first" },
	{ "[{\"a\": 1, \"b\": \"x\"}, {\"a\": 2, \"b\": \"y\"}]", "a=1, b=x | a=2, b=y", "rows" },
	{ "{\"a\": [null, true, \"\", \"x y\", 1.5]}", "a=null | a=true | a= | a=x y | a=1.5",
		"labels of scalars" },
	{ "{\"f\": [{\"name\": \"css\"}, {\"x\": 1}, [1]]}", "f=css | f=#2 | f=#3",
		"labels of objects and lists" },
	{ "{\"a\": \"${list}\"}", "a=7 | a=${n}", "a list that a variable brings" },
	{ "{\"a\": [\"${n}\"]}", "a=${n}", "values are resolved where they are used" },
	{ "{\"a\": {\"generate\": \"around\", \"of\": \"${n}\"}, \"b\": [1, 2]}",
		"a=4, b=1 | a=4, b=2 | a=5, b=1 | a=5, b=2 | a=6, b=1 | a=6, b=2",
		"a list that a generator makes" },
	{ "{}", "", "no names: one cell" },
};

START_TEST(unfolds)
{
	struct world w;
	struct cells cells;
	struct err err = { 0 };
	world_open(&w, false);
	world_bind(&w, "{\"n\": 5}", BINDING_WRITTEN);
	world_bind(&w, "{\"list\": [7, \"${n}\"]}", BINDING_RECEIVED);
	enum rc rc = cells_expand(w.scope, tree_of(&w, matrices[_i].matrix), &cells, &err);
	ck_assert_msg(rc == RC_OK, "%s: %s", matrices[_i].why, err.text);
	ck_assert_msg(strcmp(labels(&w, &cells), matrices[_i].labels) == 0, "%s: %s",
		matrices[_i].why, labels(&w, &cells));
	world_close(&w);
}
END_TEST

static const struct {
	const char *matrix, *text, *why;
} wrong[] = {
	{ "{\"a\": [], \"b\": [1]}", "\"a\" of the matrix has no values", "an empty list" },
	{ "{\"a\": \"${empty}\"}", "\"a\" of the matrix has no values", "brought empty" },
	{ "[]", "a matrix without cells", "no rows" },
	{ "{\"a\": \"${n}\"}", "expected \"${n}\" to be a list of the values of \"a\"", "no list" },
	{ "{\"a\": {\"generate\": \"uuid\"}}",
		"expected \"uuid\" to be a list of the values of \"a\"", "one text" },
	{ "{\"a\": {\"generate\": \"around\", \"of\": 0}}",
		"\"a\": by: expected 1 to 0, so that nothing is below 0, found 1",
		"no such limit" },
	{ "{\"a\": \"${m}\"}", "unknown variable \"m\"; did you mean \"n\"?", "unknown" },
	{ "{\"a\": \"${ids}\", \"b\": \"${ids}\"}", "a matrix of more than 100000 cells",
		"1000 times 1000" },
};

START_TEST(refused)
{
	struct world w;
	struct cells cells;
	struct err err = { 0 };
	world_open(&w, false);
	world_bind(&w,
		"{\"n\": 5, \"empty\": [], \"ids\": {\"generate\": \"range\", \"from\": 1,"
		" \"to\": 1000}}",
		BINDING_WRITTEN);
	enum rc rc = cells_expand(w.scope, tree_of(&w, wrong[_i].matrix), &cells, &err);
	ck_assert_msg(rc == RC_USAGE, "%s", wrong[_i].why);
	ck_assert_msg(strcmp(err.text, wrong[_i].text) == 0, "%s: %s", wrong[_i].why, err.text);
	world_close(&w);
}
END_TEST

START_TEST(none)
{
	struct world w;
	struct cells cells;
	struct err err = { 0 };
	world_open(&w, false);
	ck_assert(cells_expand(w.scope, NULL, &cells, &err) == RC_OK);
	ck_assert_uint_eq(cells.count, 1);
	ck_assert_uint_eq(cells.list[0].count, 0);
	world_close(&w);
}
END_TEST

/* What lint does not know yet is one cell whose name is declared. */
START_TEST(not_known_yet)
{
	struct world w;
	struct cells cells;
	struct err err = { 0 };
	const char *text;
	world_open(&w, true);
	world_bind(&w, "{\"ids\": null}", BINDING_RECEIVED);
	ck_assert(cells_expand(w.scope, tree_of(&w, "{\"id\": \"${ids}\", \"n\": [1, 2]}"), &cells,
			  &err) == RC_OK);
	ck_assert_str_eq(labels(&w, &cells), "id=${ids}, n=1 | id=${ids}, n=2");
	struct scope *scope = scope_push(w.scope);
	cell_bind(scope, &cells.list[1]);
	ck_assert(template_text(scope, "${id} ${n}", &text, &err) == RC_OK);
	ck_assert_str_eq(text, "${id} ${n}");
	ck_assert(cells_expand(w.scope,
			  tree_of(&w, "{\"id\": {\"generate\": \"pick\", \"from\": \"${ids}\","
				      " \"count\": 3}}"),
			  &cells, &err) == RC_OK);
	ck_assert_str_eq(labels(&w, &cells), "id=pick");
	world_close(&w);
}
END_TEST

/* A value that was received is not scanned, one that is written is. */
START_TEST(bound)
{
	struct world w;
	struct cells cells;
	struct err err = { 0 };
	const char *text;
	world_open(&w, false);
	world_bind(&w, "{\"n\": 5}", BINDING_WRITTEN);
	world_bind(&w, "{\"list\": [\"${n}\"]}", BINDING_RECEIVED);
	ck_assert(cells_expand(w.scope, tree_of(&w, "{\"r\": \"${list}\", \"w\": [\"${n}\"]}"),
			  &cells, &err) == RC_OK);
	struct scope *scope = scope_push(w.scope);
	cell_bind(scope, &cells.list[0]);
	ck_assert(template_text(scope, "${r} ${w}", &text, &err) == RC_OK);
	ck_assert_str_eq(text, "${n} 5");
	world_close(&w);
}
END_TEST

static const struct {
	const char *names[2], *values[2];
	bool wanted, used[2];
	const char *why;
} filters[] = {
	{ { NULL }, { NULL }, true, { false }, "no filter" },
	{ { "a" }, { "1" }, true, { true }, "its value" },
	{ { "a" }, { "2" }, false, { false }, "another value" },
	{ { "c" }, { "1" }, true, { false }, "a name that this matrix has not" },
	{ { "a", "b" }, { "1", "x y" }, true, { true, true }, "both" },
	{ { "a", "b" }, { "1", "z" }, false, { true, false }, "one of them" },
};

START_TEST(filtered)
{
	struct world w;
	struct cells cells;
	struct err err = { 0 };
	struct cell_filter list[2];
	bool used[2] = { false, false };
	size_t count = 0;
	world_open(&w, false);
	ck_assert(cells_expand(w.scope, tree_of(&w, "[{\"a\": 1, \"b\": \"x y\"}]"), &cells,
			  &err) == RC_OK);
	for (; count < 2 && filters[_i].names[count]; count++)
		list[count] = (struct cell_filter){ filters[_i].names[count],
			filters[_i].values[count], &used[count] };
	ck_assert_msg(cell_wanted(&cells.list[0], list, count) == filters[_i].wanted, "%s",
		filters[_i].why);
	ck_assert_msg(used[0] == filters[_i].used[0] && used[1] == filters[_i].used[1], "%s",
		filters[_i].why);
	world_close(&w);
}
END_TEST

static const struct {
	const char *text, *quoted;
} quotes[] = {
	{ "a=gzip", "a=gzip" },
	{ "", "''" },
	{ "a=x y", "'a=x y'" },
	{ "it's", "'it'\\''s'" },
	{ "a=$(rm)", "'a=$(rm)'" },
	{ "a=*;q=0", "'a=*;q=0'" },
	{ "\xc3\xa9", "'\xc3\xa9'" },
};

/* Quoted as sh takes it: printf gives the text back. */
START_TEST(quoted)
{
	struct world w;
	char back[64] = "";
	world_open(&w, false);
	const char *text = cell_quote(w.arena, quotes[_i].text);
	ck_assert_str_eq(text, quotes[_i].quoted);
	FILE *shell = popen(arena_print(w.arena, "printf %%s %s", text), "r");
	ck_assert_ptr_nonnull(shell);
	size_t count = fread(back, 1, sizeof back - 1, shell);
	ck_assert_int_eq(pclose(shell), 0);
	ck_assert_uint_eq(count, strlen(quotes[_i].text));
	ck_assert_str_eq(back, quotes[_i].text);
	world_close(&w);
}
END_TEST

START_TEST(texts_of_nested_cells)
{
	struct world w;
	struct cells outer, inner;
	struct err err = { 0 };
	world_open(&w, false);
	ck_assert(cells_expand(w.scope, tree_of(&w, "{\"a\": [\"x y\"]}"), &outer, &err) == RC_OK);
	ck_assert(cells_expand(w.scope, tree_of(&w, "{\"b\": [1]}"), &inner, &err) == RC_OK);
	struct cell_text text = cell_text(w.arena, cell_text_none, &outer.list[0]);
	text = cell_text(w.arena, text, &inner.list[0]);
	ck_assert_str_eq(text.label, "a=x y, b=1");
	ck_assert_str_eq(text.options, " --cell 'a=x y' --cell b=1");
	world_close(&w);
}
END_TEST

/* A list of 50,000 takes no longer than it must: looking each value up by its index would take minutes. */
START_TEST(long_lists)
{
	struct world w;
	struct cells cells;
	struct err err = { 0 };
	world_open(&w, false);
	world_bind(&w, "{\"ids\": {\"generate\": \"range\", \"from\": 1, \"to\": 50000}}",
		BINDING_WRITTEN);
	ck_assert(cells_expand(w.scope, tree_of(&w, "{\"id\": \"${ids}\", \"n\": [1, 2]}"), &cells,
			  &err) == RC_OK);
	ck_assert_uint_eq(cells.count, 100000);
	ck_assert_str_eq(cells.list[99999].values[0].label, "50000");
	ck_assert_str_eq(cells.list[99998].values[1].label, "1");
	world_close(&w);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("cells");
	tcase_add_loop_test(tests, unfolds, 0, COUNT(matrices));
	tcase_add_loop_test(tests, refused, 0, COUNT(wrong));
	tcase_add_test(tests, none);
	tcase_add_test(tests, not_known_yet);
	tcase_add_test(tests, bound);
	tcase_add_loop_test(tests, filtered, 0, COUNT(filters));
	tcase_add_loop_test(tests, quoted, 0, COUNT(quotes));
	tcase_add_test(tests, texts_of_nested_cells);
	tcase_add_test(tests, long_lists);
	Suite *suite = suite_create("case/cells");
	suite_add_tcase(suite, tests);
	return run_tests(suite);
}
