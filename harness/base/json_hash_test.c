#include "base/json_hash.h"

#include <check.h>
#include <stdlib.h>

/* Whether the two are one value is what RFC 8259 says of objects and numbers, and what json_equal() says as well. */
static const struct {
	const char *one, *other;
	bool equal, unordered; /* the last: as lists whose order does not count */
	const char *why;
} rows[] = {
	{ "{\"a\":1,\"b\":[2]}", "{\"b\":[2],\"a\":1}", true, false, "members in any order" },
	{ "{\"a\":1}", "{\"b\":1}", false, false, "names count" },
	{ "{\"a\":1,\"b\":2}", "{\"a\":2,\"b\":1}", false, false, "and which has which value" },
	{ "1", "1.0", true, false, "numbers by value" },
	{ "0", "-0", true, false, "both zeros" },
	{ "1", "\"1\"", false, false, "a text is no number" },
	{ "null", "false", false, false, "nor is null false" },
	{ "[]", "{}", false, false, "nor a list an object" },
	{ "[1,2]", "[2,1]", false, true, "items in their order, or in any" },
	{ "[1,1,2]", "[1,2,2]", false, false, "but each as often" },
	{ "[[1],[2]]", "[[1,2]]", false, false, "and as deep" },
};

START_TEST(equal_values)
{
	cJSON *one = cJSON_Parse(rows[_i].one), *other = cJSON_Parse(rows[_i].other);
	bool equal = json_hash(one) == json_hash(other);
	ck_assert_msg(equal == rows[_i].equal, "%s", rows[_i].why);
	ck_assert_msg(json_equal(one, other) == rows[_i].equal, "%s", rows[_i].why);
	if (rows[_i].unordered)
		ck_assert(json_hash_unordered(one) == json_hash_unordered(other));
	else if (cJSON_IsArray(one) && cJSON_IsArray(other))
		ck_assert(json_hash_unordered(one) != json_hash_unordered(other));
	cJSON_Delete(one);
	cJSON_Delete(other);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("json_hash");
	tcase_add_loop_test(tests, equal_values, 0, (int)(sizeof rows / sizeof *rows));
	Suite *suite = suite_create("base/json_hash");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
