#include <check.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/rng.h"

enum { TREES = 300, THREADS = 4, PARSES = 500, BREADTH = 5, LEVELS = 5 };

START_TEST(members)
{
	struct err err = { 0 };
	cJSON *tree = json_parse(slice_of("{\"a\":\"x\",\"A\":1}"), &err);
	ck_assert_str_eq(json_text(tree, "a"), "x");
	ck_assert_ptr_null(json_text(tree, "A"));
	ck_assert(cJSON_IsNumber(json_get(tree, "A")));
	ck_assert_ptr_null(json_get(tree, "b"));
	ck_assert_ptr_null(json_get(json_get(tree, "a"), "a"));
	ck_assert_ptr_null(json_get(NULL, "a"));
	cJSON_Delete(tree);
}
END_TEST

static const struct {
	const char *why, *a, *b;
	bool equal;
} pairs[] = {
	{ "members in any order", "{\"a\":1,\"b\":[2]}", "{\"b\":[2],\"a\":1}", true },
	{ "a member more", "{\"a\":1}", "{\"a\":1,\"b\":2}", false },
	{ "as many members, but others", "{\"a\":1,\"b\":2}", "{\"a\":1,\"c\":2}", false },
	{ "keys have case", "{\"a\":1}", "{\"A\":1}", false },
	{ "items have an order", "[1,2]", "[2,1]", false },
	{ "an item more", "[1,2]", "[1,2,3]", false },
	{ "numbers by value", "[1.0,1e2]", "[1,100]", true },
	{ "numbers that are near", "1", "1.0000000000000002", false },
	{ "text is no number", "\"1\"", "1", false },
	{ "true and false", "true", "false", false },
	{ "null and null", "[null]", "[null]", true },
	{ "an empty list is no empty object", "[]", "{}", false },
	{ "text by its characters", "\"\\u00e9\"", "\"\xc3\xa9\"", true },
};

START_TEST(equal)
{
	struct err err = { 0 };
	cJSON *a = json_parse(slice_of(pairs[_i].a), &err);
	cJSON *b = json_parse(slice_of(pairs[_i].b), &err);
	ck_assert(a && b);
	ck_assert_msg(json_equal(a, b) == pairs[_i].equal, "%s", pairs[_i].why);
	ck_assert_msg(json_equal(b, a) == pairs[_i].equal, "%s, turned round", pairs[_i].why);
	ck_assert(json_equal(a, a) && json_equal(NULL, NULL) && !json_equal(a, NULL));
	cJSON_Delete(a);
	cJSON_Delete(b);
}
END_TEST

static cJSON *draw_text(struct rng *rng)
{
	static const char *const pieces[] = { "a", "\"", "\\", "/", "\n", "\x01", "\xc3\xa9",
		"\xf0\x9f\x98\x80", "${x}", "//" };
	char text[64] = "";
	for (size_t i = 0, n = (size_t)rng_below(rng, 8); i < n; i++)
		strcat(text, pieces[rng_below(rng, sizeof pieces / sizeof *pieces)]);
	return cJSON_CreateString(text);
}

static cJSON *draw_tree(struct rng *rng, int levels)
{
	uint64_t kind = rng_below(rng, levels ? 7 : 5);
	if (kind == 0)
		return draw_text(rng);
	if (kind == 1)
		return cJSON_CreateNumber((double)(int64_t)rng_next(rng) / 1024);
	if (kind == 2)
		return cJSON_CreateNumber(rng_share(rng) * 1e-7);
	if (kind < 5)
		return kind == 3 ? cJSON_CreateNull() : cJSON_CreateBool(true);
	cJSON *container = kind == 5 ? cJSON_CreateArray() : cJSON_CreateObject();
	for (uint64_t i = 0, n = rng_below(rng, BREADTH); i < n; i++) {
		char key[32];
		snprintf(key, sizeof key, "/~\"\xc3\xa9%d", (int)i);
		cJSON *child = draw_tree(rng, levels - 1);
		if (kind == 5)
			cJSON_AddItemToArray(container, child);
		else
			cJSON_AddItemToObject(container, key, child);
	}
	return container;
}

/* Whatever is printed reads back as an equal tree. */
START_TEST(round_trip)
{
	struct rng rng;
	rng_init(&rng, 31, "json");
	for (int i = 0; i < TREES; i++) {
		struct err err = { 0 };
		cJSON *tree = draw_tree(&rng, LEVELS);
		char *text = json_print(tree);
		cJSON *again = json_parse(slice_of(text), &err);
		ck_assert_msg(again && json_equal(tree, again), "%s: %s", err.text, text);
		cJSON_Delete(tree);
		cJSON_Delete(again);
		free(text);
	}
}
END_TEST

static void *parse_much(void *failures)
{
	struct err err;
	for (int i = 0; i < PARSES; i++) {
		cJSON *tree = json_parse(slice_of("{\"a\":[1,2,3]}"), &err);
		*(int *)failures += !tree;
		cJSON_Delete(tree);
	}
	return NULL;
}

/* Says something under SANITIZE=thread: cJSON itself writes a global whenever it parses. */
START_TEST(threads_at_once)
{
	pthread_t threads[THREADS];
	int failures[THREADS] = { 0 };
	for (int i = 0; i < THREADS; i++)
		ck_assert(!pthread_create(&threads[i], NULL, parse_much, &failures[i]));
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		ck_assert_int_eq(failures[i], 0);
	}
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("json_value");
	tcase_add_test(tests, members);
	tcase_add_loop_test(tests, equal, 0, (int)(sizeof pairs / sizeof *pairs));
	tcase_add_test(tests, round_trip);
	tcase_add_test(tests, threads_at_once);
	Suite *suite = suite_create("base/json_value");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
