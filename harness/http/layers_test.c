#include "http/layers.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "http/coding_vectors.h"
#include "http/limits.h"

enum { KEPT = 256 * 1024 };

struct row {
	const char *why, *coding;
	bool chunked;
	bool shared_dechunked, shared_decoded; /* equal by construction */
	const char *error;
};

static const struct row rows[] = {
	{ "as it is", NULL, false, true, true, NULL },
	{ "chunked", NULL, true, false, true, NULL },
	{ "coded", "gzip", false, true, false, NULL },
	{ "both", "gzip", true, false, false, NULL },
	{ "a coding that is not known leaves the body as it is", "frob", true, false, true,
		"\"frob\" is no coding that onus knows" },
};

START_TEST(layers_are_shared)
{
	const struct row *row = &rows[_i];
	struct layers layers;
	struct layer out[LAYER_COUNT];
	struct arena *arena = arena_new();
	bool gzip = row->coding && strcmp(row->coding, "gzip") == 0;
	struct slice coded = slice_from(vector_gzip, sizeof vector_gzip);
	struct slice content = gzip ? coded : slice_of(VECTOR_TEXT);
	layers_init(&layers, arena, KEPT);
	layers_begin(&layers, row->chunked, row->coding);
	layers_wire(&layers, content);
	layers_content(&layers, content);
	layers_end(&layers, true, out);
	ck_assert_msg(
		(out[0].kept.ptr == out[1].kept.ptr) == row->shared_dechunked, "%s", row->why);
	ck_assert_msg((out[1].kept.ptr == out[2].kept.ptr) == row->shared_decoded, "%s", row->why);
	ck_assert(slice_is(out[LAYER_DECODED].kept, VECTOR_TEXT));
	const char *error = layers_error(&layers);
	ck_assert(row->error ? error && strcmp(error, row->error) == 0 : !error);
	layers_release(&layers);
	arena_free(arena);
}
END_TEST

START_TEST(beyond_the_cap_the_start_is_kept)
{
	struct layers layers;
	struct layer out[LAYER_COUNT];
	struct arena *arena = arena_new();
	static uint8_t bytes[KEPT];
	struct digest expected;
	memset(bytes, 'x', sizeof bytes);
	layers_init(&layers, arena, KEPT);
	layers_begin(&layers, false, NULL);
	digest_init(&expected);
	layers_wire(&layers, slice_from(bytes, KEPT));
	digest_push(&expected, slice_from(bytes, KEPT));
	layers_wire(&layers, slice_of("y"));
	digest_push(&expected, slice_of("y"));
	digest_end(&expected);
	layers_end(&layers, true, out);
	ck_assert(!out[0].whole);
	ck_assert_uint_eq(out[0].bytes, KEPT + 1);
	ck_assert_uint_eq(out[0].kept.len, HTTP_KEPT_START_BYTES);
	ck_assert_uint_eq(digest_differ(&out[0].digest, &expected), UINT64_MAX);
	digest_release(&expected);
	layers_release(&layers);
	arena_free(arena);
}
END_TEST

START_TEST(a_cut_stream_is_an_error_of_a_complete_body_only)
{
	for (int complete = 0; complete < 2; complete++) {
		struct layers layers;
		struct layer out[LAYER_COUNT];
		struct arena *arena = arena_new();
		layers_init(&layers, arena, KEPT);
		layers_begin(&layers, false, "gzip");
		layers_content(&layers, slice_from(vector_gzip, sizeof vector_gzip - 1));
		layers_end(&layers, complete, out);
		ck_assert((layers_error(&layers) != NULL) == complete);
		layers_release(&layers);
		arena_free(arena);
	}
}
END_TEST

static void feed(struct layers *layers, z_stream *stream, uint8_t *plain, size_t size, int flush)
{
	uint8_t coded[4096];
	stream->next_in = plain;
	stream->avail_in = (uInt)size;
	do {
		stream->next_out = coded;
		stream->avail_out = sizeof coded;
		deflate(stream, flush);
		struct slice bytes = slice_from(coded, sizeof coded - stream->avail_out);
		layers_wire(layers, bytes);
		layers_content(layers, bytes);
	} while (stream->avail_out == 0);
}

static size_t held(const struct layers *layers)
{
	size_t bytes = 0;
	for (size_t i = 0; i < LAYER_COUNT; i++)
		bytes += layers->stores[i].bytes.cap;
	return bytes;
}

/* 100 MB of noise, gzipped as it goes: no layer fits, and none may be held. */
START_TEST(hundred_megabytes_stay_small)
{
	enum { PIECE = 1 << 16, PIECES = 1600 };
	static uint8_t plain[PIECE];
	struct layers layers;
	struct layer out[LAYER_COUNT];
	struct arena *arena = arena_new();
	z_stream stream = { 0 };
	uint32_t noise = 1;
	ck_assert_int_eq(deflateInit2(&stream, 1, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
	layers_init(&layers, arena, HTTP_KEPT_BYTES);
	layers_begin(&layers, true, "gzip");
	for (int i = 0; i < PIECES; i++) {
		for (size_t at = 0; at < PIECE; at++) {
			noise = noise * 1664525 + 1013904223;
			plain[at] = (uint8_t)(noise >> 24);
		}
		feed(&layers, &stream, plain, PIECE, i == PIECES - 1 ? Z_FINISH : Z_NO_FLUSH);
		ck_assert_uint_le(held(&layers), (size_t)LAYER_COUNT * (HTTP_KEPT_BYTES + 1));
	}
	deflateEnd(&stream);
	layers_end(&layers, true, out);
	ck_assert_ptr_null(layers_error(&layers));
	ck_assert_uint_eq(out[LAYER_DECODED].bytes, (uint64_t)PIECE * PIECES);
	ck_assert(!out[LAYER_DECODED].whole);
	ck_assert_uint_eq(out[LAYER_DECODED].kept.len, HTTP_KEPT_START_BYTES);
	layers_release(&layers);
	arena_free(arena);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("layers");
	TCase *tests = tcase_create("layers");
	tcase_set_timeout(tests, 60);
	tcase_add_loop_test(tests, layers_are_shared, 0, sizeof rows / sizeof *rows);
	tcase_add_test(tests, beyond_the_cap_the_start_is_kept);
	tcase_add_test(tests, a_cut_stream_is_an_error_of_a_complete_body_only);
	tcase_add_test(tests, hundred_megabytes_stay_small);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
