/*
 * matcher_fixture: what the tests of matchers hold them against: a step "page" that has run, a file "file:hello", and
 * subjects made from text. For tests alone.
 */
#ifndef EXPECT_MATCHER_FIXTURE_H
#define EXPECT_MATCHER_FIXTURE_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "expect/matcher.h"

struct fixture {
	struct arena *arena;
	struct exchange page, own;
	struct judge_world world;
	struct judgement j;
	char path[64];
};

static inline const struct exchange *find_step(void *self, const char *name)
{
	struct fixture *f = self;
	return strcmp(name, "page") == 0 ? &f->page : NULL;
}

static inline const char *find_path(
	void *self, const char *reference, struct arena *arena, struct err *err)
{
	struct fixture *f = self;
	if (!strcmp(reference, "file:hello"))
		return arena_text(arena, f->path);
	err_set(err, RC_USAGE, "", "expected a file, found nothing");
	return NULL;
}

static inline void release_digest(void *digest)
{
	digest_release(digest);
}

/* All three layers hold the text. */
static inline void fill_layers(struct fixture *f, struct exchange *x, struct slice body)
{
	struct digest *digest = arena_alloc(f->arena, 1, sizeof *digest);
	digest_init(digest);
	digest_push(digest, body);
	digest_end(digest);
	arena_defer(f->arena, release_digest, digest);
	for (int i = 0; i < LAYER_COUNT; i++)
		x->layers[i] = (struct layer){
			.bytes = body.len,
			.kept = body,
			.whole = true,
			.digest = *digest,
		};
}

static inline struct headers headers_of(struct arena *arena, const char *text)
{
	struct headers headers = { .list = arena_alloc(arena, 16, sizeof *headers.list) };
	struct slice rest = slice_of(arena_text(arena, text)), line;
	while (slice_next(&rest, '\n', &line)) {
		size_t colon = slice_find_byte(line, ':');
		headers.list[headers.count++] = (struct header){
			.name = slice_part(line, 0, colon),
			.value = slice_trim(slice_part(line, colon + 1, SIZE_MAX)),
		};
	}
	return headers;
}

static inline void set_up(struct fixture *f)
{
	memset(f, 0, sizeof *f);
	f->arena = arena_new();
	f->world = (struct judge_world){ f, find_step, find_path };
	snprintf(f->path, sizeof f->path, "/tmp/onus-matcher-XXXXXX");
	int fd = mkstemp(f->path);
	ck_assert(fd >= 0 && write(fd, "hello\n", 6) == 6 && close(fd) == 0);
	fill_layers(f, &f->page, slice_of("{\"id\": 7, \"list\": [1, 2]}"));
	f->page.headers = headers_of(f->arena, "ETag: \"a\"\nDate: today\nX-Two: 1\nx-two: 2");
	judgement_init(&f->j, f->arena, &f->world);
	f->j.exchange = &f->own;
}

static inline void tear_down(struct fixture *f)
{
	unlink(f->path);
	arena_free(f->arena);
}

static inline struct subject field_of(struct fixture *f, const char *text)
{
	struct slice rest = slice_of(text), line;
	char *headers = arena_text(f->arena, text[0] ? "" : "F:");
	while (slice_next(&rest, '\n', &line))
		headers = arena_print(f->arena, "%sF: %.*s\n", headers, SLICE_PRINT(line));
	f->own.headers = headers_of(f->arena, headers);
	return subject_field(&f->j, &f->own.headers, "f");
}

static inline struct subject subject_of(
	struct fixture *f, enum matcher_place place, const char *text, const cJSON *json)
{
	if (!text)
		return subject_absent(NULL);
	switch (place) {
	case PLACE_HEADER: return field_of(f, text);
	case PLACE_FIELDS: f->own.headers = headers_of(f->arena, text); break;
	case PLACE_BODY:
		fill_layers(f, &f->own, slice_of(text));
		return subject_layer(&f->own.layers[LAYER_DECODED]);
	case PLACE_TEXT: return subject_text(slice_of(text));
	case PLACE_NUMBER: return subject_number(strtod(text, NULL));
	case PLACE_JSON:
	case PLACE_VALUE: return subject_json(json);
	}
	return subject_fields(&f->own.headers);
}

#endif
