#include "cli/load_found.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"

#define ERRORS_APART_PERCENT 0.1

static const char *unanswered(const struct load_found *found, const struct load_arm_found *one)
{
	const char *words =
		found->partial ? NULL : load_unanswered(&one->result->all, found->job->arena);
	return words ? arena_print(found->job->arena, "%s: %s", found->job->url, words) : NULL;
}

static void judge_arm(struct load_found *found, struct load_arm_found *one)
{
	const struct load_job *job = found->job;
	const struct load_seen seen = { &one->arm->plan, one->result, &one->before, &one->after,
		&found->null };
	struct load_facts facts;
	load_facts_take(&seen, &facts);
	load_validity_find(&facts, job->arena, &one->reasons);
	one->verdicts = arena_alloc(job->arena, job->threshold_count + 1, sizeof *one->verdicts);
	for (size_t i = 0; i < job->threshold_count; i++)
		one->verdicts[i] = load_threshold_judge(
			&job->thresholds[i], one->result, one->arm->plan.decode, &one->reasons);
	if (!found->problem)
		found->problem = unanswered(found, one);
}

/* What failed is mostly faster or slower than what was answered. */
static const char *errors_differ(const struct load_found *found)
{
	double shares[LOAD_ARMS_MAX] = { 0 };
	if (found->arm_count < 2)
		return NULL;
	for (size_t i = 0; i < 2; i++) {
		const struct load_counts *m = &found->arms[i].result->measured;
		shares[i] = m->sent ? 100 * (double)load_errors(m) / (double)m->sent : 0;
	}
	if (fabs(shares[0] - shares[1]) <= ERRORS_APART_PERCENT)
		return NULL;
	return arena_print(found->job->arena,
		"the error rates differ, %.2g%% and %.2g%%: times and rates can't be compared",
		shares[0], shares[1]);
}

/* The first of 3, 1, 5 that applies. */
static int exit_of(const struct load_found *found)
{
	int code = EXIT_HELD;
	if (found->problem || found->partial)
		return EXIT_ENVIRONMENT;
	for (size_t i = 0; i < found->arm_count; i++) {
		for (size_t k = 0; k < found->job->threshold_count; k++) {
			enum load_verdict_kind kind = found->arms[i].verdicts[k].kind;
			if (kind == LOAD_BROKEN)
				return EXIT_BROKEN;
			if (kind == LOAD_INVALID)
				code = EXIT_INVALID;
		}
	}
	return code;
}

void load_found_add_cost(struct load_arm_found *one, const struct cost *cost, struct arena *arena)
{
	struct load_result *result = one->result;
	struct cost_sum sum;
	one->samples = cost;
	measures_init(&one->sut, arena);
	if (load_found_cost_measured(one, &sum)) {
		cost_measures(&sum, &one->sut);
		cost_add_each(&one->sut, result->measured_ns, result->measured.answered);
	}
	result->sut = &one->sut;
}

void load_found_judge(struct load_found *found)
{
	for (size_t i = 0; i < found->arm_count; i++)
		found->partial = found->partial || found->arms[i].result->partial;
	for (size_t i = 0; i < found->arm_count; i++)
		judge_arm(found, &found->arms[i]);
	found->apart = errors_differ(found);
	found->exit = exit_of(found);
}

/* Rows are taken each 100 ms: those nearest to the ends of the second stand for them. */
bool load_found_cost(const struct load_arm_found *one, int64_t at_s, struct cost_sum *sum)
{
	const int64_t slack_ns = NS_PER_S / 10;
	int64_t from_ns = one->result->start_ns + at_s * NS_PER_S;
	return one->samples &&
	       cost_sum(one->samples, from_ns - slack_ns, from_ns + NS_PER_S, sum) &&
	       sum->to_ns - sum->from_ns >= NS_PER_S / 2;
}

bool load_found_cost_measured(const struct load_arm_found *one, struct cost_sum *sum)
{
	int64_t from_ns = one->result->start_ns + one->arm->plan.warm_up_ns;
	return one->samples &&
	       cost_sum(one->samples, from_ns, from_ns + one->result->measured_ns, sum);
}

void load_found_label(
	const struct load_arm_found *one, enum load_hist which, char *text, size_t size)
{
	static const char *const labels[] = { "response time", "service time", "send lag",
		"first of a connection", "look-up of the name", "connect", "TLS",
		"to the first byte", "first to last byte" };
	_Static_assert(sizeof labels / sizeof *labels == LOAD_HIST_COUNT, "a label for each");
	const struct load_plan *plan = &one->arm->plan;
	snprintf(text, size, "%s", labels[which]);
	if (which == LOAD_SERVICE && plan->model == LOAD_CLOSED)
		snprintf(text, size, "service time at %llu user%s",
			(unsigned long long)plan->users.users, plan->users.users == 1 ? "" : "s");
}

size_t load_found_rows(const struct load_found *found, struct load_row *rows, size_t room)
{
	static const char *const names[] = { "response.p50", "response.p90", "response.p99",
		"response.p99.9", "response.max", "service.p50", "service.p90", "service.p99",
		"service.p99.9", "service.max", "rate", "errors", "bytes.wire", "bytes.decoded",
		"coded_share", "sut.cpu", "sut.cpu_per_request", "sut.memory", "sut.memory_growth",
		"sut.descriptors", "sut.threads" };
	size_t count = 0;
	for (size_t i = 0; i < sizeof names / sizeof *names && count < room; i++) {
		struct load_row row = { .name = names[i] };
		struct quantity quantity;
		bool there = false;
		if (load_number_parse(names[i], &row.number, NULL) != RC_OK)
			BUG("no number %s", names[i]);
		for (size_t k = 0; k < found->arm_count; k++)
			there = there || load_number_take(&row.number, found->arms[k].result,
						 found->arms[k].arm->plan.decode, &quantity);
		if (there)
			rows[count++] = row;
	}
	return count;
}
