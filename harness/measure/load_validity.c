#include "measure/load_validity.h"

#include <math.h>

#define LAG_LEAST_NS NS_PER_MS /* a send lag up to this spoils nothing */
#define LAG_SHARE    0.1       /* nor one up to this share of the median */
#define BUSY_SHARE   0.8       /* of a core, for a thread of the generator */
#define WAITING_SHARE                                                                              \
	0.1 /* of the time with requests in flight, for the generator's wish for a processor */
#define MISSED_SHARE 0.95 /* of the schedule's rate */
#define STEAL_SHARE  0.01 /* of all cores' time */
#define BOUND_SHARE  0.01 /* requests that waited for the bound explain so much of the send lag */
#define NULL_FACTOR  2
#define EVERY_TIME   (LOAD_LATENCIES | LOAD_RATES | LOAD_AMOUNTS | LOAD_LAGS)
#define EVERY_NUMBER (EVERY_TIME | LOAD_ERRORS | LOAD_BYTES)

static const char *time_text(struct arena *arena, int64_t ns)
{
	char text[32];
	quantity_print((struct quantity){ UNIT_NS, (double)ns }, text, sizeof text);
	return arena_text(arena, text);
}

/* What a generator that is slow spoils. */
static unsigned pace(const struct load_facts *f)
{
	return LOAD_LATENCIES | LOAD_RATES | (f->counted ? 0 : LOAD_AMOUNTS);
}

static void send_lag(const struct load_facts *f, struct arena *arena, struct load_reason *reason)
{
	int64_t allowed = (int64_t)(LAG_SHARE * (double)f->response_p50_ns);
	/* What waits since the server fills the bound is the server's doing: more of them than p99 leaves out. */
	double by_server = (double)(f->bound_hits - f->bound_hits_own);
	bool explained = by_server > BOUND_SHARE * (double)f->measured;
	if (allowed < LAG_LEAST_NS)
		allowed = LAG_LEAST_NS;
	if (f->model != LOAD_OPEN || explained || f->send_lag_p99_ns <= allowed)
		return;
	reason->spoils = LOAD_LATENCIES;
	reason->text = arena_print(arena,
		"requests were sent late: send lag p99 %s, at most %s may be (1 ms, or a tenth of response p50)",
		time_text(arena, f->send_lag_p99_ns), time_text(arena, allowed));
}

/* A bound that is full is a verdict on the server only where the generator had its part of the processor. */
static void own_bound(const struct load_facts *f, struct arena *arena, struct load_reason *reason)
{
	double few = BOUND_SHARE * (double)f->measured;
	bool busy = f->busiest_thread > BUSY_SHARE && (double)f->bound_hits > few;
	if (f->model != LOAD_OPEN || (!busy && (double)f->bound_hits_own <= few))
		return;
	reason->spoils = EVERY_TIME;
	if (busy)
		reason->text = arena_print(arena,
			"too many requests were in flight while onus itself was busy: a thread had %.0f%% of a core, at most %.0f%% may be",
			100 * f->busiest_thread, 100 * BUSY_SHARE);
	else
		reason->text = arena_print(arena,
			"too many requests were in flight since onus itself was held up: so %llu of the %llu that waited did",
			(unsigned long long)f->bound_hits_own, (unsigned long long)f->bound_hits);
}

static void rate_missed(const struct load_facts *f, struct arena *arena, struct load_reason *reason)
{
	/* The number of arrivals of a Poisson process has its square root as deviation. */
	double slack = f->due > 0 ? 4 * sqrt(f->due) / f->due : 1;
	if (f->model != LOAD_OPEN || f->bound_hits > f->bound_hits_own || f->partial ||
		f->sent_per_s >= f->due_per_s * (MISSED_SHARE - slack))
		return;
	reason->spoils = pace(f);
	reason->text = arena_print(arena,
		"the rate was missed: %.0f of %.0f requests a second were sent, and not since too many were in flight",
		f->sent_per_s, f->due_per_s);
}

static void busy_thread(const struct load_facts *f, struct arena *arena, struct load_reason *reason)
{
	if (f->model != LOAD_CLOSED || f->busiest_thread <= BUSY_SHARE)
		return;
	reason->spoils = pace(f);
	reason->text = arena_print(arena,
		"onus itself was busy: a thread had %.0f%% of a core, at most %.0f%% may be; more threads or fewer users help",
		100 * f->busiest_thread, 100 * BUSY_SHARE);
}

static void kept_waiting(
	const struct load_facts *f, struct arena *arena, struct load_reason *reason)
{
	if (f->model != LOAD_CLOSED || f->waiting_share <= WAITING_SHARE)
		return;
	reason->spoils = pace(f);
	reason->one_way = true;
	reason->text = arena_print(arena,
		"onus waited for a processor for %.0f%% of the time with requests in flight, at most %.0f%% may be: without that, times are shorter and rates higher",
		100 * f->waiting_share, 100 * WAITING_SHARE);
}

static void exhausted(const struct load_facts *f, struct arena *arena, struct load_reason *reason)
{
	if (!f->local_failures)
		return;
	reason->spoils = EVERY_NUMBER;
	reason->text = arena_print(arena,
		"descriptors or ports of this machine ran out: %llu requests could not be sent",
		(unsigned long long)f->local_failures);
}

static void listen_queue(
	const struct load_facts *f, struct arena *arena, struct load_reason *reason)
{
	if (!f->listen_overflows)
		return;
	reason->spoils = LOAD_LATENCIES;
	reason->text = arena_print(arena,
		"a listen queue of this machine was full %llu times: connections waited for TCP's timers",
		(unsigned long long)f->listen_overflows);
}

static void steal(const struct load_facts *f, struct arena *arena, struct load_reason *reason)
{
	if (f->steal_share <= STEAL_SHARE)
		return;
	reason->spoils = EVERY_TIME;
	reason->text = arena_print(arena,
		"another machine had %.1f%% of the processors' time (steal in /proc/stat), at most %.0f%% may be",
		100 * f->steal_share, 100 * STEAL_SHARE);
}

static void throttled(const struct load_facts *f, struct arena *arena, struct load_reason *reason)
{
	if (f->throttled_ns <= 0)
		return;
	reason->spoils = EVERY_TIME;
	reason->text =
		arena_print(arena, "the control group's CPU quota held us up for %s (cpu.stat)",
			time_text(arena, f->throttled_ns));
}

static void near_ceiling(
	const struct load_facts *f, struct arena *arena, struct load_reason *reason)
{
	if (f->ceiling_per_s <= 0 || f->rate_per_s * NULL_FACTOR < f->ceiling_per_s)
		return;
	reason->text = arena_print(arena,
		"the rate is within a factor 2 of what a server that does nothing gives (%.0f a second): it may be onus's own",
		f->ceiling_per_s);
}

static void near_floor(const struct load_facts *f, struct arena *arena, struct load_reason *reason)
{
	if (f->floor_ns <= 0 || f->service_p50_ns <= 0 ||
		f->service_p50_ns >= NULL_FACTOR * f->floor_ns)
		return;
	reason->text = arena_print(arena,
		"the latency is within a factor 2 of a server that does nothing (%s): most of it may be onus's own",
		time_text(arena, f->floor_ns));
}

static void no_coding(const struct load_facts *f, struct arena *arena, struct load_reason *reason)
{
	if (!f->asked_for_coding || !f->answered || f->coded == f->answered)
		return;
	if (!f->coded)
		reason->text = "a content coding was asked for, and no answer had one";
	else
		reason->text = arena_print(arena,
			"a content coding was asked for, and %.1f%% of the answers had one",
			100 * (double)f->coded / (double)f->answered);
}

static void redirects(const struct load_facts *f, struct arena *arena, struct load_reason *reason)
{
	if (f->redirects)
		reason->text = arena_print(arena,
			"%llu answers are redirects or 304 (3xx): they are not followed",
			(unsigned long long)f->redirects);
}

static void censored(const struct load_facts *f, struct arena *arena, struct load_reason *reason)
{
	if (f->censored)
		reason->text = arena_print(arena,
			"%llu requests timed out: they stand in the percentiles with the time-out as their time",
			(unsigned long long)f->censored);
}

static const struct {
	const char *word, *about;
	void (*find)(
		const struct load_facts *facts, struct arena *arena, struct load_reason *reason);
} CHECKS[] = {
	{ "exhausted", NULL, exhausted },
	{ "send-lag", NULL, send_lag },
	{ "own-bound", NULL, own_bound },
	{ "rate-missed", NULL, rate_missed },
	{ "busy-generator", NULL, busy_thread },
	{ "kept-waiting", NULL, kept_waiting },
	{ "listen-queue", NULL, listen_queue },
	{ "steal", NULL, steal },
	{ "throttled", NULL, throttled },
	{ "near-ceiling", "rate", near_ceiling },
	{ "near-floor", "service.p50", near_floor },
	{ "no-coding", "coded_share", no_coding },
	{ "redirects", "statuses.3xx", redirects },
	{ "time-outs", "censored", censored },
};
_Static_assert(sizeof CHECKS / sizeof *CHECKS <= LOAD_REASONS_MAX, "room for every reason");

void load_validity_find(
	const struct load_facts *facts, struct arena *arena, struct load_reasons *reasons)
{
	reasons->count = 0;
	for (size_t i = 0; i < sizeof CHECKS / sizeof *CHECKS; i++) {
		struct load_reason *reason = &reasons->list[reasons->count];
		*reason = (struct load_reason){ .word = CHECKS[i].word, .about = CHECKS[i].about };
		CHECKS[i].find(facts, arena, reason);
		reasons->count += reason->text != NULL;
	}
}

struct spoil load_reasons_against(const struct load_reasons *reasons, enum load_family family)
{
	struct spoil spoil = { 0 };
	bool lowers = (family & (LOAD_RATES | LOAD_AMOUNTS)) != 0;
	for (size_t i = 0; i < reasons->count; i++) {
		const struct load_reason *reason = &reasons->list[i];
		if (!(reason->spoils & family))
			continue;
		if (!reason->one_way)
			return (struct spoil){ .text = reason->text, .way = SPOIL_EITHER };
		if (!spoil.text)
			spoil = (struct spoil){ .text = reason->text,
				.way = lowers ? SPOIL_LOWERED : SPOIL_RAISED };
	}
	return spoil;
}
