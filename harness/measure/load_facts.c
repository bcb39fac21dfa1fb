#include "measure/load_validity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double busiest(const struct load_result *result)
{
	double most = 0;
	for (size_t i = 0; i < result->thread_count; i++) {
		const struct load_cpu *cpu = &result->threads[i];
		double share = cpu->measured_ns > 0
				       ? (double)cpu->measured_cpu_ns / (double)cpu->measured_ns
				       : 0;
		most = share > most ? share : most;
	}
	return most;
}

static double sum_ns(const struct hist *hist)
{
	return hist && hist_count(hist) ? hist_mean(hist) * (double)hist_count(hist) : 0;
}

/*
 * As a share of the time in which requests were in flight: at most all, and at most what the requests took together, each
 * thread its part of them. What a thread waited while it had none delayed nothing, but is little then.
 */
static double waiting(const struct load_result *result)
{
	double flight_ns = 0, waited_ns = 0;
	double taken_ns = sum_ns(result->hists[LOAD_SERVICE]) + sum_ns(result->hists[LOAD_FIRST]);
	for (size_t i = 0; i < result->thread_count; i++) {
		const struct load_cpu *cpu = &result->threads[i];
		flight_ns +=
			fmin((double)cpu->measured_ns, taken_ns / (double)result->thread_count);
		waited_ns += (double)cpu->measured_wait_ns;
	}
	return flight_ns > 0 ? fmin(1, waited_ns / flight_ns) : 0;
}

static int64_t quantile(const struct load_result *result, enum load_hist which, double share)
{
	const struct hist *hist = result->hists[which];
	return hist ? hist_quantile(hist, share) : 0;
}

/* A member of Accept-Encoding that a coding could be chosen by. */
static bool member_asks(struct slice member)
{
	struct slice coding, part, name;
	double weight = 1;
	if (!slice_next(&member, ';', &coding))
		return false;
	coding = slice_trim(coding);
	while (slice_next(&member, ';', &part)) {
		char text[8]; /* "0.001" is the longest that a weight may be */
		if (!slice_next(&part, '=', &name) || !slice_is_nocase(slice_trim(name), "q"))
			continue;
		part = slice_trim(part);
		snprintf(text, sizeof text, "%.*s", SLICE_PRINT(part));
		weight = strtod(text, NULL);
	}
	return coding.len && weight > 0 && !slice_is_nocase(coding, "identity");
}

bool load_asks_for_coding(const struct load_request *request)
{
	struct slice rest, member;
	for (size_t i = 0; i < request->header_count; i++) {
		const struct request_header *header = &request->headers[i];
		if (!header->value || !slice_is_nocase(slice_of(header->name), "Accept-Encoding"))
			continue;
		rest = slice_of(header->value);
		while (slice_next(&rest, ',', &member))
			if (member_asks(member))
				return true;
	}
	return false;
}

void load_facts_take(const struct load_seen *seen, struct load_facts *facts)
{
	const struct load_plan *plan = seen->plan;
	const struct load_result *result = seen->result;
	const struct load_host *before = seen->before, *after = seen->after;
	double sent_s;
	*facts = (struct load_facts){ .model = plan->model,
		.partial = result->partial,
		.counted = plan->model == LOAD_CLOSED && plan->measure_requests,
		.sent_per_s = load_sent_rate(result, &sent_s),
		.rate_per_s = load_rate(result),
		.bound_hits = result->bound_hits,
		.bound_hits_own = result->bound_hits_own,
		.service_p50_ns = quantile(result, LOAD_SERVICE, 0.5),
		.busiest_thread = busiest(result),
		.waiting_share = waiting(result),
		.steal_share = load_host_steal(before, after),
		.throttled_ns = after->throttled_ns - before->throttled_ns,
		.local_failures = result->all.failed[LOAD_LOCAL],
		.listen_overflows = after->listen_overflows - before->listen_overflows,
		.answered = result->measured.answered,
		.coded = result->measured.coded,
		.redirects = result->measured.statuses[3],
		.censored = result->censored };
	for (size_t i = 0; i < plan->request_count; i++)
		facts->asked_for_coding =
			facts->asked_for_coding || load_asks_for_coding(&plan->requests[i]);
	if (seen->null && seen->null->driven) {
		facts->ceiling_per_s = seen->null->ceiling_per_s;
		facts->floor_ns = seen->null->floor_ns;
	}
	if (plan->model != LOAD_OPEN || result->measured_ns <= 0)
		return;
	double due = arrival_due(&plan->arrival, plan->warm_up_ns + result->measured_ns) -
		     arrival_due(&plan->arrival, plan->warm_up_ns);
	facts->due_per_s = due * (double)NS_PER_S / (double)result->measured_ns;
	facts->due = facts->due_per_s * sent_s;
	facts->measured = hist_count(result->hists[LOAD_SEND_LAG]);
	facts->response_p50_ns = quantile(result, LOAD_RESPONSE, 0.5);
	facts->send_lag_p99_ns = quantile(result, LOAD_SEND_LAG, 0.99);
}

const char *load_unanswered(const struct load_counts *all, struct arena *arena)
{
	size_t most = 0;
	if (all->answered)
		return NULL;
	if (!all->sent)
		return "no request was sent";
	if (all->unanswered == all->sent)
		return arena_print(arena,
			"nothing was answered: %llu requests were in flight until the end",
			(unsigned long long)all->sent);
	for (size_t i = 1; i < LOAD_FAILURE_COUNT; i++)
		if (all->failed[i] > all->failed[most])
			most = i;
	return arena_print(arena, "nothing was answered: of %llu requests %llu met %s: %s",
		(unsigned long long)all->sent, (unsigned long long)all->failed[most],
		load_failure_at(most)->code, load_failure_at(most)->help);
}
