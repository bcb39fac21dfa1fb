#include "cli/json_parts.h"

#include <stdlib.h>

#include "report/escape.h"
#include "report/text.h"

enum { QUANTITY_BYTES = 64 };

void json_words(cJSON *object, const char *key, const char *value)
{
	struct text text;
	text_open(&text);
	escape_line(text.out, value);
	text_close(&text);
	cJSON_AddStringToObject(object, key, text.bytes);
	free(text.bytes);
}

void json_quantity(cJSON *object, const char *key, struct quantity quantity)
{
	char text[QUANTITY_BYTES];
	quantity_exact(quantity, text, sizeof text);
	cJSON_AddStringToObject(object, key, text);
}

cJSON *json_document(const struct json_head *head)
{
	cJSON *document = cJSON_CreateObject();
	char seed[32];
	snprintf(seed, sizeof seed, "0x%llx", (unsigned long long)head->seed);
	cJSON_AddStringToObject(document, "onus", head->version);
	cJSON_AddStringToObject(document, "libcurl", head->libcurl);
	if (head->libraries)
		cJSON_AddStringToObject(document, "libraries", head->libraries);
	cJSON_AddStringToObject(document, "started", head->started);
	json_words(document, "command", head->command);
	cJSON_AddStringToObject(document, "seed", seed);
	json_words(document, "url", head->url);
	return document;
}

void json_verdict(
	cJSON *list, const struct load_verdict *verdict, const char *arm, const char *threshold)
{
	cJSON *object = cJSON_CreateObject();
	if (arm)
		cJSON_AddStringToObject(object, "arm", arm);
	json_words(object, "threshold", threshold);
	cJSON_AddStringToObject(object, "verdict", load_verdict_word(verdict->kind));
	if (verdict->has_found)
		json_quantity(object, "found", verdict->found);
	if (verdict->reason)
		cJSON_AddStringToObject(object, "reason", verdict->reason);
	cJSON_AddItemToArray(list, object);
}

void json_finish(cJSON *document, int exit, FILE *out)
{
	cJSON_AddNumberToObject(document, "exit", exit);
	char *text = json_print(document);
	fprintf(out, "%s\n", text);
	free(text);
	cJSON_Delete(document);
}
