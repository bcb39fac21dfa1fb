#include "drive/operation_call.h"

#include <string.h>
#include <strings.h>

#include "drive/busy.h"
#include "drive/judge.h"
#include "drive/outgoing_request.h"
#include "drive/session.h"
#include "drive/wait.h"
#include "http/request.h"

struct call {
	struct transfer *transfer;
	bool events; /* it ends with its head */
	bool head;
};

static void on_head(void *self, int64_t now_ns)
{
	struct call *call = self;
	(void)now_ns;
	call->head = true;
}

static void on_content(void *self, struct slice decoded, int64_t now_ns)
{
	(void)self;
	(void)decoded;
	(void)now_ns;
}

static bool is_over(void *self)
{
	const struct call *call = self;
	return transfer_done(call->transfer) || (call->events && call->head);
}

static struct exchange *send_request(
	struct case_run *c, const struct step *step, const struct request *request, bool events)
{
	struct call call = { .events = events };
	struct request_watch watch = { .self = &call, .head = on_head, .content = on_content };
	struct request watched = *request;
	watched.watch = &watch;
	call.transfer = client_start(case_run_client(c, step), &watched);
	c->tally.requests++;
	/* Each request has its own end; where a signal came, taking it gives it up. */
	(void)!wait_until(c, is_over, &call, CLOCK_NEVER);
	if (transfer_done(call.transfer))
		return transfer_take(call.transfer);
	return transfer_leave(call.transfer);
}

/* Does the control session send it? Then the document's example of it is no credential. */
static bool is_credential(const struct operation_caller *caller, const char *name)
{
	struct step step = *caller->at->step;
	step.as = step.control;
	const struct session_user *user = session_of(caller->c, &step);
	const cJSON *field, *headers = user ? user->headers : NULL;
	cJSON_ArrayForEach (field, headers)
		if (strcasecmp(field->string, name) == 0)
			return true;
	return false;
}

static void add_fields(const struct operation_caller *caller, const struct operation *operation,
	const char *as, struct request *request)
{
	for (size_t i = 0; i < operation->field_count; i++) {
		const struct operation_field *one = &operation->fields[i];
		if (!request_header(request, one->name) &&
			(as || !is_credential(caller, one->name)))
			outgoing_header(caller->c, request, one->name, one->value);
	}
}

struct exchange *operation_call(
	const struct operation_caller *caller, const struct operation *operation, const char *as)
{
	struct case_run *c = caller->c;
	struct step step = *caller->at->step;
	struct request request = { .method = operation->method,
		.target = operation->target,
		.body = operation->body,
		.within_ns = caller->within_ns };
	step.as = as;
	if (operation->body_type)
		outgoing_header(c, &request, "Content-Type", operation->body_type);
	outgoing_session(c, &step, &request);
	add_fields(caller, operation, as, &request);
	struct exchange *exchange = send_request(c, &step, &request, operation->events);
	if (c->busy)
		busy_add(c->busy, exchange, operation->name);
	return exchange;
}

bool operation_answered(const struct exchange *exchange)
{
	return exchange->failure == FAILURE_NONE && !exchange->violation_count;
}

const char *operation_ending(struct case_run *c, const struct exchange *exchange)
{
	if (exchange->failure != FAILURE_NONE)
		return arena_text(c->root.arena, exchange->failure_text);
	if (exchange->violation_count)
		return arena_print(c->root.arena, "status %d, with %s: %s", exchange->status,
			exchange->violations[0].name, exchange->violations[0].text);
	return arena_print(c->root.arena, "status %d", exchange->status);
}

static bool names(const char *entry, const struct operation *operation)
{
	return strcmp(entry, operation->path) == 0 || strcmp(entry, operation->name) == 0;
}

bool operation_listed(const cJSON *list, const struct operation *operation)
{
	const cJSON *entry;
	cJSON_ArrayForEach (entry, list)
		if (names(entry->valuestring, operation))
			return true;
	return false;
}

void operation_strangers(const struct operation_caller *caller, const cJSON *list,
	const char *below, const struct operations *operations)
{
	struct case_run *c = caller->c;
	const cJSON *entry;
	size_t index = 0;
	cJSON_ArrayForEach (entry, list) {
		size_t i = 0;
		while (i < operations->count && !names(entry->valuestring, &operations->list[i]))
			i++;
		if (i == operations->count) {
			struct judged judged = { .request = "openapi", .details = "" };
			judge_step_finding(c, caller->at,
				arena_print(c->root.arena, "%s/%zu", below, index), &judged,
				entry->valuestring, "an operation of the document", "none");
		}
		index++;
	}
}

void operation_finding(const struct operation_caller *caller, const struct operation *operation,
	const struct exchange *exchange, const char *below, const char *expected)
{
	struct judged judged = { .exchange = exchange,
		.request = arena_print(
			caller->c->root.arena, "%s %s", operation->method, operation->target),
		.details = "" };
	if (*caller->c->run->stop)
		return;
	judge_step_finding(caller->c, caller->at, below, &judged, operation->name, expected,
		operation_ending(caller->c, exchange));
}
