#include "case/expand.h"

#include "case/frames.h"
#include "case/outgoing.h"
#include "case/walk.h"

enum { BODY_SHOWN_BYTES = 200 };

struct expansion {
	const struct case_file *one;
	FILE *out;
	struct walker walker;
	struct err *err;
};

static void print_request(FILE *out, const struct outgoing *request)
{
	fprintf(out, "  %s %s\n", request->method, request->target);
	for (size_t i = 0; i < request->header_count; i++)
		fprintf(out, "  %s: %s\n", request->headers[i].name, request->headers[i].value);
	if (request->without_host)
		fputs("  (without Host)\n", out);
	if (request->file)
		fprintf(out, "\n  (%zu bytes of %s)\n", request->body.len, request->file);
	else if (request->body.ptr)
		fprintf(out, "\n  %.*s%s\n",
			SLICE_PRINT(slice_part(request->body, 0, BODY_SHOWN_BYTES)),
			request->body.len > BODY_SHOWN_BYTES ? "..." : "");
}

static void declare(const struct walk_step *at)
{
	const cJSON *member;
	cJSON_ArrayForEach(member, json_get(at->step->node, "capture"))
		scope_bind(at->names, member->string, NULL, BINDING_RECEIVED);
	if (at->step->name)
		scope_bind(at->names, at->step->name, NULL, BINDING_RECEIVED);
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
		print_request(e->out, &request);
	}
	declare(at);
	return RC_OK;
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
	struct scope_root root = { .arena = arena, .rng = &rng, .unique = "unique" };
	struct expansion e = { .one = one, .out = out, .err = err };
	struct cells cells;
	e.walker = (struct walker){ .self = &e, .visit = visit, .broken = broken };
	rng_init(&rng, seed, one->id);
	struct scope *outer = frames_outer(&root, suite, one, seed, true);
	enum rc rc = cells_expand(outer, one->matrix, &cells, err);
	for (size_t i = 0; rc == RC_OK && i < cells.count; i++) {
		struct scope *scope = scope_push(outer);
		cell_bind(scope, &cells.list[i]);
		rc = walk_steps(&e.walker, one->steps, one->step_count, scope,
			cell_text(arena, cell_text_none, &cells.list[i]));
	}
	arena_free(arena);
	return rc;
}
