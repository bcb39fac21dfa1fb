/*
 * load_validity: when a number of a load may not be used: pure functions from what was seen to reasons in words.
 *
 *	const struct load_seen seen = { &plan, result, &before, &after, &null };
 *	load_facts_take(&seen, &facts);
 *	load_validity_find(&facts, arena, &reasons);
 *	struct spoil spoil = load_reasons_against(&reasons, LOAD_LATENCIES);	// no text: the latencies may be used
 *
 * A reason that spoils nothing is a warning. To add one: a function in the table of load_validity.c.
 */
#ifndef MEASURE_LOAD_VALIDITY_H
#define MEASURE_LOAD_VALIDITY_H

#include "base/arena.h"
#include "measure/load_host.h"
#include "measure/load_null.h"
#include "measure/load_number.h"
#include "model/measure.h"

/* Whatever is not known is 0. */
struct load_facts {
	enum load_model model;
	bool partial;
	bool counted; /* closed loop: so many requests were asked for, whatever the time */
	double due;   /* open loop: requests that the schedule had, as long as sends were counted */
	double due_per_s;                         /* a second */
	double sent_per_s;                        /* while it measured */
	double rate_per_s;                        /* answered */
	uint64_t bound_hits, bound_hits_own;      /* open loop */
	uint64_t measured;                        /* requests in the percentiles */
	int64_t response_p50_ns, send_lag_p99_ns; /* open loop */
	int64_t service_p50_ns;
	double busiest_thread; /* share of a core, while it measured */
	double waiting_share; /* closed loop: of the time with requests in flight, onus wanted a processor */
	double steal_share;        /* of all cores' time */
	int64_t throttled_ns;      /* of our control group */
	uint64_t local_failures;   /* descriptors or ports ran out */
	uint64_t listen_overflows; /* of any socket of this machine */
	double ceiling_per_s;      /* of the null server; 0: not driven */
	int64_t floor_ns;
	bool asked_for_coding;
	uint64_t answered, coded;
	uint64_t redirects, censored;
};

enum { LOAD_REASONS_MAX = 16 };

struct load_reason {
	const char *word;  /* "send-lag" */
	const char *text;  /* what was seen, and what was allowed */
	unsigned spoils;   /* bits of enum load_family; 0: a warning only */
	bool one_way;      /* it made times longer, rates and amounts lower, never the other way */
	const char *about; /* the number that a warning stands behind: "rate" */
};

struct load_reasons {
	struct load_reason list[LOAD_REASONS_MAX];
	size_t count;
};

/* What a run tells of itself, of this machine before and behind it, and of the null server, or NULL. */
struct load_seen {
	const struct load_plan *plan;
	const struct load_result *result;
	const struct load_host *before, *after;
	const struct load_null *null;
};
void load_facts_take(const struct load_seen *seen, struct load_facts *facts);

/* Whether a request accepts some coding of its answer (RFC 9110 section 12.5.3). */
bool load_asks_for_coding(const struct load_request *request);

/* Where nothing at all was answered: which failure did most of it, in words of the arena; else NULL. */
const char *load_unanswered(const struct load_counts *all, struct arena *arena);

/* Texts of the arena. */
void load_validity_find(
	const struct load_facts *facts, struct arena *arena, struct load_reasons *reasons);

/* By the first reason that spoils the family either way, or else by the first that does one way. */
struct spoil load_reasons_against(const struct load_reasons *reasons, enum load_family family);

#endif
