/* The histograms of a load as a log that HdrHistogram's tools read: a line for each that has values. */
#include "cli/load_report.h"
#include "stats/hlog.h"

static void print_arm(const struct load_found *found, const struct load_arm_found *one, FILE *out)
{
	const struct load_result *result = one->result;
	double start_s = (double)one->arm->plan.warm_up_ns / (double)NS_PER_S;
	double length_s = (double)result->measured_ns / (double)NS_PER_S;
	for (int i = 0; i < LOAD_HIST_COUNT; i++) {
		enum load_hist which = (enum load_hist)i;
		const char *name = load_hist_name(which);
		if (!hist_count(result->hists[which]))
			continue;
		if (found->job->arm_count > 1)
			name = arena_print(found->job->arena, "%s.%s", one->arm->name, name);
		hlog_write(out, name, start_s, length_s, result->hists[which]);
	}
}

static size_t count_lines(const struct load_found *found)
{
	size_t count = 0;
	for (size_t i = 0; i < found->arm_count; i++)
		for (int k = 0; k < LOAD_HIST_COUNT; k++)
			count += hist_count(found->arms[i].result->hists[k]) > 0;
	return count;
}

void load_hlog_print(const struct load_found *found, FILE *out)
{
	char comment[256];
	snprintf(comment, sizeof comment, "onus %s, libcurl %s, seed 0x%llx, %s, %s",
		found->version, found->libcurl, (unsigned long long)found->seed, found->job->url,
		found->job->shape);
	hlog_begin(out, found->started_s, count_lines(found), comment);
	for (size_t i = 0; i < found->arm_count; i++)
		print_arm(found, &found->arms[i], out);
}
