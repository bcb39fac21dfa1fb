#include "measure/load_validity.h"

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

static int64_t quantile(const struct load_result *result, enum load_hist which, double share)
{
	const struct hist *hist = result->hists[which];
	return hist ? hist_quantile(hist, share) : 0;
}

void load_facts_take(const struct load_plan *plan, const struct load_result *result,
	const struct load_host *before, const struct load_host *after, struct load_facts *facts)
{
	double sent_s;
	*facts = (struct load_facts){ .model = plan->model,
		.partial = result->partial,
		.sent_per_s = load_sent_rate(result, &sent_s),
		.rate_per_s = load_rate(result),
		.bound_hits = result->bound_hits,
		.bound_hits_own = result->bound_hits_own,
		.service_p50_ns = quantile(result, LOAD_SERVICE, 0.5),
		.busiest_thread = busiest(result),
		.steal_share = load_host_steal(before, after),
		.throttled_ns = after->throttled_ns - before->throttled_ns,
		.local_failures = result->all.failed[LOAD_LOCAL],
		.listen_overflows = after->listen_overflows - before->listen_overflows,
		.answered = result->measured.answered,
		.coded = result->measured.coded,
		.redirects = result->measured.statuses[3],
		.censored = result->censored };
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
