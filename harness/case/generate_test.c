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
	{ "{\"generate\": \"pick\", \"from\": [1, 2, 3], \"times\": 2, \"order\": \"given\"}",
		"[1,2,3,1,2,3]", "each twice" },
	{ "{\"generate\": \"pick\", \"from\": [1, 2, 3], \"times\": 3, \"distinct\": 1,"
	  " \"unknown\": [1, 3], \"order\": \"given\"}",
		"[1,4,1,5,1]",
		"the first one three times, and two larger numbers at their places" },
	{ "{\"generate\": \"pick\", \"from\": [9, 2], \"count\": 3, \"unknown\": \"100%\"}",
		"[10,11,12]", "nothing but unknown ones" },
	{ "{\"generate\": \"pick\", \"from\": [9, 2], \"count\": 2, \"unknown\": 0,"
	  " \"order\": \"given\"}",
		"[9,2]", "nothing unknown" },
	{ "{\"generate\": \"around\", \"of\": 32766}", "[32765,32766,32767]", "a limit" },
	{ "{\"generate\": \"around\", \"of\": \"8KiB\", \"by\": 2}", "[8190,8192,8194]",
		"a limit of bytes" },
	{ "{\"generate\": \"around\", \"of\": 1}", "[0,1,2]", "the smallest limit" },
	{ "{\"generate\": \"ladder\", \"from\": \"1KiB\", \"to\": \"32KiB\"}",
		"[1024,2048,4096,8192,16384,32768]", "a ladder that meets its end" },
	{ "{\"generate\": \"ladder\", \"from\": 1, \"to\": 1000, \"factor\": 10}",
		"[1,10,100,1000]", "by ten" },
	{ "{\"generate\": \"ladder\", \"from\": 3, \"to\": 20}", "[3,6,12,20]",
		"the end, which no step meets" },
	{ "{\"generate\": \"ladder\", \"from\": 7, \"to\": 7}", "[7]", "a ladder of one" },
	{ "{\"generate\": \"ladder\", \"from\": 3, \"to\": 4, \"factor\": 9007199254740992}",
		"[3,4]", "a factor past every size" },
	{ "{\"generate\": \"known\", \"of\": [\"a\", \"x\", \"a\", 1, \"1\", null, true],"
	  " \"in\": [1.0, \"a\", true]}",
		"[\"a\",null,\"a\",1,null,null,true]", "one for one, told apart by type" },
	{ "{\"generate\": \"known\", \"of\": [{\"a\": 1, \"b\": [2]}, {\"a\": 1}, [], [0]],"
	  " \"in\": [{\"b\": [2], \"a\": 1}, [-0.0]]}",
		"[{\"a\":1,\"b\":[2]},null,null,[0]]", "members in any order, and zeros" },
	{ "{\"generate\": \"known\", \"of\": [1, 2], \"in\": []}", "[null,null]", "none" },
	{ "{\"generate\": \"known\", \"of\": [], \"in\": [1]}", "[]", "nothing to know" },
	{ "{\"generate\": \"text\", \"length\": \"5B\", \"alphabet\": \"z\"}", "\"zzzzz\"",
		"a length in bytes" },
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
	{ "{\"generate\": \"rang\"}", "expected a kind of generator, found \"rang\"; did you mean"
				      " \"range\"? (at /generate)" },
	{ "{\"generate\": 1}", "expected a kind of generator, found 1 (at /generate)" },
	{ "{\"generate\": \"around\", \"of\": 0}",
		"by: expected 1 to 0, so that nothing is below 0, found 1" },
	{ "{\"generate\": \"around\", \"of\": 9007199254740992}",
		"expected a limit and what is added to it of at most 2^53, where numbers are exact" },
	{ "{\"generate\": \"around\", \"of\": 1e308, \"by\": 1e308}",
		"expected a limit and what is added to it of at most 2^53, where numbers are exact" },
	{ "{\"generate\": \"pick\", \"from\": [9007199254740991], \"count\": 2, \"unknown\": 1}",
		"unknown: expected a list whose numbers leave 1 larger ones up to 2^53" },
	{ "{\"generate\": \"pick\", \"from\": [1e308], \"count\": 9, \"unknown\": 8}",
		"unknown: expected a list whose numbers leave 8 larger ones up to 2^53" },
	{ "{\"generate\": \"around\", \"of\": 5, \"by\": 0}",
		"by: expected 1 to 5, so that nothing is below 0, found 0" },
	{ "{\"generate\": \"ladder\", \"from\": 0, \"to\": 5}",
		"expected a ladder from 1 or more up to as much or more, found 0 to 5" },
	{ "{\"generate\": \"ladder\", \"from\": 6, \"to\": 5}",
		"expected a ladder from 1 or more up to as much or more, found 6 to 5" },
	{ "{\"generate\": \"ladder\", \"from\": 1, \"to\": 5, \"factor\": 1}",
		"factor: expected 2 or more, found 1" },
	{ "{\"generate\": \"pick\", \"from\": [1]}",
		"expected either count or times, found neither" },
	{ "{\"generate\": \"pick\", \"from\": [1], \"count\": 1, \"times\": 1}",
		"expected either count or times, found both" },
	{ "{\"generate\": \"pick\", \"from\": [1, 2], \"times\": 2, \"distinct\": 3}",
		"can't pick 3 distinct values from 2" },
	{ "{\"generate\": \"pick\", \"from\": [1, 2], \"times\": 500001}",
		"1000002 values are more than 1000000" },
	{ "{\"generate\": \"pick\", \"from\": [1], \"times\": 1e300}",
		"9007199254740992 values are more than 1000000" },
	{ "{\"generate\": \"pick\", \"from\": [1], \"count\": 2, \"unknown\": 3}",
		"2 values can't hold 3 unknown ones" },
	{ "{\"generate\": \"pick\", \"from\": [1], \"count\": 2, \"unknown\": [2]}",
		"unknown: expected places up to 1, found 2" },
	{ "{\"generate\": \"pick\", \"from\": [1], \"count\": 3, \"unknown\": [2, 2]}",
		"unknown: place 2 stands there twice" },
	{ "{\"generate\": \"pick\", \"from\": [1], \"times\": 2, \"unknown\": \"50%\"}",
		"unknown: expected a count or places beside times, found a share" },
	{ "{\"generate\": \"pick\", \"from\": [1, \"a\"], \"count\": 2, \"unknown\": 1}",
		"unknown: expected a list of texts or of whole numbers, which new ones can be told"
		" from" },
	{ "{\"generate\": \"pick\", \"from\": [1.5], \"count\": 2, \"unknown\": 1}",
		"unknown: expected a list of texts or of whole numbers, which new ones can be told"
		" from" },
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
	{ "{\"generate\": \"pick\", \"from\": [1], \"count\": 1, \"unknown\": \"101%\"}",
		"pick: expected a share such as \"10%\", found \"101%\"" },
	{ "{\"generate\": \"pick\", \"from\": [1], \"count\": 1, \"unknown\": \"1B\"}",
		"pick: expected a share such as \"10%\", found \"1B\"" },
	{ "{\"generate\": \"pick\", \"from\": [1], \"count\": 1, \"ordre\": \"given\"}",
		"pick: unknown key \"ordre\"; did you mean \"order\"?" },
	{ "{\"generate\": \"ladder\", \"from\": \"1 Kib\", \"to\": 5}", "ladder: expected" },
	{ "{\"generate\": \"known\", \"of\": [1], \"in\": 1}",
		"known: expected a list of values, found 1" },
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

/* Long values many times: 200,000 times a kilobyte is more than 128 MiB. */
START_TEST(copies_have_an_end)
{
	struct world w;
	cJSON *made;
	struct err err = { 0 };
	char kilobyte[1025] = "";
	memset(kilobyte, 'k', sizeof kilobyte - 1);
	world_open(&w, false);
	const char *settings = arena_print(w.arena,
		"{\"generate\": \"pick\", \"from\": [\"%s\"], \"count\": 200000}", kilobyte);
	ck_assert(make(&w, settings, &made, &err) == RC_USAGE);
	ck_assert_str_eq(err.text, "these values take more than 134217728 bytes");
	world_close(&w);
}
END_TEST

static const struct {
	const char *unknown;
	int count, distinct, strangers; /* of 1000 numbers from 1 */
} mixes[] = {
	{ "7", 100, 93, 7 },
	{ "\"10%\"", 400, 360, 40 },
	{ "\"0.1%\"", 400, 399, 1 },
	{ "\"0%\"", 50, 50, 0 },
	{ "[0, 99, 5]", 100, 97, 3 },
	{ "1500", 2000, 20, 1500 },
};

/* A permutation of the known ones with strangers between, of which `known` tells the places. */
START_TEST(mixed_with_unknown_ones)
{
	struct world w;
	cJSON *source, *mixed, *told;
	struct err err = { 0 };
	world_open(&w, false);
	ck_assert(make(&w, "{\"generate\": \"range\", \"from\": 1, \"to\": 1000}", &source, &err) ==
		  RC_OK);
	const char *from = text_of(&w, source);
	const char *settings = arena_print(w.arena,
		"{\"generate\": \"pick\", \"from\": %s, \"count\": %d, \"distinct\": %d,"
		" \"unknown\": %s}",
		from, mixes[_i].count, mixes[_i].distinct, mixes[_i].unknown);
	ck_assert_msg(make(&w, settings, &mixed, &err) == RC_OK, "%s", err.text);
	ck_assert_int_eq(cJSON_GetArraySize(mixed), mixes[_i].count);
	ck_assert_uint_eq(
		count_distinct(mixed), (size_t)(mixes[_i].distinct + mixes[_i].strangers));
	settings = arena_print(w.arena, "{\"generate\": \"known\", \"of\": %s, \"in\": %s}",
		text_of(&w, mixed), from);
	ck_assert(make(&w, settings, &told, &err) == RC_OK);
	int strangers = 0;
	const cJSON *a = mixed->child, *b = told->child;
	for (; a && b; a = a->next, b = b->next) {
		bool stranger = a->valuedouble > 1000;
		ck_assert(stranger ? cJSON_IsNull(b) : json_equal(a, b));
		strangers += stranger;
	}
	ck_assert(!a && !b);
	ck_assert_int_eq(strangers, mixes[_i].strangers);
	if (mixes[_i].unknown[0] == '[')
		ck_assert(cJSON_IsNull(cJSON_GetArrayItem(told, 0)) &&
			  cJSON_IsNull(cJSON_GetArrayItem(told, 5)) &&
			  cJSON_IsNull(cJSON_GetArrayItem(told, 99)));
	world_close(&w);
}
END_TEST

/* Each of fifty, three times, in an order that is not theirs and that the seed repeats. */
START_TEST(so_many_times)
{
	struct world w;
	cJSON *source, *made, *again;
	struct err err = { 0 };
	int times[51] = { 0 };
	world_open(&w, false);
	ck_assert(make(&w, "{\"generate\": \"range\", \"from\": 1, \"to\": 50}", &source, &err) ==
		  RC_OK);
	const char *settings = arena_print(w.arena,
		"{\"generate\": \"pick\", \"from\": %s, \"times\": 3}", text_of(&w, source));
	ck_assert(make(&w, settings, &made, &err) == RC_OK);
	const cJSON *item;
	bool sorted = true;
	cJSON_ArrayForEach (item, made) {
		times[item->valueint]++;
		sorted = sorted && (!item->next || item->valueint <= item->next->valueint);
	}
	for (int i = 1; i <= 50; i++)
		ck_assert_int_eq(times[i], 3);
	ck_assert(!sorted);
	rng_init(&w.rng, 1, "");
	ck_assert(make(&w, settings, &again, &err) == RC_OK);
	ck_assert_str_eq(text_of(&w, made), text_of(&w, again));
	world_close(&w);
}
END_TEST

/* Among texts strangers are UUIDs; the rest stays as it is, in the given order. */
START_TEST(unknown_texts)
{
	struct world w;
	cJSON *made;
	struct err err = { 0 };
	world_open(&w, false);
	ck_assert(make(&w,
			  "{\"generate\": \"pick\", \"from\": [\"a\", \"b\"], \"count\": 4,"
			  " \"unknown\": [1], \"order\": \"given\"}",
			  &made, &err) == RC_OK);
	const cJSON *stranger = cJSON_GetArrayItem(made, 1);
	ck_assert_uint_eq(strlen(stranger->valuestring), 36);
	ck_assert_str_eq(text_of(&w, made),
		arena_print(w.arena, "[\"a\",\"%s\",\"b\",\"a\"]", stranger->valuestring));
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
	tcase_add_test(tests, copies_have_an_end);
	tcase_add_loop_test(tests, mixed_with_unknown_ones, 0, COUNT(mixes));
	tcase_add_test(tests, so_many_times);
	tcase_add_test(tests, unknown_texts);
	tcase_add_test(tests, seeds_tell_orders_apart);
	tcase_add_test(tests, uuids);
	tcase_add_test(tests, texts);
	tcase_add_test(tests, told_from_other_values);
	Suite *suite = suite_create("case/generate");
	suite_add_tcase(suite, tests);
	return run_tests(suite);
}
