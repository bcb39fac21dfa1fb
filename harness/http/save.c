#include "http/save.h"

#include "base/buf.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const layer_words[LAYER_COUNT] = { "wire", "dechunked", "decoded" };

static void must(enum rc rc)
{
	if (rc != RC_OK)
		BUG("a saved exchange outgrew its buffer");
}

/* The longest secret that stands at the start of rest, or 0: one may be the start of another. */
static size_t secret_at(struct slice rest, const char *const *secrets)
{
	size_t longest = 0;
	for (size_t i = 0; secrets && secrets[i]; i++)
		if (slice_starts(rest, secrets[i]) && strlen(secrets[i]) > longest)
			longest = strlen(secrets[i]);
	return longest;
}

static void add_masked(struct buf *out, struct slice bytes, const char *const *secrets)
{
	size_t start = 0;
	for (size_t i = 0; i < bytes.len;) {
		size_t secret = secret_at(slice_part(bytes, i, SIZE_MAX), secrets);
		if (!secret) {
			i++;
			continue;
		}
		must(buf_append(out, slice_part(bytes, start, i - start)));
		must(buf_text(out, "****"));
		i += secret;
		start = i;
	}
	must(buf_append(out, slice_part(bytes, start, SIZE_MAX)));
}

static bool is_text(struct slice bytes)
{
	for (size_t i = 0; i < bytes.len; i++)
		if (bytes.ptr[i] < 0x20 && bytes.ptr[i] != '\n' && bytes.ptr[i] != '\r' &&
			bytes.ptr[i] != '\t')
			return false;
	return true;
}

static void add_hex_line(struct buf *out, struct slice bytes, size_t offset)
{
	struct slice line = slice_part(bytes, offset, 16);
	must(buf_print(out, "%08zx ", offset));
	for (size_t i = 0; i < 16; i++)
		must(i < line.len ? buf_print(out, " %02x", line.ptr[i]) : buf_text(out, "   "));
	must(buf_text(out, "  |"));
	for (size_t i = 0; i < line.len; i++) {
		bool shown = line.ptr[i] >= 0x20 && line.ptr[i] < 0x7f;
		must(buf_print(out, "%c", shown ? line.ptr[i] : '.'));
	}
	must(buf_text(out, "|\n"));
}

/* total is the body's length, of which bytes are the start. */
static void add_body(
	struct buf *out, struct slice bytes, uint64_t total, const char *const *secrets)
{
	struct buf masked;
	buf_init(&masked, SIZE_MAX / 2);
	/* Masked before it is cut, so that no part of a secret is left at the end. */
	add_masked(&masked, slice_part(bytes, 0, (size_t)2 * SAVE_BODY_BYTES), secrets);
	struct slice shown = slice_part(buf_slice(&masked), 0, SAVE_BODY_BYTES);
	if (is_text(shown)) {
		must(buf_append(out, shown));
		must(buf_text(out, "\n"));
	} else {
		for (size_t at = 0; at < shown.len; at += 16)
			add_hex_line(out, shown, at);
	}
	if (total > SAVE_BODY_BYTES)
		must(buf_print(out, "# ... %" PRIu64 " bytes in all\n", total));
	buf_release(&masked);
}

static void add_time(struct buf *out, const char *word, int64_t start_ns, int64_t at_ns)
{
	if (at_ns)
		must(buf_print(
			out, ", %s %.3f ms", word, (double)(at_ns - start_ns) / (double)1000000));
}

static void add_facts(struct buf *out, const struct exchange *x, const char *const *secrets)
{
	const struct timing *t = &x->timing;
	struct buf text;
	buf_init(&text, SIZE_MAX / 2);
	must(buf_print(&text, "# %s %s%s\n", x->method, x->origin, x->target));
	must(buf_print(&text, "# connection %s%s", x->reused ? "reused" : "new",
		x->closed ? ", closed" : ""));
	add_time(&text, "sent", t->start_ns, t->sent_ns);
	add_time(&text, "first byte", t->start_ns, t->first_byte_ns);
	add_time(&text, "headers", t->start_ns, t->headers_ns);
	add_time(&text, "end", t->start_ns, t->end_ns);
	must(buf_text(&text, "\n#"));
	for (size_t i = 0; i < LAYER_COUNT; i++)
		must(buf_print(
			&text, "%s %s %" PRIu64, i ? "," : "", layer_words[i], x->layers[i].bytes));
	must(buf_text(&text, " bytes\n"));
	if (x->failure != FAILURE_NONE)
		must(buf_print(&text, "# failure: %s\n", x->failure_text));
	if (x->coding_error)
		must(buf_print(&text, "# coding: %s\n", x->coding_error));
	for (size_t i = 0; i < x->violation_count; i++)
		must(buf_print(&text, "# violation %s: %s\n", x->violations[i].name,
			x->violations[i].text));
	add_masked(out, buf_slice(&text), secrets);
	buf_release(&text);
}

static void add_sent(struct buf *out, const struct exchange *x, const char *const *secrets)
{
	size_t end = slice_find(x->sent, slice_of("\r\n\r\n"));
	struct slice head = slice_part(x->sent, 0, end == SIZE_MAX ? end : end + 4);
	struct slice body = slice_part(x->sent, head.len, SIZE_MAX);
	must(buf_text(out, "\n"));
	add_masked(out, head, secrets);
	if (body.len)
		add_body(out, body, x->sent_body_bytes > body.len ? x->sent_body_bytes : body.len,
			secrets);
}

static void add_trailers(struct buf *out, const struct exchange *x, const char *const *secrets)
{
	for (size_t i = 0; i < x->trailers.count; i++) {
		must(buf_text(out, "# trailer "));
		add_masked(out, x->trailers.list[i].name, secrets);
		must(buf_text(out, ": "));
		add_masked(out, x->trailers.list[i].value, secrets);
		must(buf_text(out, "\n"));
	}
}

static enum rc write_file(const char *path, struct slice bytes, struct err *err)
{
	FILE *file = fopen(path, "we");
	if (!file)
		return err_errno(err, RC_ENVIRONMENT, path, "cannot be written");
	bool ok = fwrite(bytes.ptr, 1, bytes.len, file) == bytes.len && fflush(file) == 0;
	enum rc rc =
		ok ? RC_OK : err_errno(err, RC_ENVIRONMENT, path, "cannot be written to the end");
	if (fclose(file) != 0 && rc == RC_OK)
		rc = err_errno(err, RC_ENVIRONMENT, path, "cannot be written to the end");
	return rc;
}

enum rc exchange_save(const struct exchange *exchange, const char *path, const char *const *secrets,
	struct err *err)
{
	const struct layer *body = &exchange->layers[LAYER_DECODED];
	struct buf out;
	buf_init(&out, SIZE_MAX / 2);
	add_facts(&out, exchange, secrets);
	add_sent(&out, exchange, secrets);
	must(buf_text(&out, "\n"));
	add_masked(&out, exchange->head, secrets);
	if (body->bytes)
		add_body(&out, body->kept, body->bytes, secrets);
	add_trailers(&out, exchange, secrets);
	enum rc rc = write_file(path, buf_slice(&out), err);
	buf_release(&out);
	return rc;
}
