#include "case/case_testing.h"

static const struct {
	const char *secrets[4], *text, *masked, *why;
} masks[] = {
	{ { NULL }, "nothing to hide", "nothing to hide", "no secret" },
	{ { "hush" }, "say hush", "say ****", "at the end" },
	{ { "hush" }, "hush hush", "**** ****", "each time" },
	{ { "hush" }, "hushhush", "********", "side by side" },
	{ { "abc", "bcd" }, "xabcdx", "x****x", "two that overlap are hidden to the end" },
	{ { "bcd", "abc" }, "xabcdx", "x****x", "whichever was first" },
	{ { "ab", "abcd" }, "abcd", "****", "the longer one" },
	{ { "abcd", "b" }, "abcd b", "**** ****", "one inside another" },
	{ { "aa" }, "aaaaa", "****", "it overlaps itself" },
	{ { "hush" }, "hus", "hus", "a part is none" },
	{ { "" }, "text", "text", "an empty one hides nothing" },
	{ { "hush" }, "", "", "no text" },
};

START_TEST(masked)
{
	struct world w;
	world_open(&w, false);
	for (size_t i = 0; masks[_i].secrets[i]; i++)
		scope_add_secret(&w.root, masks[_i].secrets[i]);
	ck_assert_msg(strcmp(scope_mask(&w.root, w.arena, masks[_i].text), masks[_i].masked) == 0,
		"%s: %s", masks[_i].why, scope_mask(&w.root, w.arena, masks[_i].text));
	world_close(&w);
}
END_TEST

START_TEST(secrets_of_a_tree)
{
	struct world w;
	world_open(&w, false);
	world_bind(&w, "{\"token\": {\"key\": \"hush\", \"pins\": [1234, true]}}", BINDING_SECRET);
	ck_assert_str_eq(scope_mask(&w.root, w.arena, "hush 1234 true"), "**** **** true");
	ck_assert_ptr_null(scope_mask(&w.root, w.arena, NULL));
	world_close(&w);
}
END_TEST

START_TEST(inner_names_come_first)
{
	struct world w;
	world_open(&w, false);
	world_bind(&w, "{\"a\": 1, \"b\": 2}", BINDING_WRITTEN);
	struct scope *inner = scope_push(w.scope);
	scope_bind(inner, "c", tree_of(&w, "3"), BINDING_WRITTEN);
	ck_assert_int_eq(scope_find(inner, "a", 1)->value->valueint, 1);
	ck_assert_int_eq(scope_find(inner, "cx", 1)->value->valueint, 3);
	ck_assert_ptr_null(scope_find(w.scope, "c", 1));
	ck_assert_ptr_null(scope_find(inner, "ab", 2));
	ck_assert_str_eq(scope_nearest(inner, "cc"), "c");
	world_close(&w);
}
END_TEST

/* A step that runs a thousand times keeps one answer, not a thousand: the sanitizer's leak check sees the others freed. */
START_TEST(bound_anew)
{
	struct world w;
	world_open(&w, false);
	for (int i = 0; i < 1000; i++)
		scope_bind_owned(w.scope, "page", cJSON_CreateNumber(i), BINDING_RECEIVED);
	ck_assert_int_eq(scope_find(w.scope, "page", 4)->value->valueint, 999);
	ck_assert_ptr_null(w.scope->bindings->next);
	scope_bind(w.scope, "page", NULL, BINDING_RECEIVED);
	ck_assert_ptr_null(scope_find(w.scope, "page", 4)->value);
	world_close(&w);
}
END_TEST

/* More names than the table starts with, in two frames. */
START_TEST(many_names)
{
	enum { MANY = 5000 };
	struct world w;
	world_open(&w, false);
	struct scope *inner = scope_push(w.scope);
	for (int i = 0; i < MANY; i++) {
		scope_bind_owned(w.scope, arena_print(w.arena, "outer%d", i), cJSON_CreateNumber(i),
			BINDING_RECEIVED);
		scope_bind_owned(inner, arena_print(w.arena, "inner%d", i), cJSON_CreateNumber(-i),
			BINDING_RECEIVED);
	}
	for (int i = 0; i < MANY; i++) {
		const char *name = arena_print(w.arena, "outer%d", i);
		ck_assert_int_eq((int)scope_find(inner, name, strlen(name))->value->valuedouble, i);
		name = arena_print(w.arena, "inner%d", i);
		ck_assert_int_eq(
			(int)scope_find(inner, name, strlen(name))->value->valuedouble, -i);
		ck_assert_ptr_null(scope_find(w.scope, name, strlen(name)));
	}
	ck_assert_ptr_null(scope_find(inner, "outer5000", 9));
	world_close(&w);
}
END_TEST

/* What a frame is told inside scope_begin and scope_end is still there behind it. */
START_TEST(frames_keep_their_arena)
{
	struct world w;
	world_open(&w, false);
	struct arena *outer = scope_begin(&w.root);
	ck_assert_ptr_eq(outer, w.arena);
	struct scope *inner = scope_push(w.scope);
	scope_bind_owned(inner, "gone", cJSON_CreateString("gone"), BINDING_RECEIVED);
	scope_bind_owned(w.scope, "stays", cJSON_CreateString("here"), BINDING_SECRET);
	scope_end(&w.root, outer);
	ck_assert_ptr_eq(w.root.arena, w.arena);
	ck_assert_str_eq(scope_find(w.scope, "stays", 5)->value->valuestring, "here");
	ck_assert_str_eq(w.root.secrets[0], "here");
	world_close(&w);
}
END_TEST

static const struct {
	const char *name;
	bool reserved;
} words[] = { { "sut", true }, { "env", true }, { "bytes", true }, { "user", true },
	{ "services", true }, { "page", false }, { "", false }, { "Sut", false } };

START_TEST(reserved)
{
	ck_assert_int_eq(scope_reserved(words[_i].name), words[_i].reserved);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("scope");
	tcase_add_loop_test(tests, masked, 0, COUNT(masks));
	tcase_add_test(tests, secrets_of_a_tree);
	tcase_add_test(tests, inner_names_come_first);
	tcase_add_test(tests, bound_anew);
	tcase_add_test(tests, many_names);
	tcase_add_test(tests, frames_keep_their_arena);
	tcase_add_loop_test(tests, reserved, 0, COUNT(words));
	Suite *suite = suite_create("case/scope");
	suite_add_tcase(suite, tests);
	return run_tests(suite);
}
