#include "drive/driven.h"

#include <string.h>

#include "case/option.h"
#include "case/template.h"
#include "drive/outgoing_request.h"
#include "drive/schedule.h"
#include "drive/steps.h"
#include "load/defaults.h"

enum { STATUS_CLASS_OK = 2 };

/* Every answer is compared with one status, or one class of them; 2xx where none is named. */
static enum rc read_status(const cJSON *value, struct load_request *request, struct err *err)
{
	const char *text = cJSON_GetStringValue(value);
	request->expected_status = STATUS_CLASS_OK;
	if (!value)
		return RC_OK;
	request->expected_status = cJSON_IsNumber(value) ? value->valueint
				   : text                ? text[0] - '0'
							 : 0;
	bool class = text && text[0] >= '1' && text[0] <= '5' && strcmp(text + 1, "xx") == 0;
	bool number = cJSON_IsNumber(value) && value->valueint >= 100 && value->valueint <= 599;
	return class || number
		       ? RC_OK
		       : err_set(err, RC_USAGE, "",
				 "expected a status such as 200 or \"3xx\" of a load's answers");
}

static enum rc read_coding(const cJSON *value, struct load_request *request, struct err *err)
{
	const char *text = cJSON_GetStringValue(value);
	if (!value)
		return RC_OK;
	if (!text)
		return err_set(err, RC_USAGE, "",
			"expected \"none\" or the name of a coding of a load's answers");
	request->expected_coding = strcmp(text, "none") == 0 ? "identity" : text;
	return RC_OK;
}

static enum rc read_expected(
	struct scope *scope, const struct step *step, struct load_request *request, struct err *err)
{
	cJSON *expect = NULL;
	enum rc rc = step->expect ? template_resolve(scope, step->expect, &expect, err) : RC_OK;
	if (rc == RC_OK)
		rc = read_status(json_get(expect, "status"), request, err);
	return rc == RC_OK ? read_coding(json_get(expect, "coding"), request, err) : rc;
}

/* Each request has the session of its own `as`. */
static enum rc read_request(struct case_run *c, const struct walk_step *at, size_t index,
	struct driven *d, struct err *err)
{
	struct walk_step inner = *at;
	struct request request;
	inner.step = &at->step->inner[index];
	struct scope *scope = case_run_scope(c, &inner);
	enum rc rc = outgoing_request(c, inner.step, scope, &request, &d->details, err);
	if (rc != RC_OK)
		return rc;
	if (request.without_host)
		return err_set(err, RC_USAGE, "", "a load's requests have a Host field each");
	const cJSON *item = cJSON_IsArray(at->step->subject)
				    ? cJSON_GetArrayItem(at->step->subject, (int)index)
				    : NULL;
	const cJSON *weight = json_get(item, "weight");
	d->requests[index] = (struct load_request){ .method = request.method,
		.target = request.target,
		.headers = request.headers,
		.header_count = request.header_count,
		.body = request.body,
		.weight = weight ? weight->valuedouble : 1 };
	return read_expected(scope, inner.step, &d->requests[index], err);
}

static enum rc read_requests(
	struct case_run *c, const struct walk_step *at, struct driven *d, struct err *err)
{
	size_t count = at->step->inner_count;
	d->requests = arena_alloc(c->root.arena, count, sizeof *d->requests);
	for (size_t i = 0; i < count; i++) {
		enum rc rc = read_request(c, at, i, d, err);
		if (rc != RC_OK)
			return rc;
	}
	d->label = count == 1 ? arena_print(c->root.arena, "load of %s %s", d->requests[0].method,
					d->requests[0].target)
			      : arena_print(c->root.arena, "load of %zu requests", count);
	d->details = count == 1 ? d->details : "";
	d->plan.requests = d->requests;
	d->plan.request_count = count;
	return RC_OK;
}

static enum rc read_generator(
	const struct walk_step *at, struct scope *scope, struct load_plan *plan, struct err *err)
{
	cJSON *decode = NULL;
	enum rc rc = option_count(scope, at->step, "threads", 1, &plan->threads, err);
	if (rc == RC_OK)
		rc = option_get(scope, at->step, "decode", &decode, err);
	if (rc != RC_OK)
		return rc;
	plan->decode = cJSON_IsTrue(decode);
	if (!plan->threads || plan->threads > LOAD_THREADS_MAX)
		return err_set(err, RC_USAGE, "", "threads: expected 1 to %d", LOAD_THREADS_MAX);
	return RC_OK;
}

static enum rc read_streams(
	const struct walk_step *at, struct scope *scope, struct load_plan *plan, struct err *err)
{
	enum rc rc = option_count(scope, at->step, "streams", 1, &plan->streams, err);
	if (rc != RC_OK)
		return rc;
	if (plan->streams > LOAD_STREAMS_MAX)
		return err_set(err, RC_USAGE, "", "streams: expected at most %d", LOAD_STREAMS_MAX);
	if (plan->streams > 1 && plan->address.protocol == PROTOCOL_HTTP1)
		return err_set(err, RC_USAGE, "",
			"streams: only HTTP/2 has them, and this SUT is spoken to by HTTP/1.1");
	return RC_OK;
}

enum rc driven_read(struct case_run *c, const struct walk_step *at, struct scope *scope,
	struct driven *driven, struct err *err)
{
	struct load_plan *plan = &driven->plan;
	*driven = (struct driven){ .plan = {
					   .address = case_run_sut(c, at->step)->address,
					   .stop_fd = c->run->stop_fd,
					   .seed = rng_next(&c->rng),
				   } };
	enum rc rc = read_requests(c, at, driven, err);
	if (rc == RC_OK)
		rc = schedule_read(c, at, scope, plan, err);
	if (rc == RC_OK)
		rc = read_streams(at, scope, plan, err);
	return rc == RC_OK ? read_generator(at, scope, plan, err) : rc;
}
