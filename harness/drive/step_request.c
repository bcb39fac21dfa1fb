#include <string.h>

#include "case/outgoing.h"
#include "drive/steps.h"

enum { DETAILS_MAX_BYTES = 160 };

/* The fields that the case wrote: what tells this request from its siblings. */
static const char *details(struct case_run *c, const struct outgoing *out)
{
	const char *text = "";
	for (size_t i = 0; i < out->header_count && strlen(text) < DETAILS_MAX_BYTES; i++)
		text = arena_print(c->root.arena, "%s%s%s: %.100s", text, text[0] ? "  " : "",
			out->headers[i].name, out->headers[i].value);
	return text;
}

bool step_request(struct case_run *c, const struct walk_step *at, struct scope *scope)
{
	struct outgoing out;
	struct err err = { 0 };
	enum rc rc = outgoing_build(scope, c->one, at->step, &out, &err);
	if (rc != RC_OK) {
		judge_step_problem(c, at, rc, err.text);
		return false;
	}
	struct request_header *headers =
		arena_alloc(c->root.arena, out.header_count, sizeof *headers);
	for (size_t i = 0; i < out.header_count; i++)
		headers[i] = (struct request_header){ out.headers[i].name, out.headers[i].value };
	struct request request = { .method = out.method,
		.target = out.target,
		.headers = headers,
		.header_count = out.header_count,
		.without_host = out.without_host,
		.body = out.body };
	return steps_exchange(c, at, scope, &request, details(c, &out));
}
