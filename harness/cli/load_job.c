#include "cli/load_job.h"

#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/words.h"
#include "cli/cost_source.h"
#include "cli/load_schedule.h"
#include "cli/load_words.h"
#include "cli/connect.h"
#include "load/defaults.h"

enum {
	BODY_BYTES_MAX = 64 << 20,
	ACCEPT_NONE = 0,
	ACCEPT_GZIP,
	ACCEPT_BOTH,
};

#define DEFAULT_LENGTH_NS (10 * NS_PER_S)

/* While it is read. */
struct reading {
	const struct options *options;
	const struct load_words *words;
	struct slice stdin_text;
	struct load_job *job;
	struct load_plan plan; /* of every arm */
	struct load_urls urls;
	size_t accept;
	struct request_header *headers; /* with room for one more */
	size_t header_count;
	const char *asked; /* the Accept-Encoding of -H */
	struct err *err;
};

static enum rc read_urls(struct reading *r)
{
	const struct texts *paths = &r->options->paths;
	size_t stdins = words_same(r->words->body, "@-");
	for (size_t i = 0; i < paths->count; i++)
		stdins += strcmp(paths->list[i], "-") == 0;
	if (stdins > 1)
		return err_set(r->err, RC_USAGE, "", "expected standard input to be read once");
	for (size_t i = 0; i < paths->count; i++) {
		enum rc rc =
			strcmp(paths->list[i], "-") == 0
				? load_urls_add_lines(
					  &r->urls, r->stdin_text, r->job->arena, r->err)
				: load_urls_add(&r->urls, paths->list[i], r->job->arena, r->err);
		if (rc != RC_OK)
			return rc;
	}
	if (!r->urls.count)
		return err_set(r->err, RC_USAGE, "",
			"expected a URL such as http://127.0.0.1:8080/; `onus load --help` tells more");
	r->job->url = arena_print(
		r->job->arena, "%s://%s:%d", r->urls.scheme, r->urls.host, r->urls.port);
	return RC_OK;
}

static enum rc usage(struct reading *r, const char *option, const char *text)
{
	return err_set(r->err, RC_USAGE, option, "%s", text);
}

static enum rc read_streams(struct reading *r)
{
	uint64_t streams = 1;
	if (r->words->streams && r->plan.address.protocol == PROTOCOL_HTTP1)
		return usage(r, "--streams", "only HTTP/2 has streams: --http2 or --http2c");
	enum rc rc = load_word_count(
		"streams", r->words->streams, 1, LOAD_STREAMS_MAX, &streams, r->err);
	r->plan.streams = (size_t)streams;
	return rc;
}

static enum rc read_address(struct reading *r)
{
	r->plan.address = (struct client_options){
		.scheme = r->urls.scheme, .host = r->urls.host, .port = r->urls.port
	};
	enum rc rc = connect_read(r->options, &r->plan.address, r->err);
	return rc == RC_OK ? read_streams(r) : rc;
}

static enum rc read_headers(struct reading *r)
{
	static const char *const choices[] = { "none", "gzip", "both" };
	const struct texts *texts = &r->words->headers;
	r->headers = arena_alloc(r->job->arena, texts->count + 1, sizeof *r->headers);
	for (; r->header_count < texts->count; r->header_count++) {
		struct request_header *header = &r->headers[r->header_count];
		enum rc rc = load_word_header(
			texts->list[r->header_count], r->job->arena, header, r->err);
		if (rc != RC_OK)
			return rc;
		if (slice_is_nocase(slice_of(header->name), "Accept-Encoding"))
			r->asked = header->value;
	}
	if (r->asked && r->words->accept)
		return usage(r, "--accept", "expected no Accept-Encoding beside it in --header");
	return load_word_choice("accept", r->words->accept, choices,
		sizeof choices / sizeof *choices, &r->accept, r->err);
}

static enum rc read_body(struct reading *r, struct slice *body)
{
	const char *text = r->words->body;
	struct buf buf;
	*body = (struct slice){ 0 };
	if (!text)
		return RC_OK;
	if (text[0] != '@') {
		*body = slice_of(text);
		return RC_OK;
	}
	if (strcmp(text, "@-") == 0) {
		*body = r->stdin_text;
		return RC_OK;
	}
	buf_init(&buf, BODY_BYTES_MAX);
	enum rc rc = buf_read_file(&buf, text + 1, r->err);
	if (rc == RC_OK)
		*body = slice_from(arena_slice(r->job->arena, buf_slice(&buf)), buf.len);
	buf_release(&buf);
	return rc;
}

static enum rc read_lengths(struct reading *r)
{
	const struct load_words *w = r->words;
	struct load_plan *plan = &r->plan;
	int64_t ramp = 0;
	plan->measure_ns = w->requests ? LOAD_LONGEST_NS : DEFAULT_LENGTH_NS;
	plan->timeout_ns = LOAD_TIMEOUT_NS;
	enum rc rc = load_word_count(
		"requests", w->requests, 1, UINT64_C(1) << 40, &plan->measure_requests, r->err);
	if (rc == RC_OK)
		rc = load_word_time("duration", w->duration, true, &plan->measure_ns, r->err);
	int64_t edge = load_edge_ns(plan->measure_ns);
	plan->warm_up_ns = w->requests ? 0 : edge;
	plan->tail_ns = w->requests ? 0 : edge;
	if (rc == RC_OK)
		rc = load_word_time("warm-up", w->warm_up, true, &plan->warm_up_ns, r->err);
	if (rc == RC_OK)
		rc = load_word_time("ramp", w->ramp, true, &ramp, r->err);
	if (rc == RC_OK)
		rc = load_word_time("timeout", w->timeout, false, &plan->timeout_ns, r->err);
	if (rc != RC_OK)
		return rc;
	if (plan->measure_ns < 10 * NS_PER_MS || plan->measure_ns > LOAD_LONGEST_NS)
		return usage(r, "--duration", "expected 10ms to 24 hours");
	if (plan->timeout_ns < NS_PER_MS || plan->timeout_ns > 3600 * NS_PER_S)
		return usage(r, "--timeout", "expected 1ms to an hour");
	if (ramp > LOAD_LONGEST_NS || plan->warm_up_ns > LOAD_LONGEST_NS)
		return usage(r, ramp > LOAD_LONGEST_NS ? "--ramp" : "--warm-up",
			"expected at most 24 hours");
	plan->users.ramp_ns = plan->arrival.ramp_ns = ramp;
	plan->warm_up_ns += ramp;
	plan->drain_ns = plan->timeout_ns;
	return RC_OK;
}

static enum rc read_threads(struct reading *r)
{
	uint64_t threads = 1;
	enum rc rc = load_word_count(
		"threads", r->words->threads, 0, LOAD_THREADS_MAX, &threads, r->err);
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	r->plan.threads = threads ? (size_t)threads : cores > 0 ? (size_t)cores : 1;
	r->plan.decode = r->words->decode;
	return rc;
}

static enum rc read_cost(struct reading *r)
{
	return cost_source_read(r->options, &r->job->cost, r->err);
}

static enum rc read_thresholds(struct reading *r)
{
	struct load_job *job = r->job;
	const struct texts *texts = &r->words->thresholds;
	job->thresholds = arena_alloc(job->arena, texts->count + 1, sizeof *job->thresholds);
	for (; job->threshold_count < texts->count; job->threshold_count++) {
		struct load_threshold *one = &job->thresholds[job->threshold_count];
		enum rc rc = load_threshold_parse(
			texts->list[job->threshold_count], r->plan.model, one, r->err);
		if (rc != RC_OK)
			return rc;
		bool needs = one->number.kind == LOAD_NUMBER_DECODED ||
			     one->number.kind == LOAD_NUMBER_UNDECODABLE;
		if (needs && !r->words->decode)
			return usage(r, "--threshold",
				"bytes.decoded and errors.undecodable need --decode");
	}
	return RC_OK;
}

static enum rc check_hold(struct reading *r)
{
	const struct load_words *w = r->words;
	if (w->hold)
		return RC_OK;
	const char *option = w->add       ? "--add"
			     : w->every   ? "--every"
			     : w->until   ? "--until"
			     : w->trigger ? "--trigger"
					  : NULL;
	return option ? usage(r, option, "expected --hold beside it") : RC_OK;
}

/* The requests of an arm: all of the URLs, with the same headers and body. */
static enum rc add_arm(struct reading *r, const char *name, bool gzip, struct slice body)
{
	struct load_job *job = r->job;
	struct load_arm *arm = &job->arms[job->arm_count++];
	const char *method = r->words->method ? r->words->method : body.ptr ? "POST" : "GET";
	size_t count = r->header_count + gzip;
	if (!load_word_is_token(slice_of(method)))
		return usage(r, "--method", "expected a word such as PUT");
	struct request_header *headers = arena_alloc(job->arena, count + 1, sizeof *headers);
	memcpy(headers, r->headers, r->header_count * sizeof *headers);
	if (gzip)
		headers[r->header_count] = (struct request_header){ "Accept-Encoding", "gzip" };
	struct load_request *requests = arena_alloc(job->arena, r->urls.count, sizeof *requests);
	for (size_t i = 0; i < r->urls.count; i++)
		requests[i] = (struct load_request){ .method = method,
			.target = r->urls.list[i].target,
			.weight = r->urls.list[i].weight,
			.headers = headers,
			.header_count = count,
			.body = body };
	*arm = (struct load_arm){
		.name = name, .asks_for = gzip ? "gzip" : r->asked, .plan = r->plan
	};
	arm->plan.requests = requests;
	arm->plan.request_count = r->urls.count;
	return RC_OK;
}

static enum rc add_arms(struct reading *r)
{
	struct slice body;
	enum rc rc = read_body(r, &body);
	if (rc == RC_OK && r->accept != ACCEPT_GZIP)
		rc = add_arm(r, r->accept == ACCEPT_BOTH ? "none" : "load", false, body);
	if (rc == RC_OK && r->accept != ACCEPT_NONE)
		rc = add_arm(r, r->accept == ACCEPT_BOTH ? "gzip" : "load", true, body);
	return rc;
}

enum rc load_job_read(const struct options *options, uint64_t seed, struct slice stdin_text,
	struct load_job *job, struct err *err)
{
	static enum rc (*const parts[])(struct reading *) = { read_urls, read_address, read_headers,
		read_lengths, read_threads, read_cost };
	struct reading r = { .options = options,
		.words = &options->load,
		.stdin_text = stdin_text,
		.job = job,
		.err = err };
	*job = (struct load_job){ .arena = options->arena,
		.calibrate = !options->load.no_calibration };
	r.plan.seed = seed;
	r.plan.stop_fd = -1;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		enum rc rc = parts[i](&r);
		if (rc != RC_OK)
			return rc;
	}
	enum rc rc = check_hold(&r);
	if (rc == RC_OK)
		rc = load_schedule_read(&options->load, job->arena, &r.plan, &job->shape, err);
	if (rc == RC_OK && !options->load.hold)
		rc = read_thresholds(&r);
	return rc == RC_OK ? add_arms(&r) : rc;
}

bool load_job_wants_stdin(const struct options *options)
{
	const char *body = options->load.body;
	for (size_t i = 0; i < options->paths.count; i++)
		if (strcmp(options->paths.list[i], "-") == 0)
			return true;
	return body && strcmp(body, "@-") == 0;
}

int64_t load_plan_length(const struct load_plan *plan)
{
	if (plan->measure_requests && plan->measure_ns >= LOAD_LONGEST_NS)
		return CLOCK_NEVER;
	return plan->warm_up_ns + plan->measure_ns + plan->tail_ns;
}
