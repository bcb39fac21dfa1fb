#include <check.h>
#include <stdlib.h>

#include "drive/view.h"

#define SLICE(t)                                                                                   \
	{                                                                                          \
		(const uint8_t *)(t), sizeof(t) - 1                                                \
	}

/* An exchange as http/ fills it: names in any case, two lines of one field. */
static struct exchange *exchange_of(struct slice body, bool whole)
{
	static struct header lines[] = { { SLICE("ETag"), SLICE("\"v1\"") },
		{ SLICE("Vary"), SLICE("Accept-Encoding") }, { SLICE("vary"), SLICE("Origin") },
		{ SLICE("X-Empty"), SLICE("") } };
	struct arena *arena = arena_new();
	struct exchange *x = arena_alloc(arena, 1, sizeof *x);
	x->arena = arena;
	x->status = 200;
	x->headers = (struct headers){ lines, sizeof lines / sizeof *lines };
	x->layers[LAYER_WIRE].bytes = 1234567;
	x->layers[LAYER_DECHUNKED].bytes = 1000;
	x->layers[LAYER_DECODED] =
		(struct layer){ .bytes = body.len, .kept = body, .whole = whole };
	x->timing = (struct timing){ .start_ns = 1000,
		.headers_ns = 1501000,
		.first_byte_ns = 1001000,
		.end_ns = 3000001000 };
	return x;
}

static const struct {
	struct slice body;
	bool whole;
	const char *text; /* the member `body`, or NULL: there is none */
	const char *why;
} bodies[] = {
	{ SLICE("hello"), true, "hello", "text" },
	{ SLICE(""), true, "", "empty" },
	{ { NULL, 0 }, true, "", "none" },
	{ SLICE("a\0b"), true, NULL, "bytes" },
	{ SLICE("hel"), false, NULL, "cut off" },
};

START_TEST(bodies_as_text)
{
	struct exchange *x = exchange_of(bodies[_i].body, bodies[_i].whole);
	cJSON *view = view_exchange(x);
	const char *text = json_text(view, "body");
	if (bodies[_i].text)
		ck_assert_pstr_eq(text, bodies[_i].text);
	else
		ck_assert_msg(!text, "%s: %s", bodies[_i].why, text);
	cJSON_Delete(view);
	exchange_free(x);
}
END_TEST

START_TEST(everything_else)
{
	struct exchange *x = exchange_of(slice_of(""), true);
	cJSON *view = view_exchange(x);
	cJSON_DeleteItemFromObject(view, "body");
	char *text = json_print(view);
	ck_assert_str_eq(text,
		"{\"status\":200,"
		"\"headers\":{\"ETag\":\"\\\"v1\\\"\",\"Vary\":\"Accept-Encoding, Origin\","
		"\"X-Empty\":\"\"},"
		"\"bytes\":{\"wire\":\"1234567B\",\"dechunked\":\"1000B\",\"decoded\":\"0B\"},"
		"\"time\":{\"headers\":\"1500us\",\"first_byte\":\"1000us\",\"total\":"
		"\"3000000us\"}}");
	free(text);
	cJSON_Delete(view);
	exchange_free(x);
}
END_TEST

/* What did not happen has no time. */
START_TEST(no_answer)
{
	struct exchange *x = exchange_of(slice_of(""), true);
	x->timing = (struct timing){ .start_ns = 1000 };
	cJSON *time = view_time(x);
	ck_assert_int_eq(cJSON_GetArraySize(time), 0);
	cJSON_Delete(time);
	exchange_free(x);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("view");
	tcase_add_loop_test(tests, bodies_as_text, 0, sizeof bodies / sizeof *bodies);
	tcase_add_test(tests, everything_else);
	tcase_add_test(tests, no_answer);
	Suite *suite = suite_create("drive/view");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
