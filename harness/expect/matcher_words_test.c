#include "expect/matcher_fixture.h"

static const struct {
	enum matcher_place place;
	const char *subject, *matcher, *expected, *found, *why;
} words[] = {
	{ PLACE_HEADER, NULL, "{\"has\": \"accept-encoding\"}", "has token accept-encoding",
		"absent", "the sample of the design" },
	{ PLACE_HEADER, "a\tb", "\"ab\"", "\"ab\"", "\"a\\tb\"", "control bytes are told" },
	{ PLACE_HEADER, "a\nb", "{\"lines\": 1}", "lines: 1", "2: \"a, b\"", "lines" },
	{ PLACE_HEADER, "gzip", "null", "absent", "\"gzip\"", "null" },
	{ PLACE_HEADER, "x", "{\"one_of\": [\"a\", null]}", "one of \"a\", absent", "\"x\"",
		"one_of" },
	{ PLACE_HEADER, "x", "{\"not\": {\"contains\": \"x\", \"lines\": 1}}",
		"not contains \"x\" and lines: 1", "\"x\"", "not" },
	{ PLACE_HEADER, "9", "{\"lines\": 1, \"number\": \"1..2\"}", "number 1 .. 2", "\"9\"",
		"the operator that does not hold" },
	{ PLACE_HEADER, "x", "{\"number\": 1}", "number 1", "\"x\", which is no number", "number" },
	{ PLACE_JSON, "[1, 5]", "{\"each\": 1}", "each: 1", "item 1: 5", "each" },
	{ PLACE_JSON, "[1, 5, 3]", "[1, 2, 3]", "[1,2,3]", "3 values, index 1: expected 2, found 5",
		"the first item that differs" },
	{ PLACE_JSON, "[1, 5, 3, 5, null]", "[1, 2, 3, 4, 5]", "[1,2,3,4,5]",
		"5 values, index 1: expected 2, found 5 (2 more differ)", "and how many more" },
	{ PLACE_JSON, "[1, null]", "[1, 2]", "[1,2]", "2 values, index 1: expected 2, found null",
		"null in the place of an id" },
	{ PLACE_JSON, "[1, 3, 4]", "[1, 2, 3, 4]", "[1,2,3,4]",
		"3 values instead of 4, index 1: expected 2, found 3",
		"one is missing: those behind it are not told" },
	{ PLACE_JSON, "[1, 2]", "[1, 2, 3]", "[1,2,3]",
		"2 values instead of 3, index 2: expected 3, found nothing", "cut short" },
	{ PLACE_JSON, "[1, 2, 3]", "[1, 2]", "[1,2]",
		"3 values instead of 2, index 2: expected nothing, found 3", "too long" },
	{ PLACE_JSON, "[{\"a\": [1, {\"b\": 3}]}]", "[{\"a\": [1, {\"b\": 2}]}]",
		"[{\"a\":[1,{\"b\":2}]}]", "1 value, index 0 at /a/1/b: expected 2, found 3",
		"deep inside" },
	{ PLACE_JSON, "[{\"a\": 1, \"b\": 2}]", "[{\"a\": 1}]", "[{\"a\":1}]",
		"1 value, index 0: expected {\"a\":1}, found {\"a\":1,\"b\":2}",
		"a member that only the answer has" },
	{ PLACE_JSON, "[{\"b\": 2}]", "[{\"a\": 1}]", "[{\"a\":1}]",
		"1 value, index 0 at /a: expected 1, found nothing", "a member that it lacks" },
	{ PLACE_JSON, "[10000000000000000000000000000000000000, 2]",
		"[1, \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"]",
		"2 values: [1,\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaa...",
		"2 values, index 0: expected 1, found 1e+37 (1 more differs)",
		"long lists are counted, not written out" },
	{ PLACE_JSON, NULL, "null", "null", "absent", "null is not absent" },
	{ PLACE_JSON, "8", "{\"same_as\": \"page\"}", "same as page", "8, and there 7", "same_as" },
	{ PLACE_BODY, "hallo\n", "{\"same_as\": \"file:hello\"}", "same as file:hello",
		"6 bytes, at byte 1 \"allo\\n\"; there 6 bytes, at byte 1 \"ello\\n\"",
		"the first difference" },
	{ PLACE_BODY, "hello", "{\"same_as\": \"file:hello\"}", "same as file:hello",
		"5 bytes, at byte 5 the end; there 6 bytes, at byte 5 \"\\n\"", "one is shorter" },
	{ PLACE_BODY, "", "{\"same_as\": \"file:hello\"}", "same as file:hello",
		"nothing (0 bytes); there 6 bytes, at byte 0 \"hello\\n\"", "nothing came" },
	{ PLACE_FIELDS, "ETag: \"b\"\nX-Two: 1\nX-Two: 2",
		"{\"same_as\": \"page\", \"except\": [\"Age\"], \"may_lack\": [\"Vary\"]}",
		"same as page, except Age, may lack Vary",
		"ETag: \"\\\"b\\\"\", and there \"\\\"a\\\"\"; Date: absent, and there \"today\"",
		"all headers" },
};

START_TEST(test_words)
{
	struct fixture f;
	struct err err = { .text = "" };
	set_up(&f);
	cJSON *matcher = json_parse(slice_of(words[_i].matcher), &err);
	cJSON *json = words[_i].place == PLACE_JSON && words[_i].subject
			      ? json_parse(slice_of(words[_i].subject), &err)
			      : NULL;
	struct matching m = {
		.j = &f.j,
		.pointer = "/here",
		.place = words[_i].place,
		.subject = subject_of(&f, words[_i].place, words[_i].subject, json),
		.key = "/id",
		.layer = LAYER_DECODED,
	};
	matcher_judge(&m, matcher, "header Vary");
	ck_assert_uint_eq(f.j.broken_count, 1);
	ck_assert_str_eq(f.j.broken[0].pointer, "/here");
	ck_assert_str_eq(f.j.broken[0].what, "header Vary");
	ck_assert_str_eq(f.j.broken[0].expected, words[_i].expected);
	ck_assert_str_eq(f.j.broken[0].found, words[_i].found);
	cJSON_Delete(json);
	cJSON_Delete(matcher);
	tear_down(&f);
}
END_TEST

static const struct {
	const struct shape *shape;
	const char *matcher;
	const char *why;
} refused[] = {
	{ &matcher_body_shape, "{\"lines\": 1}", "lines is for headers" },
	{ &matcher_body_shape, "{\"not\": {\"has\": \"a\"}}", "also inside another operator" },
	{ &matcher_body_shape, "null", "a body is never absent" },
	{ &matcher_text_shape, "{\"same_as\": \"page\"}", "output has no step to compare with" },
	{ &matcher_header_shape, "{\"count\": 1}", "count is for JSON" },
	{ &matcher_header_shape, "[\"a\"]", "a header is no list" },
	{ &matcher_header_shape, "{\"same_as\": \"root:a\"}", "a file has no headers" },
	{ &matcher_header_shape, "{\"has\": \"a, b\"}", "one token" },
	{ &matcher_header_shape, "{\"has\": \"\"}", "no token" },
	{ &matcher_header_shape, "{\"matches\": \"(\"}", "no pattern" },
	{ &matcher_header_shape, "{\"number\": \"a lot\"}", "no comparison" },
	{ &matcher_header_shape, "{\"one_of\": []}", "none of none" },
	{ &matcher_header_shape, "{\"like\": \"a\"}", "unknown" },
	{ &matcher_header_shape, "{\"except\": [\"Date\"]}", "except is for *" },
	{ &matcher_fields_shape, "{\"except\": [\"Date\"]}", "except needs same_as" },
	{ &matcher_fields_shape, "{\"has\": \"a\"}", "all fields are no list" },
	{ &matcher_value_shape, "{\"same_as\": \"page\"}", "`when` looks at no answer" },
	{ &matcher_number_shape, "\"3\"", "text" },
	{ &matcher_number_shape, "null", "an exit status is there" },
};

START_TEST(test_refused)
{
	struct err err = { .text = "" };
	cJSON *matcher = json_parse(slice_of(refused[_i].matcher), &err);
	ck_assert_ptr_nonnull(matcher);
	ck_assert_msg(!shape_check_resolved(refused[_i].shape, matcher, &err), "%s: %s",
		refused[_i].matcher, refused[_i].why);
	cJSON_Delete(matcher);
}
END_TEST

static const struct {
	enum matcher_place place;
	const char *matcher, *error;
} errors[] = {
	{ PLACE_HEADER, "{}", "expected at least one operator, found none" },
	{ PLACE_HEADER, "{\"same_as\": \"paeg\"}",
		"same_as: expected the name of an earlier step that has run, found \"paeg\"" },
	{ PLACE_BODY, "{\"same_as\": \"file:gone\"}",
		"same_as \"file:gone\": expected a file, found nothing" },
	{ PLACE_HEADER, "{\"matches\": \"^(a+)+$\"}",
		"expected a pattern that can be tried, found: match limit exceeded" },
};

START_TEST(test_errors)
{
	struct fixture f;
	struct err err = { .text = "" };
	set_up(&f);
	cJSON *matcher = json_parse(slice_of(errors[_i].matcher), &err);
	struct matching m = {
		.j = &f.j,
		.pointer = "/here",
		.place = errors[_i].place,
		.subject = subject_of(
			&f, errors[_i].place, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", NULL),
		.key = "F",
		.layer = LAYER_DECODED,
	};
	matcher_judge(&m, matcher, "header F");
	ck_assert(f.j.has_error);
	ck_assert_str_eq(f.j.error.where, "/here");
	ck_assert_str_eq(f.j.error.text, errors[_i].error);
	cJSON_Delete(matcher);
	tear_down(&f);
}
END_TEST

/* Bodies of which only the start is kept: equality goes by digest, a search must not guess. */
START_TEST(test_long_bodies)
{
	enum { TOTAL = 200 * 1000, KEPT = 1000, AT = 150 * 1000 };
	struct fixture f;
	set_up(&f);
	uint8_t *bytes = arena_alloc(f.arena, TOTAL, 1), *other = arena_alloc(f.arena, TOTAL, 1);
	for (size_t i = 0; i < TOTAL; i++)
		bytes[i] = other[i] = (uint8_t)('a' + i % 26);
	other[AT] = '!';
	fill_layers(&f, &f.own, slice_from(bytes, TOTAL));
	fill_layers(&f, &f.page, slice_from(bytes, TOTAL));
	f.own.layers[LAYER_DECODED].kept.len = KEPT;
	f.own.layers[LAYER_DECODED].whole = false;
	struct matching m = {
		.j = &f.j,
		.pointer = "/body",
		.place = PLACE_BODY,
		.subject = subject_layer(&f.own.layers[LAYER_DECODED]),
		.layer = LAYER_DECODED,
	};
	cJSON *same = cJSON_Parse("{\"same_as\": \"page\"}");
	ck_assert(matcher_holds(&m, same));
	fill_layers(&f, &f.page, slice_from(other, TOTAL));
	ck_assert(!matcher_holds(&m, same));
	/* 131072 is the start of the third block of 64 KiB, in which byte 150000 lies. */
	ck_assert_str_eq(m.found,
		"200000 bytes, different in the 64 KiB from byte 131072 on; there 200000 bytes, "
		"different in the 64 KiB from byte 131072 on");
	fill_layers(&f, &f.own, slice_from(bytes, TOTAL));
	ck_assert(!matcher_holds(&m, same));
	ck_assert_ptr_nonnull(strstr(m.found, "200000 bytes, at byte 150000 \""));
	ck_assert_ptr_nonnull(strstr(m.found, "\"!"));
	cJSON *found = cJSON_Parse("{\"contains\": \"abc\"}"),
	      *gone = cJSON_Parse("{\"not\": {\"contains\": \"ABC\"}}");
	ck_assert(matcher_holds(&m, found));
	ck_assert(!f.j.has_error);
	(void)matcher_holds(&m, gone);
	ck_assert(f.j.has_error);
	cJSON_Delete(same);
	cJSON_Delete(found);
	cJSON_Delete(gone);
	tear_down(&f);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("matcher_words");
	TCase *tc = tcase_create("matcher");
#define ROWS(table) (int)(sizeof(table) / sizeof *(table))
	tcase_add_loop_test(tc, test_words, 0, ROWS(words));
	tcase_add_loop_test(tc, test_refused, 0, ROWS(refused));
	tcase_add_loop_test(tc, test_errors, 0, ROWS(errors));
	tcase_add_test(tc, test_long_bodies);
	suite_add_tcase(suite, tc);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
