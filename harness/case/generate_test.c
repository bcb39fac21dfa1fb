#include "case/case_testing.h"
#include "case/generate.h"

static enum rc make(struct world *w, const char *settings, cJSON **made, struct err *err)
{
	*made = NULL;
	enum rc rc = generate(&w->root, tree_of(w, settings), made, err);
	if (*made)
		arena_defer(w->arena, drop_tree, *made);
	return rc;
}

static const struct {
	const char *settings, *made, *why;
} exact[] = {
	{ "{\"generate\": \"range\", \"from\": 1, \"to\": 4}", "[1,2,3,4]", "both ends" },
	{ "{\"generate\": \"range\", \"from\": 0, \"to\": 10, \"step\": 4}", "[0,4,8]", "step" },
	{ "{\"generate\": \"range\", \"from\": 3, \"to\": 1, \"step\": -1}", "[3,2,1]", "down" },
	{ "{\"generate\": \"range\", \"from\": 5, \"to\": 5}", "[5]", "one" },
	{ "{\"generate\": \"range\", \"from\": 9007199254740991, \"to\": 9007199254740992}",
		"[9007199254740991,9007199254740992]", "the last whole numbers" },
	{ "{\"generate\": \"pick\", \"from\": [\"a\", \"b\", \"c\"], \"count\": 5, \"distinct\": 2,"
	  " \"order\": \"given\"}",
		"[\"a\",\"b\",\"a\",\"b\",\"a\"]", "in order, the rest repeats" },
	{ "{\"generate\": \"pick\", \"from\": [7], \"count\": 3}", "[7,7,7]", "one, repeated" },
	{ "{\"generate\": \"pick\", \"from\": [1, 2], \"count\": 0}", "[]", "none" },
	{ "{\"generate\": \"text\", \"length\": 3, \"alphabet\": \"x\"}", "\"xxx\"", "one letter" },
	{ "{\"generate\": \"text\", \"length\": 0}", "\"\"", "an empty text" },
	{ "{\"generate\": \"text\", \"length\": 1, \"alphabet\": \"y\", \"count\": 2}",
		"[\"y\",\"y\"]", "a list" },
	{ "{\"generate\": \"uuid\", \"count\": 0}", "[]", "no UUIDs" },
};

START_TEST(exactly)
{
	struct world w;
	cJSON *made;
	struct err err = { 0 };
	world_open(&w, false);
	ck_assert_msg(make(&w, exact[_i].settings, &made, &err) == RC_OK, "%s", err.text);
	ck_assert_msg(strcmp(text_of(&w, made), exact[_i].made) == 0, "%s: %s", exact[_i].why,
		text_of(&w, made));
	world_close(&w);
}
END_TEST

static const struct {
	const char *settings, *text;
} wrong[] = {
	{ "{\"generate\": \"rang\"}", "expected range, pick, uuid or text, found \"rang\"" },
	{ "{\"generate\": 1}", "expected range, pick, uuid or text, found \"\"" },
	{ "{\"generate\": \"range\", \"from\": 1, \"to\": 5, \"step\": 0}",
		"a range from 1 to 5 has no step of 0" },
	{ "{\"generate\": \"range\", \"from\": 1, \"to\": 5, \"step\": -1}",
		"a range from 1 to 5 has no step of -1" },
	{ "{\"generate\": \"range\", \"from\": 5, \"to\": 1}",
		"a range from 5 to 1 has no step of 1" },
	{ "{\"generate\": \"range\", \"from\": 1, \"to\": 2.5}",
		"to: expected a whole number, found 2.5" },
	{ "{\"generate\": \"range\", \"from\": -1e300, \"to\": 1}",
		"from: expected a whole number, found -1e+300" },
	{ "{\"generate\": \"range\", \"from\": 1, \"to\": 1000001}",
		"a range of 1000001 values is longer than 1000000" },
	{ "{\"generate\": \"pick\", \"from\": [1, 2], \"count\": 3, \"distinct\": 3}",
		"can't pick 3 values, 3 of them distinct, from 2" },
	{ "{\"generate\": \"pick\", \"from\": [1, 2], \"count\": 1, \"distinct\": 2}",
		"can't pick 1 values, 2 of them distinct, from 2" },
	{ "{\"generate\": \"pick\", \"from\": [1, 2], \"count\": 1, \"distinct\": 0}",
		"can't pick 1 values, 0 of them distinct, from 2" },
	{ "{\"generate\": \"pick\", \"from\": [1], \"count\": 1e300}",
		"9007199254740992 values are more than 1000000" },
	{ "{\"generate\": \"uuid\", \"count\": 1000001}", "a count beyond 1000000" },
	{ "{\"generate\": \"text\", \"length\": 5, \"alphabet\": \"\"}",
		"expected an alphabet of at least one character" },
	{ "{\"generate\": \"text\", \"length\": 5, \"alphabet\": \"\xc3\xa9\"}",
		"expected an alphabet of ASCII characters" },
	{ "{\"generate\": \"text\", \"length\": 100000, \"count\": 1000}",
		"more than 67108864 bytes of text" },
	{ "{\"generate\": \"text\", \"length\": 1e300}", "more than 67108864 bytes of text" },
};

START_TEST(refused)
{
	struct world w;
	cJSON *made;
	struct err err = { 0 };
	world_open(&w, false);
	ck_assert_msg(
		make(&w, wrong[_i].settings, &made, &err) == RC_USAGE, "%s", wrong[_i].settings);
	ck_assert_str_eq(err.text, wrong[_i].text);
	ck_assert_ptr_null(made);
	world_close(&w);
}
END_TEST

static const struct {
	const char *settings, *start;
} misshapen[] = {
	{ "{\"generate\": \"range\", \"from\": 1}", "range: expected the key \"to\"" },
	{ "{\"generate\": \"text\", \"lenght\": 1}", "text: unknown key \"lenght\"" },
	{ "{\"generate\": \"pick\", \"from\": [], \"count\": 1}",
		"pick: expected a list to pick from" },
	{ "{\"generate\": \"uuid\", \"count\": -1}", "uuid: expected a count" },
};

START_TEST(of_the_wrong_form)
{
	struct world w;
	cJSON *made;
	struct err err = { 0 };
	world_open(&w, false);
	ck_assert(make(&w, misshapen[_i].settings, &made, &err) == RC_USAGE);
	ck_assert_msg(strncmp(err.text, misshapen[_i].start, strlen(misshapen[_i].start)) == 0,
		"%s", err.text);
	world_close(&w);
}
END_TEST

static size_t count_distinct(const cJSON *list)
{
	size_t distinct = 0;
	for (const cJSON *item = list->child; item; item = item->next) {
		bool seen = false;
		for (const cJSON *before = list->child; before != item; before = before->next)
			seen = seen || before->valueint == item->valueint;
		distinct += !seen;
	}
	return distinct;
}

static const struct {
	int count, distinct;
} picks[] = { { 1, 1 }, { 50, 1 }, { 50, 20 }, { 50, 50 }, { 400, 50 } };

START_TEST(picks_so_many_distinct)
{
	struct world w;
	cJSON *made, *again;
	struct err err = { 0 };
	world_open(&w, false);
	cJSON *source;
	ck_assert(make(&w, "{\"generate\": \"range\", \"from\": 101, \"to\": 150}", &source,
			  &err) == RC_OK);
	const char *settings = arena_print(w.arena,
		"{\"generate\": \"pick\", \"from\": %s, \"count\": %d, \"distinct\": %d}",
		text_of(&w, source), picks[_i].count, picks[_i].distinct);
	ck_assert_msg(make(&w, settings, &made, &err) == RC_OK, "%s", err.text);
	ck_assert_int_eq(cJSON_GetArraySize(made), picks[_i].count);
	ck_assert_uint_eq(count_distinct(made), (size_t)picks[_i].distinct);
	rng_init(&w.rng, 1, "");
	ck_assert(make(&w, settings, &again, &err) == RC_OK);
	ck_assert_str_eq(text_of(&w, made), text_of(&w, again));
	world_close(&w);
}
END_TEST

START_TEST(seeds_tell_orders_apart)
{
	struct world w;
	cJSON *made, *other;
	struct err err = { 0 };
	static const char PICK[] = "{\"generate\": \"pick\", \"from\": [1,2,3,4,5,6,7,8,9],"
				   " \"count\": 9}";
	world_open(&w, false);
	ck_assert(make(&w, PICK, &made, &err) == RC_OK);
	rng_init(&w.rng, 2, "");
	ck_assert(make(&w, PICK, &other, &err) == RC_OK);
	ck_assert_str_ne(text_of(&w, made), text_of(&w, other));
	ck_assert_uint_eq(count_distinct(made), 9);
	ck_assert_uint_eq(count_distinct(other), 9);
	world_close(&w);
}
END_TEST

/* RFC 9562 section 4 and 5.4: 8-4-4-4-12, version 4, variant 10. */
START_TEST(uuids)
{
	struct world w;
	cJSON *made;
	struct err err = { 0 };
	world_open(&w, false);
	ck_assert(make(&w, "{\"generate\": \"uuid\", \"count\": 200}", &made, &err) == RC_OK);
	const cJSON *item;
	cJSON_ArrayForEach (item, made) {
		const char *text = item->valuestring;
		ck_assert_uint_eq(strlen(text), 36);
		ck_assert_uint_eq(strspn(text, "0123456789abcdef-"), 36);
		ck_assert(text[8] == '-' && text[13] == '-' && text[18] == '-' && text[23] == '-');
		ck_assert_msg(text[14] == '4' && strchr("89ab", text[19]), "%s", text);
	}
	ck_assert_str_ne(made->child->valuestring, made->child->next->valuestring);
	world_close(&w);
}
END_TEST

START_TEST(texts)
{
	struct world w;
	cJSON *made;
	struct err err = { 0 };
	world_open(&w, false);
	ck_assert(make(&w, "{\"generate\": \"text\", \"length\": 500, \"alphabet\": \"ab\"}", &made,
			  &err) == RC_OK);
	ck_assert_uint_eq(strlen(made->valuestring), 500);
	ck_assert_uint_eq(strspn(made->valuestring, "ab"), 500);
	ck_assert(strchr(made->valuestring, 'a') && strchr(made->valuestring, 'b'));
	world_close(&w);
}
END_TEST

START_TEST(told_from_other_values)
{
	struct world w;
	world_open(&w, false);
	ck_assert(generate_is(tree_of(&w, "{\"generate\": \"x\"}")));
	ck_assert(!generate_is(tree_of(&w, "{\"Generate\": \"range\"}")));
	ck_assert(!generate_is(tree_of(&w, "[\"generate\"]")));
	ck_assert(!generate_is(NULL));
	world_close(&w);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("generate");
	tcase_add_loop_test(tests, exactly, 0, COUNT(exact));
	tcase_add_loop_test(tests, refused, 0, COUNT(wrong));
	tcase_add_loop_test(tests, of_the_wrong_form, 0, COUNT(misshapen));
	tcase_add_loop_test(tests, picks_so_many_distinct, 0, COUNT(picks));
	tcase_add_test(tests, seeds_tell_orders_apart);
	tcase_add_test(tests, uuids);
	tcase_add_test(tests, texts);
	tcase_add_test(tests, told_from_other_values);
	Suite *suite = suite_create("case/generate");
	suite_add_tcase(suite, tests);
	return run_tests(suite);
}
