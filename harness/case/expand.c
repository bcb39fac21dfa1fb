#include "case/expand.h"

#include <stdlib.h>
#include <string.h>

#include "case/frames.h"
#include "case/option.h"
#include "case/outgoing.h"
#include "case/walk.h"

enum { BODY_SHOWN_BYTES = 200 };

struct expansion {
	const struct case_file *one;
	FILE *out;
	struct walker walker;
	struct err *err;
};

/* What came from the environment is a secret here as well. */
static void print_line(const struct expansion *e, const struct scope_root *root, const char *text)
{
	fprintf(e->out, "  %s\n", scope_mask(root, root->arena, text));
}

static bool is_text(struct slice bytes)
{
	for (size_t i = 0; i < bytes.len; i++)
		if (bytes.ptr[i] < ' ' && bytes.ptr[i] != '\t' && bytes.ptr[i] != '\n' &&
			bytes.ptr[i] != '\r')
			return false;
	return true;
}

static void print_body(
	const struct expansion *e, const struct scope_root *root, const struct outgoing *request)
{
	struct arena *arena = root->arena;
	struct slice body = request->body, shown = slice_part(body, 0, BODY_SHOWN_BYTES);
	fputc('\n', e->out);
	if (request->file)
		print_line(e, root,
			arena_print(arena, "(%llu bytes of %s)",
				(unsigned long long)request->file_bytes, request->file));
	else if (!is_text(shown))
		print_line(e, root, arena_print(arena, "(%zu bytes)", body.len));
	else
		/* Masked before it is cut, so that no part of a secret stays. */
		fprintf(e->out, "  %.*s%s\n", (int)BODY_SHOWN_BYTES,
			scope_mask(root, arena, arena_slice(arena, body)),
			body.len > BODY_SHOWN_BYTES ? "..." : "");
}

static void print_request(
	const struct expansion *e, const struct scope_root *root, const struct outgoing *request)
{
	struct arena *arena = root->arena;
	print_line(e, root, arena_print(arena, "%s %s", request->method, request->target));
	for (size_t i = 0; i < request->header_count; i++)
		print_line(e, root,
			arena_print(arena, "%s: %s", request->headers[i].name,
				request->headers[i].value));
	if (request->without_host)
		print_line(e, root, "(without Host)");
	if (request->body.ptr || request->file)
		print_body(e, root, request);
}

/* Lines as they are written; everything else of `raw` as JSON. */
static enum rc print_raw(struct expansion *e, const struct walk_step *at)
{
	cJSON *items;
	const cJSON *item;
	enum rc rc = option_get(at->scope, at->step, "raw", &items, e->err);
	if (rc != RC_OK)
		return rc;
	cJSON_ArrayForEach (item, items) {
		char *text = json_print(item);
		print_line(e, at->scope->root, cJSON_IsString(item) ? item->valuestring : text);
		free(text);
	}
	return RC_OK;
}

static enum rc visit(void *self, const struct walk_step *at)
{
	struct expansion *e = self;
	const struct step *step = at->step;
	if (step->verb == VERB_GROUP)
		return walk_steps(&e->walker, step->steps, step->step_count, at->scope, at->cell);
	fprintf(e->out, "%s%s  %s%s%s\n", e->one->id, step->place.pointer, step->word,
		at->cell.label[0] ? "  " : "", at->cell.label);
	if (step->verb == VERB_REQUEST) {
		struct outgoing request;
		enum rc rc = outgoing_build(at->scope, e->one, step, &request, e->err);
		if (rc != RC_OK)
			return rc;
		print_request(e, at->scope->root, &request);
	}
	enum rc rc = step->verb == VERB_RAW ? print_raw(e, at) : walk_below(&e->walker, at);
	walk_declare(at);
	return rc;
}

static void broken(void *self, const struct step *step, const struct err *err)
{
	struct expansion *e = self;
	fprintf(e->out, "%s%s  %s: %s\n", e->one->id, step->place.pointer, step->word, err->text);
}

enum rc expand_case(const struct case_file *one, const struct suite *suite, uint64_t seed,
	FILE *out, struct err *err)
{
	struct rng rng;
	struct arena *arena = arena_new();
	struct scope_root root = {
		.arena = arena, .lasting = arena, .rng = &rng, .unique = "unique"
	};
	struct expansion e = { .one = one, .out = out, .err = err };
	struct cells cells;
	e.walker = (struct walker){ .self = &e, .visit = visit, .broken = broken };
	rng_init(&rng, seed, one->id);
	struct scope *outer = frames_outer(&root, suite, one, seed, true);
	enum rc rc = cells_expand(outer, one->matrix, &cells, err);
	for (size_t i = 0; rc == RC_OK && i < cells.count; i++) {
		/* As in a run, generators run anew in each cell. */
		struct arena *before = scope_begin(&root);
		struct scope *scope = scope_push(frames_outer(&root, suite, one, seed, true));
		cell_bind(scope, &cells.list[i]);
		rc = walk_steps(&e.walker, one->steps, one->step_count, scope,
			cell_text(root.arena, cell_text_none, &cells.list[i]));
		scope_end(&root, before);
	}
	arena_free(arena);
	return rc;
}
