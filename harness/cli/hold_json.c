/* Everything that was found, as one JSON document. Times are in ns under names that end in _ns, sizes in bytes. */
#include <stdlib.h>

#include "base/json.h"
#include "cli/hold_report.h"
#include "report/escape.h"
#include "report/text.h"

/* What came from the command line may hold any bytes; JSON may not. */
static void words(cJSON *object, const char *key, const char *value)
{
	struct text text;
	text_open(&text);
	escape_line(text.out, value);
	text_close(&text);
	cJSON_AddStringToObject(object, key, text.bytes);
	free(text.bytes);
}

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
		char text[64];
		quantity_exact(one->quantity, text, sizeof text);
		cJSON_AddStringToObject(numbers, one->name, text);
	}
	cJSON *thresholds = cJSON_AddArrayToObject(root, "thresholds");
	for (size_t i = 0; i < found->job->threshold_count; i++) {
		const struct load_verdict *verdict = &found->verdicts[i];
		cJSON *object = cJSON_CreateObject();
		char text[64];
		words(object, "threshold", found->job->thresholds[i].text);
		cJSON_AddStringToObject(object, "verdict", load_verdict_word(verdict->kind));
		quantity_exact(verdict->found, text, sizeof text);
		if (verdict->has_found)
			cJSON_AddStringToObject(object, "found", text);
		if (verdict->reason)
			cJSON_AddStringToObject(object, "reason", verdict->reason);
		cJSON_AddItemToArray(thresholds, object);
	}
}

void hold_json_print(const struct hold_found *found, bool color, FILE *out)
{
	cJSON *root = cJSON_CreateObject();
	char seed[32];
	(void)color;
	snprintf(seed, sizeof seed, "0x%llx", (unsigned long long)found->seed);
	cJSON_AddStringToObject(root, "onus", found->version);
	cJSON_AddStringToObject(root, "libcurl", found->libcurl);
	cJSON_AddStringToObject(root, "started", found->started);
	words(root, "command", found->command);
	cJSON_AddStringToObject(root, "seed", seed);
	words(root, "url", found->job->load->url);
	cJSON *hold = cJSON_AddObjectToObject(root, "hold");
	number(hold, "up_to", (double)found->job->up_to);
	number(hold, "add", (double)found->job->add);
	cJSON_AddBoolToObject(hold, "until_oom", found->job->until_oom);
	if (found->cap_limit_bytes)
		number(hold, "cap_limit_bytes", (double)found->cap_limit_bytes);
	cJSON_AddStringToObject(hold, "end", hold_end_word(found->end));
	words(hold, "why", found->why);
	counts_of(hold, &found->counts);
	if (found->problem)
		words(root, "problem", found->problem);
	numbers_of(root, found);
	points_of(root, found);
	number(root, "exit", found->exit);
	char *text = json_print(root);
	fprintf(out, "%s\n", text);
	free(text);
	cJSON_Delete(root);
}
