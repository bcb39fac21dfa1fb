/*
 * More and more event streams are held open side by side, each round proven alive by steps, until there are enough or the
 * SUT's memory cap is full and the kernel has killed it. How many there were, and what one more of them costs, are numbers.
 *
 * What the steps find in the round in which the SUT is killed is its death, and not told.
 */
#include <string.h>

#include "case/option.h"
#include "drive/outgoing_request.h"
#include "drive/steps.h"
#include "drive/stream.h"
#include "drive/suts.h"
#include "drive/view.h"
#include "drive/wait.h"
#include "measure/hold_chart.h"
#include "stats/slope.h"
#include "sut/cap.h"
#include "sut/sut.h"

/* A killed SUT's sockets close before its death is known. */
enum { DEATH_MS = 1000, LOOK_MS = 5, UP_TO_MAX = 100 * 1000 };

/* What one more stream costs: the SUT's resident memory; what it has of its cap; and of that the kernel's part. */
enum { HOLD_RESIDENT, HOLD_CAPPED, HOLD_KERNEL, HOLD_KINDS };
static const char *const kinds[] = { "streams.memory_each", "streams.cap_each",
	"streams.kernel_each" };

/* Of a round that held: how many streams there were and what the SUT took. */
struct point {
	double streams;
	double taken[HOLD_KINDS]; /* 0: not known */
};

enum hold_end { HOLD_GOES_ON, HOLD_FULL, HOLD_KILLED, HOLD_BROKEN };

struct holding {
	struct case_run *c;
	const struct walk_step *at;
	struct scope *scope;
	struct running *running;
	struct request request;
	const char *details;
	size_t add, up_to;
	int64_t every_ns, within_ns;
	bool until_oom;
	struct stream *first, *last, *fresh; /* fresh: the first of this round's */
	size_t count, held;                  /* held: in the last round that held */
	struct sample *sample;
	struct point *points;
	size_t point_count;
};

static enum rc read_options(struct holding *h, struct err *err)
{
	const struct step *step = h->at->step;
	enum rc rc = outgoing_request(h->c, step->inner, h->scope, &h->request, &h->details, err);
	if (rc == RC_OK)
		rc = option_count(h->scope, step, "add", 0, &h->add, err);
	if (rc == RC_OK)
		rc = option_count(h->scope, step, "up_to", 0, &h->up_to, err);
	if (rc == RC_OK)
		rc = option_duration(h->scope, step, "every", 0, &h->every_ns, err);
	if (rc == RC_OK)
		rc = steps_within(h->c, h->at, h->scope, 10 * NS_PER_S, &h->within_ns, err);
	if (rc == RC_OK && (!h->add || !h->up_to || h->up_to > UP_TO_MAX))
		rc = err_set(err, RC_USAGE, "", "up_to: expected 1 to %d", UP_TO_MAX);
	h->until_oom = json_get(step->node, "until") != NULL;
	struct cap_usage usage;
	if (rc == RC_OK && h->until_oom &&
		(!h->running->sut || !sut_memory(h->running->sut, &usage)))
		rc = err_set(err, RC_USAGE, "",
			"until: expected memory_max of the SUT: nothing ends it without");
	return rc;
}

static void open_more(struct holding *h)
{
	struct case_run *c = h->c;
	size_t left = h->up_to - h->count, count = h->add < left ? h->add : left;
	struct stream *streams = arena_alloc(c->root.arena, count, sizeof *streams);
	struct request_watch *watches = arena_alloc(c->root.arena, count, sizeof *watches);
	struct request *requests = arena_alloc(c->root.arena, count, sizeof *requests);
	struct stream *outer = c->stream;
	for (size_t i = 0; i < count; i++) {
		stream_init(&streams[i], c, h->at->step);
		streams[i].outer = NULL;
		streams[i].next = i + 1 < count ? &streams[i + 1] : NULL;
		watches[i] = stream_watch(&streams[i]);
		requests[i] = h->request;
		requests[i].watch = &watches[i];
		requests[i].within_ns = CLOCK_NEVER;
		streams[i].transfer =
			client_start(case_run_client(c, h->at->step->inner), &requests[i]);
		c->tally.requests++;
	}
	if (h->last)
		h->last->next = streams;
	else
		h->first = streams;
	c->stream = outer;
	h->fresh = streams;
	h->last = &streams[count - 1];
	h->count += count;
}

static bool heads_or_over(void *self)
{
	struct holding *h = self;
	for (; h->fresh; h->fresh = h->fresh->next)
		if (!h->fresh->head_ns && !stream_over(h->fresh))
			return false;
	return true;
}

/* The first stream that is not open, or NULL; *number counts from 1. */
static struct stream *find_closed(struct holding *h, size_t *number)
{
	*number = 1;
	for (struct stream *s = h->first; s; s = s->next, ++*number)
		if (!s->head_ns || stream_over(s))
			return s;
	return NULL;
}

static bool was_killed(struct holding *h)
{
	size_t number;
	int64_t until_ns = clock_now_ns() + DEATH_MS * NS_PER_MS;
	while (h->until_oom && !suts_spent(h->c, h->running)) {
		if (!find_closed(h, &number) || clock_now_ns() >= until_ns)
			return false;
		if (wait_pause(h->c, clock_now_ns() + LOOK_MS * NS_PER_MS) != RC_TIMEOUT)
			return false;
	}
	return h->until_oom;
}

static const char *closed_words(struct holding *h, struct stream *stream)
{
	struct arena *arena = h->c->root.arena;
	if (!transfer_done(stream->transfer))
		return stream->head_ns ? stream->broken : "no head in time";
	struct exchange *exchange = transfer_take(stream->transfer);
	stream->transfer = NULL;
	const char *words =
		exchange->failure_text
			? arena_text(arena, exchange->failure_text)
			: arena_print(arena, "a complete answer, status %d", exchange->status);
	exchange_free(exchange);
	return words;
}

/* A stream that could not be opened, or that ended. Until the cap is full, that only says who was first. */
static void tell_closed(struct holding *h, struct stream *stream, size_t number)
{
	struct case_run *c = h->c;
	const char *words = closed_words(h, stream);
	struct judged judged = { .request =
					 arena_print(c->root.arena, "hold %s", h->request.target),
		.details = h->details };
	if (h->until_oom)
		judge_step_problem(c, h->at, RC_ENVIRONMENT,
			arena_print(c->root.arena,
				"stream %zu of %zu is not open, and the memory cap was not full: %s",
				number, h->count, words));
	else
		judge_step_finding(c, h->at, "/hold", &judged, "stream",
			arena_print(c->root.arena, "%zu streams held open", h->count),
			arena_print(c->root.arena, "stream %zu is not: %s", number, words));
}

/* The steps of a round; false where they, or a signal, ended the walk. */
static bool run_steps(struct holding *h)
{
	struct case_run *c = h->c;
	struct stream *outer = c->stream;
	struct walker walker = { c, steps_visit, steps_broken, c->run->filters,
		c->run->filter_count };
	c->stream = h->first;
	c->sent_ns = clock_now_ns();
	enum rc rc = walk_steps(
		&walker, h->at->step->steps, h->at->step->step_count, h->at->scope, h->at->cell);
	c->stream = outer;
	return rc == RC_OK;
}

static void take_point(struct holding *h)
{
	struct cost_row row;
	struct cap_usage usage;
	struct point *p = &h->points[h->point_count];
	*p = (struct point){ .streams = (double)h->count };
	if (!h->sample)
		return;
	sample_mark(h->sample);
	if (!sample_last(h->sample, &row))
		return;
	p->taken[HOLD_RESIDENT] = (double)row.memory_bytes;
	if (h->running->sut && sut_memory(h->running->sut, &usage)) {
		p->taken[HOLD_CAPPED] = (double)usage.current_bytes;
		p->taken[HOLD_KERNEL] = (double)usage.kernel_bytes;
	}
	h->point_count++;
}

static enum hold_end run_round(struct holding *h)
{
	struct case_run *c = h->c;
	struct tally_mark mark = tally_mark(&c->tally);
	struct stream *closed;
	size_t number;
	open_more(h);
	enum rc rc = wait_until(c, heads_or_over, h, clock_now_ns() + h->within_ns);
	bool held = rc != RC_CLOSED && !find_closed(h, &number);
	if (held && h->at->step->step_count)
		held = run_steps(h) && !tally_changed(&c->tally, &mark);
	if (*c->run->stop) {
		case_run_interrupted(c, h->at->step->place);
		return HOLD_BROKEN;
	}
	closed = find_closed(h, &number);
	if (closed && was_killed(h)) {
		tally_back(&c->tally, &mark);
		return HOLD_KILLED;
	}
	if (closed && !tally_changed(&c->tally, &mark) && suts_alive(c))
		tell_closed(h, closed, number);
	if (closed || !held)
		return HOLD_BROKEN;
	h->held = h->count;
	take_point(h);
	return h->count < h->up_to ? HOLD_GOES_ON : HOLD_FULL;
}

static enum hold_end run_rounds(struct holding *h)
{
	enum hold_end end = HOLD_GOES_ON;
	while (end == HOLD_GOES_ON) {
		int64_t next_ns = clock_now_ns() + h->every_ns;
		end = run_round(h);
		if (end == HOLD_GOES_ON && wait_pause(h->c, next_ns) == RC_CLOSED) {
			case_run_interrupted(h->c, h->at->step->place);
			return HOLD_BROKEN;
		}
	}
	if (end != HOLD_FULL || !h->until_oom)
		return end;
	judge_step_problem(h->c, h->at, RC_ENVIRONMENT,
		arena_print(h->c->root.arena,
			"%zu streams were held and the memory cap was not full: `up_to` is too low, or memory_max too high",
			h->held));
	return HOLD_BROKEN;
}

static void add_slopes(const struct holding *h, struct measures *m)
{
	for (size_t kind = 0; kind < HOLD_KINDS; kind++) {
		struct slope slope = { 0 };
		double each;
		for (size_t i = 0; i < h->point_count; i++)
			if (h->points[i].taken[kind] > 0)
				slope_add(&slope, h->points[i].streams, h->points[i].taken[kind]);
		if (slope_take(&slope, &each))
			measures_add(m, kinds[kind], (struct quantity){ UNIT_BYTES, each }, NULL);
	}
}

/* The first stands for all: the requests are the same. That a killed SUT cut it off is no failure of its answer. */
static bool judge_first(struct holding *h, struct exchange *exchange)
{
	struct walk_step inner = *h->at;
	struct judged judged = { .exchange = exchange,
		.request = arena_print(
			h->c->root.arena, "%s %s", h->request.method, h->request.target),
		.details = h->details,
		.within_ns = h->within_ns };
	inner.step = h->at->step->inner;
	exchange->failure = FAILURE_NONE;
	return judge(h->c, &inner, h->scope, &judged);
}

/* Ends all streams; how many events they have brought. */
static size_t end_streams(struct holding *h, bool judged, bool *holds)
{
	size_t events = 0;
	for (struct stream *s = h->first; s; s = s->next) {
		events += s->count;
		struct exchange *exchange = !s->transfer ? NULL
					    : transfer_done(s->transfer)
						    ? transfer_take(s->transfer)
						    : transfer_leave(s->transfer);
		s->transfer = NULL;
		if (judged && s == h->first && exchange)
			*holds = judge_first(h, exchange);
		if (exchange)
			exchange_free(exchange);
		stream_release(s);
	}
	h->c->tally.events += events;
	return events;
}

static struct measures *measure(struct holding *h, size_t events, int64_t from_ns)
{
	struct measures *m = arena_alloc(h->c->root.arena, 1, sizeof *m);
	measures_init(m, h->c->root.arena);
	measures_add(m, "streams.held", (struct quantity){ UNIT_COUNT, (double)h->held }, NULL);
	add_slopes(h, m);
	measures_add(m, "streams.delivered", (struct quantity){ UNIT_COUNT, (double)events }, NULL);
	suts_cost(h->running, h->sample, from_ns, clock_now_ns(), m);
	return m;
}

static void draw(struct holding *h, enum hold_end end)
{
	struct tally *tally = &h->c->tally;
	struct chart *chart = hold_chart_new(tally->arena);
	struct process_end died = { 0 };
	const char *name;
	for (size_t i = 0; i < h->point_count; i++)
		hold_chart_add(chart, h->points[i].streams, h->points[i].taken[HOLD_RESIDENT],
			h->points[i].taken[HOLD_CAPPED]);
	if (end == HOLD_KILLED)
		sut_alive(h->running->sut, &died, &name, h->c->root.arena);
	hold_chart_end(chart, (double)h->count, (double)died.memory_max_bytes, end == HOLD_KILLED);
	if (h->point_count)
		tally_chart(tally, h->at->step->place.pointer, h->at->cell.label, chart);
}

bool step_hold(struct case_run *c, const struct walk_step *at, struct scope *scope)
{
	struct holding h = {
		.c = c, .at = at, .scope = scope, .running = case_run_sut(c, at->step)
	};
	struct err err = { 0 };
	bool holds = true;
	enum rc rc = read_options(&h, &err);
	if (rc != RC_OK) {
		judge_step_problem(c, at, rc, err.text);
		return false;
	}
	h.points = arena_alloc(c->root.arena, h.up_to / h.add + 2, sizeof *h.points);
	h.sample = suts_sample(h.running);
	int64_t from_ns = clock_now_ns();
	enum hold_end end = run_rounds(&h);
	size_t events = end_streams(&h, end != HOLD_BROKEN, &holds);
	struct measures *m = measure(&h, events, from_ns);
	tally_figures(&c->tally, at->step->place.pointer, at->cell.label, m);
	draw(&h, end);
	if (end != HOLD_BROKEN) {
		struct judged judged = { .measures = m,
			.request = arena_print(
				c->root.arena, "hold of %s %s", h.request.method, h.request.target),
			.details = h.details };
		holds = judge(c, at, scope, &judged) && holds;
	}
	if (at->step->name)
		scope_bind_owned(at->names, at->step->name, view_measures(m), BINDING_RECEIVED);
	sample_free(h.sample);
	return holds && end != HOLD_BROKEN;
}
