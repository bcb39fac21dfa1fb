#include "case/steps.h"

#include <string.h>

#include "base/units.h"
#include "case/format.h"
#include "case/steps_mail.h"
#include "case/steps_measure.h"
#include "expect/expect.h"

static const struct shape target_shape = { .kind = SHAPE_STRING,
	.name = "a target such as \"/index.html\"" };
static const char *const CONNECTION_WORDS[] = { "new", NULL };
static const struct shape connection_shape = {
	.kind = SHAPE_STRING, .name = "\"new\"", .words = CONNECTION_WORDS, .literal = true
};

static bool hex_valid(const char *text, struct err *err)
{
	size_t digits = strspn(text, "0123456789abcdefABCDEF ");
	if (text[digits])
		return err_set(err, RC_INVALID, "",
			       "expected pairs of hexadecimal digits, found \"%s\"",
			       text + digits) == RC_OK;
	size_t count = 0;
	for (; *text; text++)
		count += *text != ' ';
	return count % 2 == 0 ||
	       err_set(err, RC_INVALID, "",
		       "expected pairs of hexadecimal digits, found %zu digits", count) == RC_OK;
}

static const struct shape hex_shape = {
	.kind = SHAPE_STRING, .name = "hexadecimal bytes such as \"1f 8b\"", .valid = hex_valid
};

static const struct shape capture_one = { .kind = SHAPE_OBJECT,
	.name = "what to capture",
	.literal = true,
	.keys = KEYS({ "json", &format_text, "a JSON pointer into the body", false },
		{ "where", &format_variables,
			"with json: the one item of the list whose members (by pointer) match",
			false },
		{ "at", &format_text, "with where: a JSON pointer into that item", false },
		{ "header", &format_text, "a header field's value", false },
		{ "body", &format_bool, "true: the decoded body as text", false },
		{ "matches", &format_text,
			"with header or body: a pattern (PCRE2); group 1 is taken", false },
		{ "secret", &format_bool, "true: masked in reports and saved exchanges", false }) };
static const struct shape capture_shape = {
	.kind = SHAPE_MAP, .name = "an object of captures", .items = &capture_one, .literal = true
};

static const struct shape pause_item = { .kind = SHAPE_OBJECT,
	.name = "a pause or bytes",
	.keys = KEYS({ "pause", &format_duration, "send nothing for so long", false },
		{ "text", &format_text, "bytes without a line end", false },
		{ "hex", &hex_shape, "bytes", false },
		{ "close", &format_bool, "true: close the connection", false },
		{ "reset", &format_bool, "true: reset the connection", false }) };
static const struct shape raw_item = { .kind = SHAPE_CHOICE,
	.name = "a line, or an object with pause, text, hex, close or reset",
	.choices = (const struct shape *const[]){ &format_text, &pause_item, NULL } };
static const struct shape raw_items = {
	.kind = SHAPE_LIST, .name = "a list of lines", .items = &raw_item, .min_items = 1
};

static const struct shape null_shape = { .kind = SHAPE_NULL, .name = "null" };
static const struct shape user_shape = { .kind = SHAPE_CHOICE,
	.name = "a user of the suite, or null",
	.literal = true,
	.choices = (const struct shape *const[]){ &format_literal, &null_shape, NULL } };

/* What every step takes; behind the keys of its verb. */
static const struct shape_key COMMON_KEYS[] = {
	{ "name", &format_literal, "for later steps: ${NAME.headers.ETag}, same_as", false },
	{ "why", &format_literal, "for readers", false },
	{ "matrix", &format_matrix, "run once for each cell", false },
	{ "variables", &format_variables, "for this step", false },
	{ "within", &format_wait, "10s by default; outlasting it is a finding", false },
	{ "repeat", &format_count, "so many times, at least once", false },
	{ "retry", &format_wait, "again until it holds, for so long", false },
	{ "to", &format_literal, "one of `suts`", false },
	{ "as", &user_shape, "a user of the suite's `sessions`; null for none", false },
	{ "headers", &format_headers, "sent with its requests; null leaves one out", false },
};

const struct shape_key *step_common_key_at(size_t index)
{
	return index < sizeof COMMON_KEYS / sizeof *COMMON_KEYS ? &COMMON_KEYS[index] : NULL;
}

#define REQUEST_OPTIONS                                                                            \
	{ "body", &format_text, "sent as it is", false },                                          \
		{ "json", &format_any, "sent as JSON, with its Content-Type", false },             \
		{ "file", &format_text, "a file beside the case, sent as it is", false },          \
		{ "hex", &hex_shape, "bytes, sent as they are", false },                           \
		{ "connection", &connection_shape,                                                 \
			"\"new\": not over the connection of the step before", false },            \
		{ "capture", &capture_shape, "parts of the answer, for later steps", false },      \
	{                                                                                          \
		"expect", &expect_exchange_shape, "what must hold of the answer", false            \
	}

#define REQUEST(verb)                                                                              \
	static const struct shape verb##_shape = { .kind = SHAPE_OBJECT,                           \
		.name = "a request",                                                               \
		.keys = KEYS({ #verb, &target_shape, "the target, sent as written", true },        \
			REQUEST_OPTIONS),                                                          \
		.key_at = step_common_key_at }

REQUEST(get);
REQUEST(head);
REQUEST(post);
REQUEST(put);
REQUEST(patch);
REQUEST(delete);
REQUEST(options);

static const struct shape request_shape = { .kind = SHAPE_OBJECT,
	.name = "a request",
	.keys = KEYS({ "request", &target_shape, "the target, sent as written", true },
		{ "method", &format_text, "any other method", true }, REQUEST_OPTIONS),
	.key_at = step_common_key_at };

static const struct shape group_shape = { .kind = SHAPE_OBJECT,
	.name = "a group",
	.keys = KEYS({ "group", &steps_shape, "steps that run one after another", true }),
	.key_at = step_common_key_at };

static const struct shape raw_shape = { .kind = SHAPE_OBJECT,
	.name = "a raw request",
	.keys = KEYS({ "raw", &raw_items, "one item a line, sent with CR LF", true },
		{ "connection", &connection_shape,
			"\"new\": not over the connection of the step before", false },
		{ "capture", &capture_shape, "parts of the answer, for later steps", false },
		{ "expect", &expect_exchange_shape, "what must hold of the answer", false }),
	.key_at = step_common_key_at };

static const struct shape refuses_shape = { .kind = SHAPE_OBJECT,
	.name = "settings that must be refused",
	.keys = KEYS({ "refuses", &format_settings, "settings the SUT must not start with", true },
		{ "control", &format_settings, "settings it does start with", false },
		{ "expect", &expect_process_shape, "what must hold of its end", false }),
	.key_at = step_common_key_at };

static const struct shape exec_shape = { .kind = SHAPE_OBJECT,
	.name = "a command",
	.keys = KEYS({ "exec", &format_command, "program and arguments", true },
		{ "env", &format_env, "environment variables", false },
		{ "input", &format_text, "its standard input", false },
		{ "expect", &expect_process_shape, "what must hold of its end; exit 0 is implied",
			false }),
	.key_at = step_common_key_at };

static const struct shape pause_step = { .kind = SHAPE_OBJECT,
	.name = "a pause",
	.keys = KEYS({ "pause", &format_duration, "a duration", true },
		{ "why", &format_literal, "compulsory", true }),
	.key_at = NULL };

#define ROW(word, verb, help, flags, shape)                                                        \
	{                                                                                          \
		(word), (verb), (help), (flags)&SENDS, (flags)&ALONE,                              \
		{                                                                                  \
			(word), &(shape)                                                           \
		}                                                                                  \
	}

enum { NOTHING = 0, SENDS = 1, ALONE = 2 };

/* The requests come first: request_at() gives no others. */
static const struct step_kind KINDS[] = {
	ROW("get", VERB_REQUEST, "a GET request", SENDS, get_shape),
	ROW("head", VERB_REQUEST, "a HEAD request", SENDS, head_shape),
	ROW("post", VERB_REQUEST, "a POST request", SENDS, post_shape),
	ROW("put", VERB_REQUEST, "a PUT request", SENDS, put_shape),
	ROW("patch", VERB_REQUEST, "a PATCH request", SENDS, patch_shape),
	ROW("delete", VERB_REQUEST, "a DELETE request", SENDS, delete_shape),
	ROW("options", VERB_REQUEST, "an OPTIONS request", SENDS, options_shape),
	ROW("request", VERB_REQUEST, "a request with any other method", SENDS, request_shape),
	ROW("group", VERB_GROUP, "steps one after another", NOTHING, group_shape),
	ROW("parallel", VERB_PARALLEL, "named lists of steps side by side", NOTHING,
		parallel_step_shape),
	ROW("barrier", VERB_BARRIER, "where the lists of a parallel wait for one another", NOTHING,
		barrier_step_shape),
	ROW("stream", VERB_STREAM, "an event stream, with steps that run while it is open", SENDS,
		stream_step_shape),
	ROW("await", VERB_AWAIT, "an event that must come on the stream", NOTHING,
		await_step_shape),
	ROW("quiet", VERB_QUIET, "an event that must not come on the stream", NOTHING,
		quiet_step_shape),
	ROW("budget", VERB_BUDGET, "exactly so many requests a window, then refusals",
		SENDS | ALONE, budget_step_shape),
	ROW("probe", VERB_PROBE,
		"a light request on a fixed schedule, before and while others are served",
		SENDS | ALONE, probe_step_shape),
	ROW("load", VERB_LOAD, "requests by many users, or at a rate, and what they cost",
		SENDS | ALONE, load_step_shape),
	ROW("hold", VERB_HOLD, "more and more event streams, held open side by side", SENDS | ALONE,
		hold_step_shape),
	ROW("openapi", VERB_OPENAPI, "an OpenAPI document, its operations, and what each answers",
		SENDS, openapi_step_shape),
	ROW("upstream", VERB_UPSTREAM, "stops, starts, cuts or sets the upstream", NOTHING,
		upstream_step_shape),
	ROW("journal", VERB_JOURNAL, "what reached the upstream", NOTHING, journal_step_shape),
	ROW("raw", VERB_RAW, "bytes as they are; the answer's framing is judged strictly", SENDS,
		raw_shape),
	ROW("refuses", VERB_REFUSES, "settings that the SUT must not start with", NOTHING,
		refuses_shape),
	ROW("exec", VERB_EXEC, "a command", NOTHING, exec_shape),
	ROW("pause", VERB_PAUSE, "nothing, for a duration that `why` accounts for", NOTHING,
		pause_step),
};

const struct step_kind *step_kind_at(size_t index)
{
	return index < sizeof KINDS / sizeof *KINDS ? &KINDS[index] : NULL;
}

const struct step_kind *step_kind_find(const char *word)
{
	for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++)
		if (strcmp(KINDS[i].word, word) == 0)
			return &KINDS[i];
	return NULL;
}

const struct step_kind *step_kind_of(const cJSON *node)
{
	if (cJSON_IsString(node))
		return step_kind_find("get");
	if (!cJSON_IsObject(node))
		return NULL;
	const cJSON *member;
	cJSON_ArrayForEach (member, node) {
		const struct step_kind *kind = step_kind_find(member->string);
		if (kind)
			return kind;
	}
	return NULL;
}

static const struct shape_variant *variant_at(size_t index)
{
	return index < sizeof KINDS / sizeof *KINDS ? &KINDS[index].variant : NULL;
}

static const struct shape verb_shape = {
	.kind = SHAPE_VARIANT, .name = "a step", .variant_at = variant_at
};
static const struct shape_variant *request_at(size_t index)
{
	const struct step_kind *kind = step_kind_at(index);
	return kind && kind->verb == VERB_REQUEST ? &kind->variant : NULL;
}

static const struct shape request_object = {
	.kind = SHAPE_VARIANT, .name = "a request", .variant_at = request_at
};
const struct shape request_any_shape = { .kind = SHAPE_CHOICE,
	.name = "a request, or a target to GET",
	.choices = (const struct shape *const[]){ &target_shape, &request_object, NULL },
	.schema_name = "request" };
const struct shape step_shape = { .kind = SHAPE_CHOICE,
	.name = "a step, or a target to GET",
	.choices = (const struct shape *const[]){ &target_shape, &verb_shape, NULL },
	.schema_name = "step" };
const struct shape steps_shape = { .kind = SHAPE_LIST,
	.name = "a list of steps",
	.items = &step_shape,
	.min_items = 1,
	.literal = true };

bool step_holds_steps(const struct step *step, const cJSON *member)
{
	if (member == step->subject)
		return step->steps || step->inner_count || step->lists;
	return step->inner_count &&
	       (strcmp(member->string, "steps") == 0 || strcmp(member->string, "while") == 0 ||
		       strcmp(member->string, "unaffected") == 0);
}

bool step_answers(const struct step *step)
{
	return step->verb == VERB_REQUEST || step->verb == VERB_RAW || step->verb == VERB_STREAM;
}

bool step_measures(const struct step *step)
{
	return step->verb == VERB_PROBE || step->verb == VERB_OPENAPI || step->verb == VERB_LOAD ||
	       step->verb == VERB_HOLD;
}

enum expect_subject step_subject(const struct step *step)
{
	switch (step->verb) {
	case VERB_REFUSES:
	case VERB_EXEC: return EXPECT_PROCESS;
	case VERB_PROBE: return EXPECT_PROBE;
	case VERB_OPENAPI: return EXPECT_OPENAPI;
	case VERB_LOAD: return EXPECT_LOAD;
	case VERB_HOLD: return EXPECT_HOLD;
	default: return EXPECT_EXCHANGE;
	}
}

const char *step_method(const struct step *step)
{
	static const char *const METHODS[][2] = { { "get", "GET" }, { "head", "HEAD" },
		{ "post", "POST" }, { "put", "PUT" }, { "patch", "PATCH" }, { "delete", "DELETE" },
		{ "options", "OPTIONS" } };
	for (size_t i = 0; i < sizeof METHODS / sizeof *METHODS; i++)
		if (strcmp(METHODS[i][0], step->word) == 0)
			return METHODS[i][1];
	return json_text(step->node, "method");
}
