#include "case/steps_mail.h"

#include "base/units.h"
#include "case/format.h"
#include "case/steps.h"
#include "expect/event.h"
#include "expect/expect.h"
#include "expect/matcher.h"

static const struct shape comparison_shape = {
	.kind = SHAPE_STRING, .name = "a comparison such as \">= 3\"", .valid = comparison_valid
};
static const struct shape number_shape = { .kind = SHAPE_CHOICE,
	.name = "a count, or a comparison such as \">= 3\"",
	.choices = (const struct shape *const[]){ &format_count, &comparison_shape, NULL } };
static const struct shape line_shape = { .kind = SHAPE_MAP,
	.name = "JSON pointers into a line of the journal and what each must lead to",
	.valid = json_pointer_valid,
	.items = &matcher_value_shape };

const struct shape stream_step_shape = { .kind = SHAPE_OBJECT,
	.name = "an event stream",
	.keys = KEYS({ "stream", &request_any_shape, "the request, or a target to GET", true },
		{ "steps", &steps_shape,
			"run once the head is in; a stream that ends earlier is a finding", true },
		{ "resume", &format_text, "sent as Last-Event-ID", false },
		{ "count", &format_some,
			"so many of it side by side (1 by default); an await then means each of them",
			false },
		{ "expect", &expect_exchange_shape, "what must hold of it as a whole", false }),
	.key_at = step_common_key_at };

const struct shape await_step_shape = { .kind = SHAPE_OBJECT,
	.name = "an event that must come",
	.keys = KEYS({ "await", &event_shape,
		"an event of the stream around it, `within` (10s by default) of the send of the step before; earlier ones don't count",
		true }),
	.key_at = step_common_key_at };

const struct shape quiet_step_shape = { .kind = SHAPE_OBJECT,
	.name = "an event that must not come",
	.keys = KEYS({ "quiet", &event_shape, "an event of the stream around it", true },
		{ "for", &format_duration, "for so long", true }),
	.key_at = step_common_key_at };

static const struct shape refused_shape = { .name = "what must hold of a refusal",
	.kind = SHAPE_OBJECT,
	.key_at = expect_exchange_key_at };
static const char *const HONOURED[] = { "Retry-After", NULL };
static const struct shape honours_shape = {
	.kind = SHAPE_STRING, .name = "\"Retry-After\"", .words = HONOURED
};
static const struct shape requests_shape = { .kind = SHAPE_LIST,
	.name = "a list of requests",
	.items = &request_any_shape,
	.min_items = 1 };

const struct shape budget_step_shape = { .kind = SHAPE_OBJECT,
	.name = "a budget",
	.keys = KEYS(
		{ "budget", &request_any_shape, "the request that is sent again and again", true },
		{ "limit", &format_some, "how many are served in a window", true },
		{ "window", &format_wait,
			"how long a window lasts; it opens with the session's first request",
			true },
		{ "windows", &format_some, "how many windows in a row; 1 by default", false },
		{ "refused", &refused_shape, "what must hold of the answer to one more", true },
		{ "honours", &honours_shape,
			"after waiting so long the next request must be served", false },
		{ "unaffected", &requests_shape, "requests that are still served meanwhile",
			false }),
	.key_at = step_common_key_at };

static const char *const UPSTREAM_WORDS[] = { "stop", "start", "cut", NULL };
static const struct shape upstream_word = {
	.kind = SHAPE_STRING, .name = "\"stop\", \"start\" or \"cut\"", .words = UPSTREAM_WORDS
};
static const struct shape upstream_set = { .kind = SHAPE_OBJECT,
	.name = "settings of the embedded server",
	.keys = KEYS({ "set", &format_variables, "knobs by name; null puts one back", true }) };
static const struct shape upstream_subject = { .kind = SHAPE_CHOICE,
	.name = "\"stop\", \"start\", \"cut\", or an object with `set`",
	.choices = (const struct shape *const[]){ &upstream_word, &upstream_set, NULL } };
const struct shape upstream_step_shape = { .kind = SHAPE_OBJECT,
	.name = "what happens to the upstream",
	.keys = KEYS({ "upstream", &upstream_subject,
		"a stopped one keeps store, journal and port; cut resets its connections", true }),
	.key_at = step_common_key_at };

static const struct shape journal_subject = { .kind = SHAPE_OBJECT,
	.name = "what the journal must say",
	.keys = KEYS({ "where", &line_shape, "the lines that count", false },
		{ "count", &number_shape, "how many lines match", false },
		{ "each", &line_shape, "what each of them must be; there must be one", false },
		{ "streams.open", &number_shape, "event streams that are open now", false },
		{ "connections", &number_shape, "connections that the matching lines speak of",
			false }) };
const struct shape journal_step_shape = { .kind = SHAPE_OBJECT,
	.name = "what reached the upstream",
	.keys = KEYS({ "journal", &journal_subject, "counted over the upstream's journal", true }),
	.key_at = step_common_key_at };

static const struct shape lists_shape = {
	.kind = SHAPE_MAP, .name = "an object of lists of steps", .items = &steps_shape
};
const struct shape parallel_step_shape = { .kind = SHAPE_OBJECT,
	.name = "lists of steps side by side",
	.keys = KEYS({ "parallel", &lists_shape, "each list with connections of its own", true }),
	.key_at = step_common_key_at };

const struct shape barrier_step_shape = { .kind = SHAPE_OBJECT,
	.name = "a barrier",
	.keys = KEYS({ "barrier", &format_literal,
		"a name; lists of a parallel that have it wait for one another", true }),
	.key_at = step_common_key_at };
