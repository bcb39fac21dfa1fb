#include "base/arena.h"

#include <check.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"

enum { PIECES = 3000, SIZE_SPAN = 300, LARGE = 1 << 20 };

struct piece {
	uint8_t *at;
	size_t size;
};

/* How many bytes of the piece are something else; one assertion a byte would take minutes. */
static size_t unlike(struct piece piece, uint8_t byte)
{
	size_t count = 0;
	for (size_t i = 0; i < piece.size; i++)
		count += piece.at[i] != byte;
	return count;
}

/* Pieces of any size are zeroed, aligned and apart: each keeps what was written to it while all others are written. */
START_TEST(pieces_are_apart)
{
	struct arena *arena = arena_new();
	struct piece *pieces = mem_alloc(PIECES, sizeof *pieces);
	struct rng rng;
	rng_init(&rng, 19, "arena");
	for (size_t i = 0; i < PIECES; i++) {
		size_t size = (size_t)rng_below(&rng, i % 100 ? SIZE_SPAN : 20000);
		pieces[i] = (struct piece){ arena_alloc(arena, size, 1), size };
		ck_assert_uint_eq((uintptr_t)pieces[i].at % _Alignof(max_align_t), 0);
		ck_assert_uint_eq(unlike(pieces[i], 0), 0);
		memset(pieces[i].at, (int)(i % 256), size);
	}
	for (size_t i = 0; i < PIECES; i++)
		ck_assert_uint_eq(unlike(pieces[i], (uint8_t)(i % 256)), 0);
	free(pieces);
	arena_free(arena);
}
END_TEST

START_TEST(texts)
{
	struct arena *arena = arena_new();
	char original[] = "text";
	char *copy = arena_text(arena, original);
	original[0] = 'T';
	ck_assert_str_eq(copy, "text");
	ck_assert_str_eq(arena_slice(arena, slice_from("abcdef", 3)), "abc");
	ck_assert_str_eq(arena_slice(arena, slice_from(NULL, 0)), "");
	ck_assert_mem_eq(arena_slice(arena, slice_from("a\0b", 3)), "a\0b", 4);
	ck_assert_str_eq(arena_print(arena, "%s:%d", "file", 12), "file:12");
	ck_assert_str_eq(arena_print(arena, "%s", ""), "");
	ck_assert_uint_eq(strlen(arena_print(arena, "%*d", LARGE, 1)), LARGE);
	arena_free(arena);
	arena_free(NULL);
}
END_TEST

static void note(void *object)
{
	struct piece *notes = object;
	notes->size = notes->size * 10 + 1;
}

static void note_other(void *object)
{
	struct piece *notes = object;
	notes->size = notes->size * 10 + 2;
}

START_TEST(deferred_last_first)
{
	struct piece notes = { 0 };
	struct arena *arena = arena_new();
	arena_defer(arena, note, &notes);
	arena_defer(arena, note_other, &notes);
	arena_defer(arena, note_other, &notes);
	ck_assert_uint_eq(notes.size, 0);
	arena_free(arena);
	ck_assert_uint_eq(notes.size, 221);
}
END_TEST

START_TEST(lists_grow)
{
	struct arena *arena = arena_new();
	size_t room = 0, rooms = 0;
	int *list = NULL;
	for (int i = 0; i < 1000; i++) {
		size_t before = room;
		list = arena_grow(arena, list, (size_t)i, &room, 3, sizeof *list);
		list[i] = i;
		rooms += room != before;
	}
	/* 3, 6, 12 ... 1536: doubled nine times. */
	ck_assert_uint_eq(room, 1536);
	ck_assert_uint_eq(rooms, 10);
	for (int i = 0; i < 1000; i++)
		ck_assert_int_eq(list[i], i);
	arena_free(arena);
}
END_TEST

START_TEST(overflow_aborts)
{
	struct arena *arena = arena_new();
	ck_assert_ptr_null(arena_alloc(arena, SIZE_MAX / 4, 8));
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("arena");
	tcase_add_test(tests, pieces_are_apart);
	tcase_add_test(tests, texts);
	tcase_add_test(tests, deferred_last_first);
	tcase_add_test(tests, lists_grow);
	tcase_add_test_raise_signal(tests, overflow_aborts, SIGABRT);
	Suite *suite = suite_create("base/arena");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
