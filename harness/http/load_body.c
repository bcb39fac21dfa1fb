#include "http/load_body.h"

#include "http/limits.h"

static void on_decoded(void *self, struct slice bytes)
{
	struct load_body *body = self;
	body->decoded_bytes += bytes.len;
}

void load_body_open(struct load_body *body, bool chunked, const char *codings)
{
	struct err unused;
	load_body_release(body);
	*body = (struct load_body){ .open = true, .chunked = chunked };
	if (chunked) {
		body->arena = arena_new();
		framing_violations_init(&body->violations, body->arena);
		chunked_init(&body->chunks, &body->violations, HTTP_HEAD_MAX_BYTES);
	}
	if (!codings[0])
		return;
	body->coding = coding_new(codings, on_decoded, body, &unused);
	body->broken = !body->coding;
}

static void push_content(struct load_body *body, struct slice bytes)
{
	struct err unused;
	if (!body->coding)
		body->decoded_bytes += bytes.len;
	else if (bytes.len && coding_push(body->coding, bytes, &unused) != RC_OK)
		body->broken = true;
}

void load_body_push(struct load_body *body, struct slice bytes)
{
	if (!body->open || body->broken)
		return;
	if (!body->chunked) {
		push_content(body, bytes);
		return;
	}
	while (bytes.len && body->chunks.state < CHUNKED_DONE && !body->broken) {
		struct slice data = { 0 };
		chunked_push(&body->chunks, &bytes, &data);
		push_content(body, data);
	}
	if (body->chunks.state > CHUNKED_DONE)
		body->broken = true;
}

void load_body_close(struct load_body *body)
{
	struct err unused;
	if (!body->open)
		return;
	if (body->chunked && body->chunks.state != CHUNKED_DONE)
		body->broken = true;
	if (body->coding && !body->broken && coding_end(body->coding, &unused) != RC_OK)
		body->broken = true;
	load_body_release(body);
}

void load_body_release(struct load_body *body)
{
	if (!body->open)
		return;
	if (body->chunked) {
		chunked_release(&body->chunks);
		arena_free(body->arena);
	}
	coding_free(body->coding);
	body->coding = NULL;
	body->open = false;
}
