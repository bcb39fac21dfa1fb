/*
 * Fuzzes framing.c: any cut of the same bytes gives the same outcome. The first byte of the input chooses the request's
 * method and the cuts.
 */
#include "http/framing.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct outcome {
	struct arena *arena;
	struct framing framing;
	struct buf wire, content;
};

static void on_head(void *self)
{
	(void)self;
}

static void on_wire(void *self, struct slice bytes)
{
	struct outcome *o = self;
	if (buf_append(&o->wire, bytes) != RC_OK)
		abort();
}

static void on_content(void *self, struct slice bytes)
{
	struct outcome *o = self;
	if (buf_append(&o->content, bytes) != RC_OK)
		abort();
}

static void run(struct outcome *o, const char *method, struct slice bytes, size_t piece)
{
	const struct framing_sink sink = { o, on_head, on_wire, on_content };
	o->arena = arena_new();
	buf_init(&o->wire, SIZE_MAX / 2);
	buf_init(&o->content, SIZE_MAX / 2);
	framing_init(&o->framing, o->arena, method, &sink);
	while (bytes.len) {
		size_t len = piece < bytes.len ? piece : bytes.len;
		void *copy = mem_alloc(len, 1);
		memcpy(copy, bytes.ptr, len);
		framing_push(&o->framing, slice_from(copy, len));
		free(copy);
		bytes = slice_part(bytes, len, SIZE_MAX);
	}
	framing_eof(&o->framing);
}

static void release(struct outcome *o)
{
	framing_release(&o->framing);
	arena_free(o->arena);
	buf_release(&o->wire);
	buf_release(&o->content);
}

static bool same_headers(const struct headers *a, const struct headers *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (!slice_equal(a->list[i].name, b->list[i].name) ||
			!slice_equal(a->list[i].value, b->list[i].value))
			return false;
	return true;
}

static bool same(const struct outcome *a, const struct outcome *b)
{
	const struct framing *f = &a->framing, *g = &b->framing;
	if (f->violations.count != g->violations.count)
		return false;
	for (size_t i = 0; i < f->violations.count; i++)
		if (f->violations.list[i].name != g->violations.list[i].name)
			return false;
	return f->state == g->state && f->rule == g->rule && f->interim == g->interim &&
	       f->head.status == g->head.status && f->surplus_bytes == g->surplus_bytes &&
	       same_headers(&f->head.headers, &g->head.headers) &&
	       same_headers(&f->trailers, &g->trailers) &&
	       slice_equal(buf_slice(&a->wire), buf_slice(&b->wire)) &&
	       slice_equal(buf_slice(&a->content), buf_slice(&b->content));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const methods[] = { "GET", "HEAD", "CONNECT", "GET" };
	struct outcome whole = { 0 }, cut = { 0 };
	if (!size)
		return 0;
	const char *method = methods[data[0] & 3];
	const size_t pieces[] = { 1, 2 + (data[0] >> 2) };
	run(&whole, method, slice_from(data + 1, size - 1), SIZE_MAX);
	for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
		run(&cut, method, slice_from(data + 1, size - 1), pieces[i]);
		if (!same(&whole, &cut))
			abort();
		release(&cut);
	}
	release(&whole);
	return 0;
}
