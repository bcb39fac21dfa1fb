#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"

/* The document of RFC 6901, section 5. */
static const char rfc6901[] =
	"{\"foo\": [\"bar\", \"baz\"], \"\": 0, \"a/b\": 1, \"c%d\": 2, \"e^f\": 3,"
	"\"g|h\": 4, \"i\\\\j\": 5, \"k\\\"l\": 6, \" \": 7, \"m~n\": 8}";

/* The response of RFC 8620, section 3.7, shortened, and lists of lists. */
static const char rfc8620[] =
	"{\"list\": [{\"id\": \"msg1023\", \"threadId\": \"trd194\", \"ids\": [1, 2]},"
	"{\"id\": \"msg223\", \"threadId\": \"trd114\", \"ids\": []}, {\"ids\": [3]}],"
	"\"lists\": [[1], [], [[2]]], \"*\": \"star\", \"none\": []}";

static const struct {
	const char *why, *document, *pointer, *found; /* found: NULL for nothing */
	bool star, owned;
} pointers[] = {
	{ "RFC 6901: the whole", rfc6901, "", rfc6901, false, false },
	{ "RFC 6901: a list", rfc6901, "/foo", "[\"bar\",\"baz\"]", false, false },
	{ "RFC 6901: an item", rfc6901, "/foo/0", "\"bar\"", false, false },
	{ "RFC 6901: the empty name", rfc6901, "/", "0", false, false },
	{ "RFC 6901: a slash", rfc6901, "/a~1b", "1", false, false },
	{ "RFC 6901: a percent sign", rfc6901, "/c%d", "2", false, false },
	{ "RFC 6901: a circumflex", rfc6901, "/e^f", "3", false, false },
	{ "RFC 6901: a bar", rfc6901, "/g|h", "4", false, false },
	{ "RFC 6901: a backslash", rfc6901, "/i\\j", "5", false, false },
	{ "RFC 6901: a quote", rfc6901, "/k\"l", "6", false, false },
	{ "RFC 6901: a space", rfc6901, "/ ", "7", false, false },
	{ "RFC 6901: a tilde", rfc6901, "/m~0n", "8", false, false },
	{ "no such name", rfc6901, "/fo", NULL, false, false },
	{ "names have case", rfc6901, "/FOO", NULL, false, false },
	{ "no such item", rfc6901, "/foo/2", NULL, false, false },
	{ "a leading zero is no index", rfc6901, "/foo/00", NULL, false, false },
	{ "the item behind the last", rfc6901, "/foo/-", NULL, false, false },
	{ "a sign is no index", rfc6901, "/foo/+1", NULL, false, false },
	{ "an empty index", rfc6901, "/foo/", NULL, false, false },
	{ "an index past every list", rfc6901, "/foo/18446744073709551616", NULL, false, false },
	{ "into a scalar", rfc6901, "/foo/0/x", NULL, false, false },
	{ "not a pointer", rfc6901, "foo", NULL, false, false },
	{ "RFC 8620: of every item, where it is there", rfc8620, "/list/*/threadId",
		"[\"trd194\",\"trd114\"]", true, true },
	{ "RFC 8620: results that are lists are joined", rfc8620, "/list/*/ids", "[1,2,3]", true,
		true },
	{ "joined once, not all the way down", rfc8620, "/lists/*", "[1,[2]]", true, true },
	{ "a star behind a star", rfc8620, "/lists/*/*", "[1,2]", true, true },
	{ "in no item", rfc8620, "/list/*/x", "[]", true, true },
	{ "an empty list has no items", rfc8620, "/none/*/x", "[]", true, true },
	{ "of an object, a star is a name", rfc8620, "/*", "\"star\"", true, false },
	{ "an item that is null stays in line", "[{\"id\": 1}, null, {\"id\": 3}]", "/*/id",
		"[1,null,3]", true, true },
	{ "in lists of lists, too", "[[{\"id\": 1}, null], null]", "/*/*/id", "[1,null,null]", true,
		true },
	{ "a star where none is allowed", rfc8620, "/list/*/id", NULL, false, false },
};

START_TEST(pointer)
{
	struct err err = { 0 };
	bool owned = true;
	cJSON *document = json_parse(slice_of(pointers[_i].document), &err);
	ck_assert_msg(document != NULL, "%s", err.text);
	cJSON *found = json_pointer(document, pointers[_i].pointer, pointers[_i].star, &owned);
	ck_assert_msg(!found == !pointers[_i].found, "%s", pointers[_i].why);
	ck_assert_msg(owned == pointers[_i].owned, "%s", pointers[_i].why);
	if (found) {
		cJSON *right = json_parse(slice_of(pointers[_i].found), &err);
		ck_assert_msg(json_equal(found, right), "%s", pointers[_i].why);
		cJSON_Delete(right);
	}
	if (owned)
		cJSON_Delete(found);
	/* The document is whole after what was collected from it is gone. */
	cJSON *again = json_parse(slice_of(pointers[_i].document), &err);
	ck_assert(json_equal(document, again));
	cJSON_Delete(again);
	cJSON_Delete(document);
}
END_TEST

static const struct {
	const char *why, *pointer;
	bool valid;
} forms[] = {
	{ "the whole", "", true },
	{ "segments", "/a/b/0", true },
	{ "empty segments", "//", true },
	{ "escapes", "/~0~1", true },
	{ "no slash in front", "a", false },
	{ "an unknown escape", "/a~2", false },
	{ "a tilde at the end", "/a~", false },
};

START_TEST(form)
{
	struct err err = { 0 };
	ck_assert_msg(json_pointer_valid(forms[_i].pointer, &err) == forms[_i].valid, "%s",
		forms[_i].why);
	ck_assert(!err.text[0] == forms[_i].valid);
}
END_TEST

static const struct {
	const char *why, *before, *segment, *after;
} additions[] = {
	{ "to the root", "", "a", "/a" },
	{ "to a pointer", "/a", "b", "/a/b" },
	{ "escaped", "", "a/b~", "/a~1b~0" },
	{ "the empty name", "/a", "", "/a/" },
	{ "cut where the room ends (16 bytes)", "/a", "0123456789abcdef", "/a/0123456789ab" },
	{ "an escape is not cut in two", "/a", "0123456789a/", "/a/0123456789a" },
};

START_TEST(addition)
{
	char text[16];
	snprintf(text, sizeof text, "%s", additions[_i].before);
	json_pointer_add(text, sizeof text, additions[_i].segment);
	ck_assert_msg(strcmp(text, additions[_i].after) == 0, "%s: %s", additions[_i].why, text);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("json_pointer");
	tcase_add_loop_test(tests, pointer, 0, (int)(sizeof pointers / sizeof *pointers));
	tcase_add_loop_test(tests, form, 0, (int)(sizeof forms / sizeof *forms));
	tcase_add_loop_test(tests, addition, 0, (int)(sizeof additions / sizeof *additions));
	Suite *suite = suite_create("base/json_pointer");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
