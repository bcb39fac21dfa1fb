/*
 * json_parts: what the JSON of a load and of held streams share: texts that may hold any bytes, the head of the document,
 * the verdicts on thresholds, and its end.
 */
#ifndef CLI_JSON_PARTS_H
#define CLI_JSON_PARTS_H

#include <stdio.h>

#include "base/json.h"
#include "cli/threshold.h"

/* What came from the command line may hold any bytes; JSON may not. */
void json_words(cJSON *object, const char *key, const char *value);

/* "sut.memory": "32500000B"; to as many digits as it has. */
void json_quantity(cJSON *object, const char *key, struct quantity quantity);

/* By whom, when and how it was measured. */
struct json_head {
	const char *version, *libcurl, *libraries, *started, *command,
		*url; /* libraries: or NULL */
	uint64_t seed;
};
cJSON *json_document(const struct json_head *head);

/* arm: or NULL. */
void json_verdict(
	cJSON *list, const struct load_verdict *verdict, const char *arm, const char *threshold);

/* Prints it with the exit status, and frees it. */
void json_finish(cJSON *document, int exit, FILE *out);

#endif
