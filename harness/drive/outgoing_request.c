#include "drive/outgoing_request.h"

#include <string.h>
#include <strings.h>

#include "case/option.h"
#include "case/outgoing.h"
#include "drive/session.h"
#include "http/request.h"

enum { DETAILS_MAX_BYTES = 160 };

/* The fields that the case wrote: what tells this request from its siblings. */
static const char *details_of(struct case_run *c, const struct outgoing *out)
{
	const char *text = "";
	for (size_t i = 0; i < out->header_count && strlen(text) < DETAILS_MAX_BYTES; i++)
		text = arena_print(c->root.arena, "%s%s%s: %.100s", text, text[0] ? "  " : "",
			out->headers[i].name, out->headers[i].value);
	return text;
}

void outgoing_header(
	struct case_run *c, struct request *request, const char *name, const char *value)
{
	struct request_header *grown =
		arena_alloc(c->root.arena, request->header_count + 1, sizeof *grown);
	if (request->header_count)
		memcpy(grown, request->headers, request->header_count * sizeof *grown);
	grown[request->header_count++] = (struct request_header){ name, value };
	request->headers = grown;
}

static bool has(const struct request *request, const char *name)
{
	for (size_t i = 0; i < request->header_count; i++)
		if (strcasecmp(request->headers[i].name, name) == 0)
			return true;
	return false;
}

/* What the case wrote goes before what the session adds. */
void outgoing_session(struct case_run *c, const struct step *step, struct request *request)
{
	const struct session_user *user = session_of(c, step);
	const cJSON *field, *headers = user ? user->headers : NULL;
	cJSON_ArrayForEach (field, headers)
		if (cJSON_IsString(field) && !has(request, field->string))
			outgoing_header(c, request, field->string, field->valuestring);
}

/* Does some `json` of the case compare with the answer to the step of that name? */
static bool is_compared(const cJSON *node, const char *name, bool in_json)
{
	if (in_json && cJSON_IsString(node))
		return node->string && strcmp(node->string, "same_as") == 0 &&
		       strcmp(node->valuestring, name) == 0;
	for (const cJSON *part = node->child; part; part = part->next)
		if (is_compared(part, name,
			    in_json || (part->string && strcmp(part->string, "json") == 0)))
			return true;
	return false;
}

enum rc outgoing_request(struct case_run *c, const struct step *step, struct scope *scope,
	struct request *request, const char **details, struct err *err)
{
	struct outgoing out;
	enum rc rc = outgoing_build(scope, c->one, step, &out, err);
	if (rc != RC_OK)
		return rc;
	*request = (struct request){ .method = out.method,
		.target = out.target,
		.without_host = out.without_host,
		.compared_json =
			step->name && is_compared(json_root(c->one->json), step->name, false),
		.body = out.body };
	if (out.file) {
		struct request_file *file = arena_alloc(c->root.arena, 1, sizeof *file);
		*file = (struct request_file){ out.file_fd, out.file_bytes };
		request->file = file;
	}
	for (size_t i = 0; i < out.header_count; i++)
		outgoing_header(c, request, out.headers[i].name, out.headers[i].value);
	*details = details_of(c, &out);
	outgoing_session(c, step, request);
	const struct running *sut = case_run_sut(c, step);
	const char *refused = sut && sut->address.protocol != PROTOCOL_HTTP1
				      ? request_refused_by_http2(request)
				      : NULL;
	return refused ? err_set(err, RC_USAGE, "", "%s", refused) : RC_OK;
}

enum rc outgoing_resume(struct case_run *c, const struct walk_step *at, struct scope *scope,
	struct request *request, struct err *err)
{
	cJSON *id;
	enum rc rc = option_get(scope, at->step, "resume", &id, err);
	if (rc == RC_OK && id && cJSON_IsString(id) && id->valuestring[0])
		outgoing_header(c, request, "Last-Event-ID", id->valuestring);
	return rc;
}
