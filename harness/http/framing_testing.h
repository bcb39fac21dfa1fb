/*
 * framing_testing: what the tests of framing share: an answer in a row of a table, pushed in any cut, and what came out.
 */
#ifndef HTTP_FRAMING_TESTING_H
#define HTTP_FRAMING_TESTING_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "http/framing.h"

/* What came out of one answer, in words that a table can hold. */
struct outcome {
	struct framing framing;
	struct arena *arena;
	struct buf wire, content;
	int heads;
};

static void on_head(void *self)
{
	struct outcome *o = self;
	o->heads++;
}

static void on_wire(void *self, struct slice bytes)
{
	struct outcome *o = self;
	ck_assert_int_eq(buf_append(&o->wire, bytes), RC_OK);
}

static void on_content(void *self, struct slice bytes)
{
	struct outcome *o = self;
	ck_assert_int_eq(buf_append(&o->content, bytes), RC_OK);
}

static inline void outcome_init(struct outcome *o, const char *method)
{
	const struct framing_sink sink = { o, on_head, on_wire, on_content };
	*o = (struct outcome){ .arena = arena_new() };
	buf_init(&o->wire, 1 << 22);
	buf_init(&o->content, 1 << 22);
	framing_init(&o->framing, o->arena, method, &sink);
}

static inline void outcome_release(struct outcome *o)
{
	framing_release(&o->framing);
	arena_free(o->arena);
	buf_release(&o->wire);
	buf_release(&o->content);
}

/* The names of the violations, joined by spaces. */
static inline void names_of(const struct outcome *o, char *text, size_t size)
{
	size_t len = 0;
	text[0] = 0;
	for (size_t i = 0; i < o->framing.violations.count; i++)
		len += (size_t)snprintf(text + len, size - len, "%s%s", i ? " " : "",
			o->framing.violations.list[i].name);
}

#define OK      "HTTP/1.1 200 OK\r\n"
#define CHUNKED OK "Transfer-Encoding: chunked\r\n\r\n"
#define TEXT(t) t, sizeof(t) - 1

struct row {
	const char *why, *method;
	const char *bytes;
	size_t len;
	enum framing_state state; /* before the end of the connection */
	enum framing_rule rule;
	int status;
	const char *content;    /* all of it */
	const char *violations; /* in order, the end of the connection included */
};

enum cut { WHOLE, BYTES, RANDOM };

static inline size_t next_cut(enum cut cut, struct rng *rng, size_t left)
{
	if (cut == WHOLE)
		return left;
	size_t size = cut == BYTES ? 1 : 1 + (size_t)rng_below(rng, 7);
	return size < left ? size : left;
}

static inline void feed(struct outcome *o, struct slice bytes, enum cut cut, struct rng *rng)
{
	while (bytes.len) {
		size_t size = next_cut(cut, rng, bytes.len);
		/* A copy of exactly that size, so that a sanitizer sees a read past it. */
		void *copy = malloc(size);
		memcpy(copy, bytes.ptr, size);
		framing_push(&o->framing, slice_from(copy, size));
		free(copy);
		bytes = slice_part(bytes, size, SIZE_MAX);
	}
}

static inline void check_row(const struct row *row, enum cut cut, struct rng *rng)
{
	struct outcome o = { 0 };
	char names[512];
	outcome_init(&o, row->method);
	feed(&o, slice_from(row->bytes, row->len), cut, rng);
	ck_assert_msg(o.framing.state == row->state, "%s (cut %d): state %d, expected %d", row->why,
		cut, o.framing.state, row->state);
	framing_eof(&o.framing);
	names_of(&o, names, sizeof names);
	ck_assert_msg(strcmp(names, row->violations) == 0,
		"%s (cut %d): violations %s, expected %s", row->why, cut, names, row->violations);
	ck_assert_msg(o.framing.rule == row->rule, "%s: rule %d", row->why, o.framing.rule);
	ck_assert_msg(o.framing.head.status == row->status, "%s: status %d", row->why,
		o.framing.head.status);
	ck_assert_msg(o.heads == (row->status ? 1 : 0), "%s: %d heads", row->why, o.heads);
	ck_assert_msg(slice_is(buf_slice(&o.content), row->content), "%s: content %.*s", row->why,
		SLICE_PRINT(buf_slice(&o.content)));
	outcome_release(&o);
}

/* Whole, byte by byte and in random cuts. */
static inline void check_cuts(const struct row *row)
{
	struct rng rng;
	rng_init(&rng, 1, "framing");
	check_row(row, WHOLE, &rng);
	check_row(row, BYTES, &rng);
	for (int i = 0; i < 20; i++)
		check_row(row, RANDOM, &rng);
}

#endif
