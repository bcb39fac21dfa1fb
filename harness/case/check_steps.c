/* What a step says that its shape can't tell. */
#include <string.h>

#include "case/check.h"
#include "case/settings.h"
#include "case/speaking.h"
#include "case/steps.h"
#include "expect/expect.h"

struct check {
	const struct case_file *one;
	const struct suite *suite;
	struct errors *errors;
};

static void wrong(const struct check *c, const cJSON *at, const char *text)
{
	errors_add(c->errors, json_place(c->one->json, at), RC_USAGE, "%s", text);
}

static size_t count_keys(const cJSON *object, const char *const *keys)
{
	size_t count = 0;
	for (; *keys; keys++)
		count += json_get(object, *keys) != NULL;
	return count;
}

static void check_capture(const struct check *c, const cJSON *capture)
{
	static const char *const SOURCES[] = { "json", "header", "body", NULL };
	const cJSON *where = json_get(capture, "where"), *at = json_get(capture, "at");
	if (count_keys(capture, SOURCES) != 1)
		wrong(c, capture, "expected exactly one of json, header and body");
	if (cJSON_IsFalse(json_get(capture, "body")))
		wrong(c, json_get(capture, "body"), "expected true, or another source");
	if (json_get(capture, "matches") && json_get(capture, "json"))
		wrong(c, json_get(capture, "matches"),
			"matches goes with header or body, not with json");
	if (!where != !at)
		wrong(c, where ? where : at, "where and at go together");
	if (where && at && !json_get(capture, "json"))
		wrong(c, where, "where goes with json");
}

static void check_raw(const struct check *c, const cJSON *items)
{
	static const char *const KINDS[] = { "pause", "text", "hex", "close", "reset", NULL };
	static const char *const ENDS[] = { "close", "reset" };
	const cJSON *item;
	cJSON_ArrayForEach (item, items) {
		if (!cJSON_IsObject(item))
			continue;
		if (count_keys(item, KINDS) != 1)
			wrong(c, item, "expected exactly one of pause, text, hex, close and reset");
		for (size_t i = 0; i < 2; i++)
			if (cJSON_IsFalse(json_get(item, ENDS[i])))
				wrong(c, json_get(item, ENDS[i]), "expected true");
	}
}

static void check_request(const struct check *c, const struct step *step)
{
	static const char *const BODIES[] = { "body", "json", "file", "hex", NULL };
	const cJSON *capture, *captures = json_get(step->node, "capture");
	if (count_keys(step->node, BODIES) > 1)
		errors_add(c->errors, step->place, RC_USAGE,
			"expected one of body, json, file and hex, found several");
	cJSON_ArrayForEach (capture, captures)
		if (cJSON_IsObject(capture))
			check_capture(c, capture);
	if (captures && step->matrix)
		wrong(c, captures,
			"a step with a matrix has many answers, and a capture takes one; put it into a group that has the matrix");
	if (c->one->suts && !step->to)
		errors_add(c->errors, step->place, RC_USAGE,
			"expected `to`: the case has several suts");
}

static bool stands_in(const struct step *step, enum verb verb)
{
	for (step = step->outer; step; step = step->outer)
		if (step->verb == verb)
			return true;
	return false;
}

/* Who asks, and what the step stands in. */
static void check_surroundings(const struct check *c, const struct step *step)
{
	const cJSON *as = json_get(step->node, "as");
	if (cJSON_IsString(as))
		check_member(c->errors, json_place(c->one->json, as), "user",
			json_get(c->suite->sessions, "users"), as->valuestring);
	if ((step->verb == VERB_AWAIT || step->verb == VERB_QUIET) &&
		!stands_in(step, VERB_STREAM) && !stands_in(step, VERB_HOLD))
		wrong(c, step->node, "await and quiet stand in the steps of a stream or a hold");
	if (step->verb == VERB_BARRIER && !stands_in(step, VERB_PARALLEL))
		wrong(c, step->node, "a barrier stands in a list of a parallel");
	if (step->verb == VERB_PARALLEL && stands_in(step, VERB_PARALLEL))
		wrong(c, step->node, "a parallel cannot stand in a parallel");
}

static void check_openapi(const struct check *c, const struct step *step)
{
	static const char *const CLAIMS[] = { "guard", "sweep", "expect", NULL };
	static const char *const NEEDS[][2] = { { "routes.guarded", "guard" },
		{ "routes.swept", "sweep" } };
	const cJSON *control = json_get(json_get(step->node, "guard"), "control");
	if (!count_keys(step->node, CLAIMS))
		wrong(c, step->node,
			"expected guard, sweep or expect: nothing is claimed of the document");
	for (size_t i = 0; i < sizeof NEEDS / sizeof *NEEDS; i++)
		if (expect_some_names(step->expect, NEEDS[i][0]) &&
			!json_get(step->node, NEEDS[i][1]))
			wrong(c, step->expect,
				i ? "expected `sweep` in the step: nothing is swept without"
				  : "expected `guard` in the step: nothing is guarded without");
	if (cJSON_IsString(control))
		check_member(c->errors, json_place(c->one->json, control), "user",
			json_get(c->suite->sessions, "users"), control->valuestring);
}

/* A load knows no captures and cells of its requests; each answer is judged by what it counts. */
static void check_driven(const struct check *c, const struct step *request)
{
	static const char *const REFUSED[] = { "name", "matrix", "variables", "within", "repeat",
		"retry", "to", "connection", "capture", "file" };
	const cJSON *found, *part, *group = request->expect;
	for (size_t i = 0; i < sizeof REFUSED / sizeof *REFUSED; i++) {
		found = cJSON_IsObject(request->node) ? json_get(request->node, REFUSED[i]) : NULL;
		if (found)
			errors_add(c->errors, json_place(c->one->json, found), RC_USAGE,
				"a load's request takes no `%s`", REFUSED[i]);
	}
	if (cJSON_IsArray(group)) {
		wrong(c, group, "expected one group: a load judges all answers alike");
		return;
	}
	cJSON_ArrayForEach (part, group) {
		if (strcmp(part->string, "status") != 0 && strcmp(part->string, "coding") != 0)
			errors_add(c->errors, json_place(c->one->json, part), RC_USAGE,
				"expected status or coding, found \"%s\": a load looks at nothing else of an answer",
				part->string);
		else if (!cJSON_IsNumber(part) && !cJSON_IsString(part))
			wrong(c, part,
				"expected one number or word: a load compares each answer with that");
	}
}

/* Stages are of a rate, all of them, or of users; true where of a rate. */
static bool check_stages(const struct check *c, const cJSON *stages)
{
	static const char *const ENDS[] = { "users", "rate", NULL };
	const cJSON *stage;
	bool of_rate = json_get(stages ? stages->child : NULL, "rate");
	cJSON_ArrayForEach (stage, stages) {
		if (count_keys(stage, ENDS) != 1 || !json_get(stage, "rate") == of_rate)
			wrong(c, stage, "expected `rate` in every stage, or `users` in every one");
	}
	return of_rate;
}

/* What says the same twice, or what nobody would look at. */
static void check_schedule(const struct check *c, const cJSON *load, bool open)
{
	static const struct {
		const char *key, *beside, *words;
	} APART[] = {
		{ "stages", "for", "they say themselves how long it takes" },
		{ "stages", "requests", "they say themselves how long it takes" },
		{ "stages", "ramp", "they say themselves how it grows" },
		{ "stages", "arrival", "requests of stages are evenly spaced" },
		{ "stages", "burst", "each is a schedule of its own" },
		{ "burst", "rate", "each is a schedule of its own" },
		{ "burst", "ramp", "bursts don't grow" },
		{ "burst", "arrival", "those of a burst are due at once" },
		{ "max_in_flight", "users", "where requests have a schedule, both say the same" },
	};
	for (size_t i = 0; i < sizeof APART / sizeof *APART; i++)
		if (json_get(load, APART[i].key) && json_get(load, APART[i].beside))
			errors_add(c->errors,
				json_place(c->one->json, json_get(load, APART[i].beside)), RC_USAGE,
				"`%s` and `%s` don't go together: %s", APART[i].key,
				APART[i].beside, APART[i].words);
	if (!json_get(load, "for") && !json_get(load, "requests") && !json_get(load, "stages"))
		wrong(c, load, "expected for, requests or stages: how long to measure");
	static const char *const SCHEDULED[] = { "arrival", "max_in_flight" };
	for (size_t i = 0; !open && i < sizeof SCHEDULED / sizeof *SCHEDULED; i++)
		if (json_get(load, SCHEDULED[i]))
			errors_add(c->errors,
				json_place(c->one->json, json_get(load, SCHEDULED[i])), RC_USAGE,
				"only a load with `rate` has `%s`", SCHEDULED[i]);
	if (open && json_get(load, "think"))
		wrong(c, json_get(load, "think"), "users think, and with `rate` there are none");
}

/* Nothing is early or late where there is no schedule, and nothing decoded where nobody does it. */
static void check_numbers(const struct check *c, const struct step *step, bool open)
{
	static const char *const SCHEDULED[] = { "response.", "send_lag." };
	static const char *const DECODED[] = { "bytes.decoded", "errors.undecodable" };
	const struct expectation *row;
	for (size_t i = 0; !open && (row = expectation_at(i)); i++) {
		bool scheduled = strncmp(row->name, SCHEDULED[0], strlen(SCHEDULED[0])) == 0 ||
				 strncmp(row->name, SCHEDULED[1], strlen(SCHEDULED[1])) == 0;
		if ((row->subjects & EXPECT_LOAD) && scheduled &&
			expect_some_names(step->expect, row->name))
			errors_add(c->errors, json_place(c->one->json, step->expect), RC_USAGE,
				"only a load with `rate` has %s; one of users has service.*, at their number",
				row->name);
	}
	for (size_t i = 0; i < sizeof DECODED / sizeof *DECODED; i++)
		if (expect_some_names(step->expect, DECODED[i]) && !json_get(step->node, "decode"))
			errors_add(c->errors, json_place(c->one->json, step->expect), RC_USAGE,
				"only a load with `decode` has %s", DECODED[i]);
}

static void check_load(const struct check *c, const struct step *step)
{
	static const char *const WHENS[] = { "users", "rate", "stages", "burst", NULL };
	const cJSON *load = step->node;
	if (!count_keys(load, WHENS))
		wrong(c, load, "expected users or rate, stages or burst");
	bool of_rate = check_stages(c, json_get(load, "stages"));
	bool open = of_rate || json_get(load, "rate") || json_get(load, "burst");
	if (json_get(load, "stages") && !of_rate && json_get(load, "rate"))
		wrong(c, json_get(load, "rate"), "expected `users` beside stages of users");
	check_schedule(c, load, open);
	check_numbers(c, step, open);
	for (size_t i = 0; i < step->inner_count; i++)
		check_driven(c, &step->inner[i]);
	if (stands_in(step, VERB_STREAM) || stands_in(step, VERB_HOLD))
		wrong(c, step->node,
			"a load does not stand in the steps of a stream, whose events would be read late");
}

/* Only a stream is watched while it comes: the step, and the request that opens it. */
static void check_gap(const struct check *c, const struct step *step)
{
	const struct step *outer = step->outer;
	bool opens = outer && outer->verb == VERB_STREAM && step == outer->inner;
	if (step->verb != VERB_STREAM && !opens && expect_some_names(step->expect, "gap.max"))
		wrong(c, step->expect, "gap.max is told of `stream` alone");
}

/* What has nothing in it is green for nothing. */
static void check_substance(const struct check *c, const struct step *step)
{
	static const char *const CLAIMS[] = { "count", "each", "streams.open", "connections",
		NULL };
	if (step->verb == VERB_PARALLEL && cJSON_IsObject(step->subject) && !step->list_count)
		wrong(c, step->subject, "expected at least one list");
	if (step->verb == VERB_PROBE && !step->expect)
		wrong(c, step->node, "expected `expect`: nothing is claimed of the probe");
	if (step->verb == VERB_OPENAPI)
		check_openapi(c, step);
	if (step->verb == VERB_LOAD)
		check_load(c, step);
	if (step->verb == VERB_JOURNAL && cJSON_IsObject(step->subject) &&
		!count_keys(step->subject, CLAIMS))
		wrong(c, step->subject,
			"expected count, each, streams.open or connections: nothing is claimed of the journal");
}

/* A step that is known to go over HTTP/2. */
static void check_speaking(const struct check *c, const struct step *step)
{
	const char *why = speaking_http1_only(step);
	if (why && strcmp(settings_protocol(c->suite, c->one, step->to), "http/1.1") != 0)
		wrong(c, step->node, why);
}

static void check_step(const struct check *c, const struct step *step)
{
	const cJSON *repeat = json_get(step->node, "repeat"), *to = json_get(step->node, "to");
	if (to)
		check_member(c->errors, json_place(c->one->json, to), "SUT", c->one->suts,
			cJSON_GetStringValue(to));
	if (step->name && step->matrix)
		wrong(c, json_get(step->node, "name"),
			"a step with a matrix has many answers and can't be named; put it into a group that has the matrix");
	if (cJSON_IsNumber(repeat) && repeat->valuedouble == 0)
		wrong(c, repeat, "expected at least 1: a step that never runs proves nothing");
	if (step->verb == VERB_REQUEST || step->verb == VERB_RAW)
		check_request(c, step);
	if (step->verb == VERB_RAW)
		check_raw(c, step->subject);
	check_speaking(c, step);
	check_surroundings(c, step);
	check_gap(c, step);
	check_substance(c, step);
}

static void check_list(const struct check *c, const struct step *steps, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		check_step(c, &steps[i]);
		check_list(c, steps[i].steps, steps[i].step_count);
		check_list(c, steps[i].inner, steps[i].inner_count);
		for (size_t l = 0; l < steps[i].list_count; l++)
			check_list(c, steps[i].lists[l].steps, steps[i].lists[l].count);
	}
}

void check_steps(const struct case_file *one, const struct suite *suite, struct errors *errors)
{
	const struct check c = { one, suite, errors };
	const cJSON *as = json_get(json_root(one->json), "as");
	if (cJSON_IsString(as))
		check_member(errors, json_place(one->json, as), "user",
			json_get(suite->sessions, "users"), as->valuestring);
	check_list(&c, one->steps, one->step_count);
}
