/*
 * An OpenAPI document is fetched and read; its operations are called, by nobody, by a control session, in turn; and
 * what was counted, and the document itself, is held against what the step expects.
 */
#include <string.h>

#include "case/option.h"
#include "drive/guard.h"
#include "drive/outgoing_request.h"
#include "drive/steps.h"
#include "drive/sweep.h"
#include "drive/view.h"
#include "drive/wait.h"

/* Errors of reading say both what was expected and what was found. */
static void tell_unreadable(struct case_run *c, const struct walk_step *at,
	const struct judged *judged, const char *text)
{
	static const char FOUND[] = ", found ";
	const char *found = strstr(text, FOUND);
	const char *expected = "an OpenAPI document, version 3.0 or 3.1, as JSON";
	if (found && strncmp(text, "expected ", 9) == 0) {
		expected = arena_print(c->root.arena, "%.*s", (int)(found - text) - 9, text + 9);
		text = found + strlen(FOUND);
	}
	judge_step_finding(c, at, "/openapi", judged, "document", expected, text);
}

/* The document as the step's request brings it; NULL after a finding or a problem. */
static struct document *fetch(
	struct case_run *c, const struct walk_step *at, struct scope *scope, int64_t within_ns)
{
	struct err err = { 0 };
	struct request request;
	struct document *document = NULL;
	struct judged judged = { .within_ns = within_ns, .strict_framing = true };
	struct walk_step inner = *at;
	inner.step = at->step->inner;
	enum rc rc = outgoing_request(c, inner.step, scope, &request, &judged.details, &err);
	if (rc != RC_OK) {
		judge_step_problem(c, at, rc, err.text);
		return NULL;
	}
	request.within_ns = within_ns;
	request.reads_json = true;
	struct exchange *exchange = wait_exchange(c, case_run_client(c, inner.step), &request);
	c->tally.requests++;
	judged.exchange = exchange;
	judged.request = arena_print(c->root.arena, "%s %s", request.method, request.target);
	if (judge(c, &inner, scope, &judged)) {
		const struct layer *body = &exchange->layers[LAYER_DECODED];
		c->tally.checks++;
		if (exchange->coding_error || !body->whole)
			rc = err_set(&err, RC_INVALID, "", "a body that can't be read: %s",
				exchange->coding_error ? exchange->coding_error : "too long");
		else
			rc = document_read(body->kept, request.target, &document, &err);
		if (rc != RC_OK)
			tell_unreadable(c, at, &judged, err.text);
	}
	exchange_free(exchange);
	return document;
}

static void add(struct measures *m, const char *name, size_t count)
{
	measures_add(m, name, (struct quantity){ UNIT_COUNT, (double)count }, NULL);
}

static struct measures *walk(const struct operation_caller *caller,
	const struct operations *operations, const cJSON *guard, const cJSON *sweep)
{
	struct case_run *c = caller->c;
	struct measures *m = arena_alloc(c->root.arena, 1, sizeof *m);
	size_t deprecated = 0;
	for (size_t i = 0; i < operations->count; i++)
		deprecated += operations->list[i].deprecated;
	measures_init(m, c->root.arena);
	add(m, "routes.total", operations->count);
	add(m, "routes.deprecated", deprecated);
	if (guard)
		add(m, "routes.guarded", guard_walk(caller, operations, guard));
	if (sweep)
		add(m, "routes.swept", sweep_walk(caller, operations, sweep));
	c->tally.routes += operations->count;
	return m;
}

static bool judge_document(const struct operation_caller *caller, const struct document *document,
	const cJSON *parameters)
{
	struct case_run *c = caller->c;
	const struct walk_step *at = caller->at;
	struct operations operations;
	struct tally_mark mark = tally_mark(&c->tally);
	operations_init(&operations, document, parameters);
	struct measures *m = walk(caller, &operations, json_get(at->step->node, "guard"),
		json_get(at->step->node, "sweep"));
	operations_release(&operations);
	if (*c->run->stop) {
		case_run_interrupted(c, at->step->place);
		return false;
	}
	tally_figures(&c->tally, at->step->place.pointer, at->cell.label, m);
	struct judged judged = {
		.measures = m, .document = document, .request = "openapi", .details = ""
	};
	bool holds = !at->step->expect || judge(c, at, caller->scope, &judged);
	if (at->step->name)
		scope_bind_owned(at->names, at->step->name, view_measures(m), BINDING_RECEIVED);
	return holds && !tally_changed(&c->tally, &mark);
}

bool step_openapi(struct case_run *c, const struct walk_step *at, struct scope *scope)
{
	struct err err = { 0 };
	struct operation_caller caller = { .c = c, .at = at, .scope = scope };
	cJSON *parameters;
	enum rc rc = steps_within(c, at, scope, 10 * NS_PER_S, &caller.within_ns, &err);
	if (rc == RC_OK)
		rc = option_get(scope, at->step, "parameters", &parameters, &err);
	if (rc != RC_OK) {
		judge_step_problem(c, at, rc, err.text);
		return false;
	}
	struct document *document = fetch(c, at, scope, caller.within_ns);
	if (!document)
		return false;
	bool holds = judge_document(&caller, document, parameters);
	document_free(document);
	return holds;
}
