/* Everything that was found, as one JSON document. Times are in ns, under names that end in _ns. */
#include "cli/json_parts.h"
#include "cli/load_report.h"

static void number(cJSON *object, const char *key, uint64_t value)
{
	cJSON_AddNumberToObject(object, key, (double)value);
}

static cJSON *counts_of(const struct load_counts *counts)
{
	cJSON *object = cJSON_CreateObject();
	number(object, "sent", counts->sent);
	number(object, "answered", counts->answered);
	number(object, "failed", load_counts_failed(counts));
	number(object, "unanswered", counts->unanswered);
	cJSON_AddBoolToObject(object, "add_up", load_counts_add_up(counts));
	cJSON *failures = cJSON_AddObjectToObject(object, "failures");
	for (size_t i = 0; i < LOAD_FAILURE_COUNT; i++)
		if (counts->failed[i])
			number(failures, load_failure_at(i)->name, counts->failed[i]);
	cJSON *statuses = cJSON_AddObjectToObject(object, "statuses");
	for (size_t i = 0; i < 6; i++) {
		char name[8];
		snprintf(name, sizeof name, i ? "%zuxx" : "other", i);
		if (counts->statuses[i])
			number(statuses, name, counts->statuses[i]);
	}
	number(object, "unexpected_statuses", counts->unexpected_statuses);
	number(object, "undecodable", counts->undecodable);
	number(object, "coded", counts->coded);
	number(object, "wire_bytes", counts->wire_bytes);
	return object;
}

static cJSON *hist_of(const struct hist *hist)
{
	struct spread spread = hist_spread(hist);
	cJSON *object = cJSON_CreateObject();
	number(object, "count", hist_count(hist));
	if (!hist_count(hist))
		return object;
	number(object, "min_ns", (uint64_t)spread.min_ns);
	cJSON_AddNumberToObject(object, "mean_ns", hist_mean(hist));
	number(object, "p50_ns", (uint64_t)spread.p50_ns);
	number(object, "p90_ns", (uint64_t)spread.p90_ns);
	number(object, "p99_ns", (uint64_t)spread.p99_ns);
	number(object, "p999_ns", (uint64_t)spread.p999_ns);
	number(object, "max_ns", (uint64_t)spread.max_ns);
	return object;
}

/* What is not known is not there. */
static void costs_of(const struct cost_sum *sum, cJSON *object)
{
	const struct {
		const char *name;
		int64_t value;
	} rows[] = { { "sut_memory_bytes", sum->memory_bytes },
		{ "sut_descriptors", sum->descriptors }, { "sut_threads", sum->threads } };
	cJSON_AddNumberToObject(object, "sut_cpu_percent", sum->cpu_percent);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].value != COST_ABSENT)
			number(object, rows[i].name, (uint64_t)rows[i].value);
}

static cJSON *second_of(const struct load_arm_found *one, const struct load_second *second)
{
	struct cost_sum sum;
	cJSON *object = cJSON_CreateObject();
	number(object, "at_s", (uint64_t)second->at_s);
	cJSON_AddBoolToObject(object, "measured", second->measured);
	number(object, "sent", second->sent);
	number(object, "answered", second->answered);
	number(object, "failed", second->failed);
	number(object, "wire_bytes", second->wire_bytes);
	number(object, "connections", second->connections);
	number(object, "connections_opened", second->connections_opened);
	number(object, "in_flight", second->in_flight);
	if (second->p50_ns > 0)
		number(object, "p50_ns", (uint64_t)second->p50_ns);
	if (second->p99_ns > 0)
		number(object, "p99_ns", (uint64_t)second->p99_ns);
	if (second->first_byte_mean_ns > 0)
		number(object, "first_byte_mean_ns", (uint64_t)second->first_byte_mean_ns);
	if (load_found_cost(one, second->at_s, &sum))
		costs_of(&sum, object);
	return object;
}

static void lists_of(const struct load_arm_found *one, cJSON *object)
{
	const struct load_result *result = one->result;
	cJSON *threads = cJSON_AddArrayToObject(object, "threads");
	for (size_t i = 0; i < result->thread_count; i++) {
		cJSON *thread = cJSON_CreateObject();
		number(thread, "cpu_ns", (uint64_t)result->threads[i].cpu_ns);
		number(thread, "measured_cpu_ns", (uint64_t)result->threads[i].measured_cpu_ns);
		number(thread, "measured_ns", (uint64_t)result->threads[i].measured_ns);
		number(thread, "measured_wait_ns", (uint64_t)result->threads[i].measured_wait_ns);
		cJSON_AddItemToArray(threads, thread);
	}
	cJSON *reasons = cJSON_AddArrayToObject(object, "reasons");
	for (size_t i = 0; i < one->reasons.count; i++) {
		cJSON *reason = cJSON_CreateObject();
		cJSON_AddStringToObject(reason, "word", one->reasons.list[i].word);
		cJSON_AddStringToObject(reason, "text", one->reasons.list[i].text);
		cJSON_AddBoolToObject(reason, "spoils", one->reasons.list[i].spoils != 0);
		cJSON_AddItemToArray(reasons, reason);
	}
	cJSON *seconds = cJSON_AddArrayToObject(object, "seconds");
	for (size_t i = 0; i < result->second_count; i++)
		cJSON_AddItemToArray(seconds, second_of(one, &result->seconds[i]));
}

static cJSON *arm_of(const struct load_found *found, const struct load_arm_found *one)
{
	const struct load_result *result = one->result;
	cJSON *object = cJSON_CreateObject();
	cJSON_AddStringToObject(object, "name", one->arm->name);
	if (one->arm->asks_for)
		json_words(object, "accept_encoding", one->arm->asks_for);
	cJSON_AddBoolToObject(object, "partial", result->partial);
	number(object, "ran_ns", (uint64_t)result->ran_ns);
	number(object, "measured_ns", (uint64_t)result->measured_ns);
	cJSON_AddItemToObject(object, "all", counts_of(&result->all));
	cJSON_AddItemToObject(object, "measured", counts_of(&result->measured));
	number(object, "censored", result->censored);
	number(object, "bound_hits", result->bound_hits);
	number(object, "bound_hits_own", result->bound_hits_own);
	number(object, "unsent", result->unsent);
	number(object, "resent", result->resent);
	number(object, "connections_opened", result->connections_opened);
	number(object, "connections_ended_by_server", result->connections_ended_by_server);
	number(object, "in_flight_max", result->in_flight_max);
	cJSON *times = cJSON_AddObjectToObject(object, "times");
	for (int i = 0; i < LOAD_HIST_COUNT; i++)
		cJSON_AddItemToObject(
			times, load_hist_name((enum load_hist)i), hist_of(result->hists[i]));
	struct load_row rows[LOAD_ROWS_MAX];
	size_t count = load_found_rows(found, rows, LOAD_ROWS_MAX);
	cJSON *numbers = cJSON_AddObjectToObject(object, "numbers");
	for (size_t i = 0; i < count; i++) {
		struct quantity quantity;
		if (load_number_take(&rows[i].number, result, one->arm->plan.decode, &quantity))
			json_quantity(numbers, rows[i].name, quantity);
	}
	lists_of(one, object);
	return object;
}

static void thresholds_of(const struct load_found *found, cJSON *list)
{
	for (size_t i = 0; i < found->arm_count; i++)
		for (size_t k = 0; k < found->job->threshold_count; k++)
			json_verdict(list, &found->arms[i].verdicts[k], found->arms[i].arm->name,
				found->job->thresholds[k].text);
}

static void null_of(const struct load_null *null, cJSON *root)
{
	cJSON *object =
		null->driven || null->problem ? cJSON_AddObjectToObject(root, "null_server") : NULL;
	if (null->driven) {
		cJSON_AddNumberToObject(object, "ceiling_per_s", null->ceiling_per_s);
		number(object, "floor_ns", (uint64_t)null->floor_ns);
	} else if (object) {
		cJSON_AddStringToObject(object, "problem", null->problem);
	}
}

static void print(const struct load_found *found, bool color, FILE *out)
{
	const struct json_head head = { .version = found->version,
		.libcurl = found->libcurl,
		.libraries = found->libraries,
		.started = found->started,
		.command = found->command,
		.url = found->job->url,
		.seed = found->seed };
	cJSON *root = json_document(&head);
	(void)color;
	cJSON_AddStringToObject(root, "load", found->job->shape);
	cJSON_AddBoolToObject(root, "partial", found->partial);
	if (found->problem)
		json_words(root, "problem", found->problem);
	if (found->apart)
		json_words(root, "not_comparable", found->apart);
	null_of(&found->null, root);
	cJSON *arms = cJSON_AddArrayToObject(root, "arms");
	for (size_t i = 0; i < found->arm_count; i++)
		cJSON_AddItemToArray(arms, arm_of(found, &found->arms[i]));
	thresholds_of(found, cJSON_AddArrayToObject(root, "thresholds"));
	json_finish(root, found->exit, out);
}

const struct load_report load_json = {
	.name = "json",
	.help = "everything, as one document",
	.print = print,
	.print_hold = hold_json_print,
};
