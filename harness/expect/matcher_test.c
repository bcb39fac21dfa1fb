#include "expect/matcher_fixture.h"
#include "expect/operator.h"

struct row {
	const char *subject; /* lines of a field cut by \n, text, JSON, a number; NULL: absent */
	const char *matcher;
	bool holds;
	const char *why;
};

static const struct row header_rows[] = {
	{ "gzip", "\"gzip\"", true, "a string means equal" },
	{ "GZIP", "\"gzip\"", false, "values compare with case" },
	{ "", "\"\"", true, "present and empty" },
	{ NULL, "\"\"", false, "absent is not empty" },
	{ NULL, "null", true, "null means absent" },
	{ "", "null", false, "empty is not absent" },
	{ "47", "47", true, "a number equals its text" },
	{ "47.0", "47", false, "a header is text: 47.0 is not written 47" },
	{ "true", "true", true, "a bool equals its text" },
	{ "a\nb", "\"a, b\"", true, "equality sees all lines joined (RFC 9110 section 5.3)" },
	{ "a\n\nb", "\"a, , b\"", true, "an empty line of a field is a member too" },
	{ "a", "{\"equals\": \"a\"}", true, "equals" },
	{ NULL, "{\"equals\": null}", true, "equals null is what null is" },
	{ "a", "{\"not\": \"b\"}", true, "not" },
	{ "a", "{\"not\": \"a\"}", false, "not" },
	{ NULL, "{\"not\": \"a\"}", false, "absent fails not, too" },
	{ NULL, "{\"not\": null}", false, "not absent" },
	{ "", "{\"not\": null}", true, "not absent" },
	{ "b", "{\"one_of\": [\"a\", \"b\"]}", true, "one_of" },
	{ "c", "{\"one_of\": [\"a\", \"b\"]}", false, "one_of" },
	{ NULL, "{\"one_of\": [\"a\", null]}", true, "absent passes a one_of with null" },
	{ NULL, "{\"one_of\": [\"a\", \"b\"]}", false, "absent fails a one_of without null" },
	{ "abc", "{\"one_of\": [{\"matches\": \"^x\"}, {\"contains\": \"bc\"}]}", true,
		"one_of takes matchers" },
	{ "Accept-Encoding, Origin", "{\"has\": \"accept-encoding\"}", true, "any case" },
	{ "Origin,Accept-Encoding", "{\"has\": \"accept-encoding\"}", true, "no space needed" },
	{ "Origin\nAccept-Encoding", "{\"has\": \"accept-encoding\"}", true, "lines are one list" },
	{ "X-Accept-Encoding", "{\"has\": \"accept-encoding\"}", false, "whole members only" },
	{ "*", "{\"has\": \"accept-encoding\"}", false, "* is a member of its own" },
	{ "gzip;q=0.5, br", "{\"has\": \"gzip\"}", true, "parameters don't count" },
	{ "gzip ;q=0.5", "{\"has\": \"gzip\"}", true, "space before the parameter" },
	{ "max-age=60, public", "{\"has\": \"max-age=60\"}", true, "the member whole" },
	{ "gzip;q=0.5", "{\"has\": \"gzip;q=0.5\"}", true, "the member whole, with parameter" },
	{ "a=\"x, gzip, y\"", "{\"has\": \"gzip\"}", false,
		"commas in quotes part nothing (RFC 9110 section 5.6.4)" },
	{ "a=\"x\\\", gzip, y\", gzip", "{\"has\": \"gzip\"}", true,
		"an escaped quote does not end the string" },
	{ ", ,gzip", "{\"has\": \"gzip\"}", true, "empty members are passed over" },
	{ "", "{\"has\": \"gzip\"}", false, "nothing has nothing" },
	{ NULL, "{\"has\": \"gzip\"}", false, "absent has nothing" },
	{ "text/css; charset=utf-8", "{\"contains\": \"charset\"}", true, "contains" },
	{ "text/css", "{\"contains\": \"CSS\"}", false, "contains compares with case" },
	{ "text/css", "{\"matches\": \"^text/css\"}", true, "matches" },
	{ "text/css", "{\"matches\": \"^css\"}", false, "anchored" },
	{ "text/css", "{\"matches\": \"(?i)CSS$\"}", true, "options inside the pattern" },
	{ "caf\xe9", "{\"matches\": \"caf.$\"}", true, "bytes need not be UTF-8" },
	{ "2", "{\"number\": \"1..2\"}", true, "a range includes its ends" },
	{ "3", "{\"number\": \"1..2\"}", false, "out of range" },
	{ "2", "{\"number\": 2}", true, "a bare number" },
	{ "two", "{\"number\": \">= 0\"}", false, "no number" },
	{ "", "{\"number\": \">= 0\"}", false, "no number" },
	{ "20ms", "{\"number\": \"<= 1s\"}", true, "a quantity with its unit" },
	{ "20", "{\"number\": \"<= 1s\"}", false, "the unit is missing" },
	{ "", "{\"exists\": true}", true, "empty exists" },
	{ NULL, "{\"exists\": true}", false, "absent does not" },
	{ NULL, "{\"exists\": false}", true, "absent" },
	{ "a", "{\"exists\": false}", false, "present" },
	{ "a\na", "{\"lines\": 2}", true, "two lines" },
	{ "a, a", "{\"lines\": 1}", true, "one line, two members" },
	{ "a\na", "{\"lines\": \"<= 1\"}", false, "a comparison" },
	{ NULL, "{\"lines\": 0}", false, "absent is told by null" },
	{ "a=1; Secure\nb=2; Secure", "{\"each\": {\"contains\": \"Secure\"}}", true, "each line" },
	{ "a=1; Secure\nb=2", "{\"each\": {\"contains\": \"Secure\"}}", false, "the second" },
	{ "a=1; Secure\nb=2", "{\"some\": \"b=2\"}", true, "some line" },
	{ "a=1\nb=2", "{\"some\": \"c=3\"}", false, "no line" },
	{ "a\na", "{\"each\": {\"lines\": 1}}", true, "a line is a field of one line" },
	{ "gzip", "{\"has\": \"gzip\", \"lines\": 1}", true, "all operators hold" },
	{ "gzip", "{\"has\": \"gzip\", \"lines\": 2}", false, "one does not" },
};

static const struct row text_rows[] = {
	{ "", "\"\"", true, "empty" },
	{ "a", "\"\"", false, "not empty" },
	{ "47", "47", true, "a number equals its text" },
	{ "a\nb", "{\"contains\": \"\\n\"}", true, "a line end" },
	{ "x=0..9 y", "{\"matches\": \"x.*0[.][.]9\"}", true, "matches" },
	{ "a\nb", "{\"matches\": \"a.b\"}", false, "a dot is no line end" },
	{ "a\nb", "{\"matches\": \"(?s)a.b\"}", true, "unless (?s) says so" },
	{ "12", "{\"number\": \">= 10\"}", true, "a number" },
	{ "12\r\n", "{\"number\": 12}", true, "a line end behind it" },
	{ "1\n2\n", "{\"number\": \"> 0\"}", false, "two numbers" },
	{ "a", "{\"one_of\": [\"a\", \"b\"]}", true, "one_of" },
	{ "a", "{\"not\": {\"contains\": \"a\"}}", false, "not" },
};

static const struct row body_rows[] = {
	{ "hello\n", "{\"same_as\": \"file:hello\"}", true, "the file's bytes" },
	{ "hello", "{\"same_as\": \"file:hello\"}", false, "a byte less" },
	{ "hello\n\n", "{\"same_as\": \"file:hello\"}", false, "a byte more" },
	{ "hallo\n", "{\"same_as\": \"file:hello\"}", false, "another byte" },
	{ "", "{\"same_as\": \"file:hello\"}", false, "nothing" },
	{ "{\"id\": 7, \"list\": [1, 2]}", "{\"same_as\": \"page\"}", true, "a step's body" },
	{ "{\"id\": 7}", "{\"same_as\": \"page\"}", false, "another body" },
	{ "hello", "\"hello\"", true, "equal" },
	{ "hello", "{\"not\": \"\"}", true, "not empty" },
};

static const struct row json_rows[] = {
	{ "\"a\"", "\"a\"", true, "a string" },
	{ "5", "5.0", true, "numbers by value" },
	{ "\"5\"", "5", false, "a string is no number" },
	{ "null", "null", true, "null means null" },
	{ NULL, "null", false, "absent is not null" },
	{ NULL, "{\"exists\": false}", true, "absent" },
	{ "null", "{\"exists\": false}", false, "null exists" },
	{ "null", "{\"exists\": true}", true, "null exists" },
	{ NULL, "{\"one_of\": [1, null]}", false, "null is not absent here" },
	{ NULL, "{\"one_of\": [1, {\"exists\": false}]}", true, "absent or 1" },
	{ "null", "{\"one_of\": [1, null]}", true, "null or 1" },
	{ "[1, 2]", "[1, 2]", true, "a list means equal" },
	{ "[1, 2]", "[2, 1]", false, "in this order" },
	{ "[1, 2]", "[1, 2, 3]", false, "of this length" },
	{ "[]", "[]", true, "the empty list" },
	{ "{\"a\": 1, \"b\": 2}", "{\"equals\": {\"b\": 2, \"a\": 1}}", true,
		"members in any order" },
	{ "{\"a\": 1}", "{\"equals\": {\"A\": 1}}", false, "names with case" },
	{ "[1, 2]", "{\"count\": 2}", true, "items" },
	{ "{\"a\": 1}", "{\"count\": \">= 1\"}", true, "members" },
	{ "\"ab\"", "{\"count\": 2}", false, "text has no items" },
	{ "[1, 2]", "{\"each\": {\"number\": \">= 1\"}}", true, "each" },
	{ "[1, 2]", "{\"each\": 1}", false, "not each" },
	{ "[]", "{\"each\": 1}", false, "none is not each: nothing was looked at" },
	{ "5", "{\"each\": 5}", false, "no list" },
	{ "[1, 2]", "{\"some\": 2}", true, "some" },
	{ "[]", "{\"some\": 2}", false, "none" },
	{ "[[1], [2]]", "{\"some\": {\"each\": 2}}", true, "nested" },
	{ "[\"a\", 1]", "{\"contains\": 1}", true, "an item" },
	{ "[\"ab\"]", "{\"contains\": \"a\"}", false, "a whole item" },
	{ "\"abc\"", "{\"contains\": \"b\"}", true, "a part" },
	{ "5", "{\"contains\": \"5\"}", false, "a number is no text" },
	{ "\"abc\"", "{\"matches\": \"^a\"}", true, "matches" },
	{ "5", "{\"matches\": \"5\"}", false, "a number is no text" },
	{ "5", "{\"number\": \"4..6\"}", true, "number" },
	{ "\"12 kB\"", "{\"number\": \"< 1MB\"}", true, "a quantity" },
	{ "true", "{\"number\": 1}", false, "true is no number" },
	{ "5", "{\"not\": {\"matches\": \"5\"}}", true, "not of what does not hold" },
	{ "7", "{\"same_as\": \"page\"}", true, "what stands at /id there" },
	{ "8", "{\"same_as\": \"page\"}", false, "7 stands there" },
	{ NULL, "{\"same_as\": \"page\"}", false, "7 stands there" },
};

static const struct row number_rows[] = {
	{ "3", "3", true, "equal" },
	{ "3", "2", false, "another" },
	{ NULL, "0", false, "no exit status is not 0" },
	{ "3", "{\"not\": 0}", true, "not" },
	{ NULL, "{\"not\": 0}", false, "absent fails not" },
	{ "3", "{\"one_of\": [2, 3]}", true, "one_of" },
	{ "3", "{\"number\": \"1..3\"}", true, "a range" },
	{ "3", "{\"number\": \"!= 3\"}", false, "unequal" },
};

static const struct row value_rows[] = {
	{ NULL, "null", true, "no value is null" },
	{ "\"gzip;q=0.5\"", "{\"contains\": \"gzip\"}", true, "contains" },
	{ "\"br, gzip\"", "{\"has\": \"gzip\"}", true, "has" },
	{ NULL, "{\"contains\": \"gzip\"}", false, "absent contains nothing" },
	{ "\"gzip\"", "\"gzip\"", true, "equal" },
	{ "5", "{\"number\": \"> 4\"}", true, "a number" },
	{ NULL, "{\"one_of\": [null, \"gzip\"]}", true, "null among others" },
	{ NULL, "{\"not\": {\"contains\": \"gzip\"}}", false,
		"not wants a value: {\"one_of\": [null, ...]} takes none" },
};

static const struct row fields_rows[] = {
	{ "ETag: \"a\"\nDate: today\nX-Two: 1\nX-Two: 2", "{\"same_as\": \"page\"}", true, "all" },
	{ "X-Two: 1\nX-Two: 2\netag: \"a\"\nDATE: today", "{\"same_as\": \"page\"}", true,
		"in any order and case" },
	{ "ETag: \"b\"\nDate: today\nX-Two: 1\nX-Two: 2", "{\"same_as\": \"page\"}", false,
		"another value" },
	{ "ETag: \"a\"\nDate: today\nX-Two: 2\nX-Two: 1", "{\"same_as\": \"page\"}", false,
		"lines of a field have an order" },
	{ "ETag: \"a\"\nX-Two: 1\nX-Two: 2", "{\"same_as\": \"page\"}", false, "Date is missing" },
	{ "ETag: \"a\"\nX-Two: 1\nX-Two: 2", "{\"same_as\": \"page\", \"may_lack\": [\"date\"]}",
		true, "Date may be missing" },
	{ "ETag: \"a\"\nDate: now\nX-Two: 1\nX-Two: 2",
		"{\"same_as\": \"page\", \"may_lack\": [\"Date\"]}", false, "but not differ" },
	{ "ETag: \"a\"\nDate: now\nX-Two: 1\nX-Two: 2",
		"{\"same_as\": \"page\", \"except\": [\"date\"]}", true, "may differ" },
	{ "ETag: \"a\"\nDate: today\nX-Two: 1\nX-Two: 2\nNew: 1", "{\"same_as\": \"page\"}", false,
		"one too many" },
	{ "ETag: \"a\"\nDate: today\nX-Two: 1\nX-Two: 2\nNew: 1",
		"{\"same_as\": \"page\", \"may_lack\": [\"New\"]}", false,
		"may_lack is for what the other has" },
	{ "ETag: \"a\"\nDate: today\nX-Two: 1\nX-Two: 2\nNew: 1",
		"{\"same_as\": \"page\", \"except\": [\"New\"]}", true, "except goes both ways" },
};

static const struct {
	enum matcher_place place;
	const struct shape *shape;
	const struct row *rows;
	size_t count;
} tables[] = {
#define TABLE(place, shape, rows)                                                                  \
	{                                                                                          \
		place, &(shape), rows, sizeof(rows) / sizeof *(rows)                               \
	}
	TABLE(PLACE_HEADER, matcher_header_shape, header_rows),
	TABLE(PLACE_TEXT, matcher_text_shape, text_rows),
	TABLE(PLACE_BODY, matcher_body_shape, text_rows),
	TABLE(PLACE_BODY, matcher_body_shape, body_rows),
	TABLE(PLACE_JSON, matcher_json_shape, json_rows),
	TABLE(PLACE_NUMBER, matcher_number_shape, number_rows),
	TABLE(PLACE_VALUE, matcher_value_shape, value_rows),
	TABLE(PLACE_FIELDS, matcher_fields_shape, fields_rows),
};

static void try_row(struct fixture *f, size_t table, const struct row *row)
{
	enum matcher_place place = tables[table].place;
	bool is_json = place == PLACE_JSON || place == PLACE_VALUE;
	struct err err = { .text = "" };
	cJSON *matcher = json_parse(slice_of(row->matcher), &err);
	cJSON *json = is_json && row->subject ? json_parse(slice_of(row->subject), &err) : NULL;
	ck_assert_msg(matcher && shape_check_resolved(tables[table].shape, matcher, &err), "%s: %s",
		row->matcher, err.text);
	struct matching m = {
		.j = &f->j,
		.pointer = "/here",
		.place = place,
		.subject = subject_of(f, place, row->subject, json),
		.key = "/id",
		.layer = LAYER_DECODED,
	};
	size_t before = f->j.broken_count;
	matcher_judge(&m, matcher, "what");
	bool held = f->j.broken_count == before;
	ck_assert_msg(!f->j.has_error, "%s: %s", row->matcher, f->j.error.text);
	ck_assert_msg(held == row->holds, "%s on %s: %s, but %s", row->matcher,
		row->subject ? row->subject : "absent", held ? "holds" : "does not hold", row->why);
	if (!held) {
		const struct broken *b = &f->j.broken[before];
		ck_assert_msg(b->expected[0] && b->found[0], "%s: no words", row->matcher);
	}
	cJSON_Delete(json);
	cJSON_Delete(matcher);
}

START_TEST(test_holds)
{
	struct fixture f;
	size_t t = (size_t)_i;
	set_up(&f);
	for (size_t i = 0; i < tables[t].count; i++)
		try_row(&f, t, &tables[t].rows[i]);
	ck_assert_uint_eq(f.j.checks, tables[t].count);
	tear_down(&f);
}
END_TEST

START_TEST(test_rows)
{
	const struct operator_row *row;
	for (size_t i = 0; (row = operator_at(i)); i++) {
		ck_assert_msg(row->key.help && row->key.help[0], "%s has no help", row->key.name);
		ck_assert_msg(
			row->key.shape && row->key.shape->name, "%s has no shape", row->key.name);
		ck_assert_msg(row->places, "%s stands nowhere", row->key.name);
		ck_assert_msg(!row->holds == !row->words, "%s has no words", row->key.name);
		for (size_t k = 0; k < i; k++)
			ck_assert_msg(strcmp(operator_at(k)->key.name, row->key.name) != 0 ||
					      !(operator_at(k)->places & row->places),
				"%s stands twice in one place", row->key.name);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("matcher");
	TCase *tc = tcase_create("matcher");
#define ROWS(table) (int)(sizeof(table) / sizeof *(table))
	tcase_add_loop_test(tc, test_holds, 0, ROWS(tables));
	tcase_add_test(tc, test_rows);
	suite_add_tcase(suite, tc);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
