/*
 * One session gets exactly `limit` requests a window, then refusals that say how long to wait, several windows in a row.
 *
 * A window opens with the session's first request. Sign-in may have spent some of the budget, so one window is let pass
 * first. The request that shows that Retry-After was honest is the first of the next window.
 */
#include <string.h>

#include "base/units.h"
#include "case/option.h"
#include "case/template.h"
#include "drive/outgoing_request.h"
#include "drive/steps.h"
#include "drive/wait.h"
#include "http/retry_after.h"

struct budget {
	struct case_run *c;
	const struct walk_step *at;
	struct scope *scope;
	struct request request;
	struct client *client;
	const char *details;
	size_t limit, windows;
	int64_t window_ns;
	const char *honours;
	size_t window; /* that runs now, from 1 */
	size_t served; /* in it */
	int64_t opened_ns;
	bool refused_twice; /* some window lasted long enough for that */
};

static struct judged judged_of(const struct budget *b, const struct exchange *exchange)
{
	return (struct judged){ .exchange = exchange,
		.request = arena_print(
			b->c->root.arena, "%s %s", b->request.method, b->request.target),
		.details = b->details,
		.strict_framing = true };
}

static bool found(struct budget *b, const char *below, const struct exchange *exchange,
	const char *what, const char *expected, const char *text)
{
	struct judged judged = judged_of(b, exchange);
	judge_step_finding(b->c, b->at, below, &judged, what, expected, text);
	return false;
}

static struct exchange *send_one(struct budget *b)
{
	b->c->tally.requests++;
	b->request.within_ns = 10 * NS_PER_S;
	return wait_exchange(b->c, b->client, &b->request);
}

static const char *ending(struct budget *b, const struct exchange *exchange)
{
	if (!exchange->status)
		return arena_print(b->c->root.arena, "%s", exchange->failure_text);
	return arena_print(b->c->root.arena, "status %d", exchange->status);
}

static bool is_served(const struct exchange *exchange)
{
	return exchange->status >= 200 && exchange->status < 300 &&
	       exchange->failure == FAILURE_NONE;
}

/* What was answered when the window was over by our clock, which began no later than the server's, proves nothing. */
static bool too_late(struct budget *b)
{
	if (clock_now_ns() - b->opened_ns < b->window_ns)
		return false;
	tally_problem(&b->c->tally, PROBLEM_INVALID, b->at->step->place,
		"%zu requests took longer than the window of %lld ms: nothing can be said of the budget",
		b->served + 1, (long long)(b->window_ns / NS_PER_MS));
	return true;
}

/* Sends until the budget is used up. False after a finding, or a problem: what did not fit the window proves nothing. */
static bool use_up(struct budget *b)
{
	struct arena *arena = b->c->root.arena;
	if (!b->served)
		b->opened_ns = clock_now_ns();
	b->c->tally.checks++;
	while (b->served < b->limit) {
		struct exchange *exchange = send_one(b);
		bool served = is_served(exchange), late = too_late(b);
		if (!served && !late)
			found(b, "/limit", exchange, "budget",
				arena_print(arena, "%zu requests served in window %zu", b->limit,
					b->window),
				arena_print(arena, "%zu served, then %s", b->served,
					ending(b, exchange)));
		exchange_free(exchange);
		if (!served || late)
			return false;
		b->served++;
	}
	return true;
}

/* The `refused` group, which stands beside the request and not in an `expect`. */
static bool judge_refused(struct budget *b, const struct exchange *exchange)
{
	const cJSON *group = json_get(b->at->step->node, "refused");
	struct judged judged = judged_of(b, exchange);
	return judge_group_of(b->c, b->at, b->scope, &judged, group);
}

/* The window, in whole seconds rounded up; a date may be one more away, as both clocks cut their seconds off. */
static int64_t longest_wait(const struct budget *b, const struct exchange *exchange)
{
	int64_t seconds = (b->window_ns + NS_PER_S - 1) / NS_PER_S;
	const char *text = exchange_header(exchange, "Retry-After");
	bool date = text && (text[0] < '0' || text[0] > '9');
	return (seconds + date) * NS_PER_S;
}

static bool read_wait(struct budget *b, const struct exchange *exchange, int64_t *wait_ns)
{
	struct err err = { 0 };
	*wait_ns = 0;
	if (!b->honours)
		return true;
	b->c->tally.checks++;
	if (retry_after_read(exchange, time(NULL), wait_ns, &err) != RC_OK)
		return found(b, "/honours", exchange, "Retry-After",
			"a number of seconds above 0, or a date to come", err.text);
	if (*wait_ns <= longest_wait(b, exchange))
		return true;
	return found(b, "/honours", exchange, "Retry-After",
		arena_print(b->c->root.arena, "no longer than the window of %lld ms",
			(long long)(b->window_ns / NS_PER_MS)),
		arena_print(b->c->root.arena, "%lld s", (long long)(*wait_ns / NS_PER_S)));
}

/* A refused request is refused again a moment later, and neither lengthens the wait nor renews the window. */
static bool refuse_again(struct budget *b, int64_t refused_ns, int64_t wait_ns)
{
	int64_t again_ns = 0;
	if (wait_pause(b->c, refused_ns + b->window_ns / 10) == RC_CLOSED)
		return false;
	if (clock_now_ns() >= b->opened_ns + b->window_ns - b->window_ns / 20)
		return true;
	int64_t sent_ns = clock_now_ns();
	struct exchange *exchange = send_one(b);
	b->refused_twice = true;
	bool holds = judge_refused(b, exchange) && read_wait(b, exchange, &again_ns);
	if (holds && sent_ns + again_ns > refused_ns + wait_ns + NS_PER_S)
		holds = found(b, "/refused", exchange, "Retry-After",
			"not to be lengthened by a refused request",
			arena_print(b->c->root.arena, "%lld s, and %lld s after one more",
				(long long)(wait_ns / NS_PER_S), (long long)(again_ns / NS_PER_S)));
	exchange_free(exchange);
	return holds;
}

static bool others_unaffected(struct budget *b)
{
	bool holds = true;
	for (size_t i = 1; i < b->at->step->inner_count; i++) {
		struct walk_step inner = *b->at;
		inner.step = &b->at->step->inner[i];
		holds = step_request(b->c, &inner, case_run_scope(b->c, &inner)) && holds;
		b->c->tally.checks++;
	}
	return holds;
}

/* Whoever waits as long as it was told is served. */
static bool served_after(struct budget *b, int64_t until_ns)
{
	if (wait_pause(b->c, until_ns) == RC_CLOSED)
		return false;
	b->opened_ns = clock_now_ns();
	struct exchange *exchange = send_one(b);
	bool served = is_served(exchange);
	b->c->tally.checks++;
	if (!served)
		found(b, b->honours ? "/honours" : "/window", exchange, "window",
			b->honours ? "the next request served after waiting as told"
				   : "the next request served in the next window",
			ending(b, exchange));
	exchange_free(exchange);
	b->served = 1;
	return served;
}

static bool run_window(struct budget *b)
{
	int64_t wait_ns;
	if (!use_up(b))
		return false;
	struct exchange *exchange = send_one(b);
	int64_t refused_ns = clock_now_ns();
	bool late = is_served(exchange) && too_late(b);
	bool holds = !late && judge_refused(b, exchange);
	if (holds)
		holds = read_wait(b, exchange, &wait_ns);
	exchange_free(exchange);
	holds = !late && others_unaffected(b) && holds;
	if (!holds || !refuse_again(b, refused_ns, wait_ns))
		return false;
	/* A few milliseconds for clocks that do not tick together. */
	int64_t end_ns = b->honours ? refused_ns + wait_ns : b->opened_ns + b->window_ns;
	return served_after(b, end_ns + 5 * NS_PER_MS);
}

static enum rc read_options(struct budget *b, struct err *err)
{
	const struct step *step = b->at->step;
	cJSON *honours = NULL;
	enum rc rc = option_count(b->scope, step, "limit", 0, &b->limit, err);
	if (rc == RC_OK)
		rc = option_count(b->scope, step, "windows", 1, &b->windows, err);
	if (rc == RC_OK)
		rc = option_duration(b->scope, step, "window", 0, &b->window_ns, err);
	if (rc == RC_OK)
		rc = option_get(b->scope, step, "honours", &honours, err);
	if (rc == RC_OK && (!b->limit || !b->windows || !b->window_ns))
		rc = err_set(err, RC_USAGE, "", "expected a limit, windows and a window above 0");
	b->honours = rc == RC_OK && honours ? honours->valuestring : NULL;
	return rc;
}

bool step_budget(struct case_run *c, const struct walk_step *at, struct scope *scope)
{
	struct err err = { 0 };
	struct budget b = { .c = c, .at = at, .scope = scope };
	enum rc rc = read_options(&b, &err);
	if (rc == RC_OK)
		rc = outgoing_request(c, &at->step->inner[0], scope, &b.request, &b.details, &err);
	if (rc != RC_OK) {
		judge_step_problem(c, at, rc, err.text);
		return false;
	}
	b.client = case_run_client(c, &at->step->inner[0]);
	if (wait_pause(c, clock_now_ns() + b.window_ns) == RC_CLOSED)
		return false;
	bool holds = true;
	for (b.window = 1; b.window <= b.windows && holds; b.window++)
		holds = run_window(&b);
	if (holds && !b.refused_twice)
		tally_problem(&c->tally, PROBLEM_INVALID, at->step->place,
			"no window lasted long enough for a second refusal: its length may be too near to what %zu requests take",
			b.limit);
	return holds && b.refused_twice;
}
