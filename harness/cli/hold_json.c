/* Everything that was found, as one JSON document. Times are in ns under names that end in _ns, sizes in bytes. */
#include "cli/hold_report.h"
#include "cli/json_parts.h"

static void number(cJSON *object, const char *key, double value)
{
	cJSON_AddNumberToObject(object, key, value);
}

static void known(cJSON *object, const char *key, int64_t value)
{
	if (value != COST_ABSENT)
		number(object, key, (double)value);
}

static void counts_of(cJSON *object, const struct hold_counts *c)
{
	number(object, "opened", (double)c->opened);
	number(object, "open", (double)c->open);
	number(object, "heard", (double)c->heard);
	number(object, "late", (double)c->late);
	number(object, "bytes", (double)c->bytes);
	cJSON *failures = cJSON_AddObjectToObject(object, "failures");
	for (size_t i = 0; i < LOAD_FAILURE_COUNT; i++)
		if (c->failed[i])
			number(failures, load_failure_at(i)->name, (double)c->failed[i]);
	if (c->refused) {
		number(failures, "refused_by_status", (double)c->refused);
		number(failures, "status", c->refused_status);
	}
	if (c->ended)
		number(failures, "ended", (double)c->ended);
}

static void points_of(cJSON *root, const struct hold_found *found)
{
	cJSON *list = cJSON_AddArrayToObject(root, "points");
	for (size_t i = 0; i < found->point_count; i++) {
		const struct hold_point *point = &found->points[i];
		cJSON *object = cJSON_CreateObject();
		number(object, "at_ns", (double)point->at_ns);
		if (point->round)
			number(object, "round", (double)point->round);
		counts_of(object, &point->counts);
		known(object, "onus_bytes", point->own_bytes);
		known(object, "sut_bytes", point->sut_bytes);
		known(object, "sut_descriptors", point->descriptors);
		known(object, "cap_bytes", point->cap_bytes);
		known(object, "kernel_bytes", point->kernel_bytes);
		known(object, "buffer_bytes", point->buffer_bytes);
		cJSON_AddItemToArray(list, object);
	}
}

static void numbers_of(cJSON *root, const struct hold_found *found)
{
	cJSON *numbers = cJSON_AddObjectToObject(root, "numbers");
	for (size_t i = 0; i < found->numbers.count; i++) {
		const struct measure *one = &found->numbers.list[i];
		json_quantity(numbers, one->name, one->quantity);
	}
	cJSON *thresholds = cJSON_AddArrayToObject(root, "thresholds");
	for (size_t i = 0; i < found->job->threshold_count; i++)
		json_verdict(thresholds, &found->verdicts[i], NULL, found->job->thresholds[i].text);
}

void hold_json_print(const struct hold_found *found, bool color, FILE *out)
{
	const struct json_head head = { .version = found->version,
		.libcurl = found->libcurl,
		.started = found->started,
		.command = found->command,
		.url = found->job->load->url,
		.seed = found->seed };
	cJSON *root = json_document(&head);
	(void)color;
	cJSON *hold = cJSON_AddObjectToObject(root, "hold");
	number(hold, "up_to", (double)found->job->up_to);
	number(hold, "add", (double)found->job->add);
	cJSON_AddBoolToObject(hold, "until_oom", found->job->until_oom);
	if (found->cap_limit_bytes)
		number(hold, "cap_limit_bytes", (double)found->cap_limit_bytes);
	cJSON_AddStringToObject(hold, "end", hold_end_word(found->end));
	json_words(hold, "why", found->why);
	counts_of(hold, &found->counts);
	if (found->problem)
		json_words(root, "problem", found->problem);
	numbers_of(root, found);
	points_of(root, found);
	json_finish(root, found->exit, out);
}
