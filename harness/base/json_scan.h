/*
 * json_scan: goes over JSON text before cJSON does: blanks what only JSON_RELAXED takes, finds every fault, and records
 * the place of each value in the order of the text, which is also the order of a walk over cJSON's tree. Private to json.
 */
#ifndef BASE_JSON_SCAN_H
#define BASE_JSON_SCAN_H

#include "base/arena.h"
#include "base/json.h"

struct json_spot {
	int line, col; /* from 1; col in code points */
};

struct json_record {
	size_t parent;       /* its index among the records; of the root: its own, 0 */
	const char *key;     /* of a member, decoded; else NULL */
	const char *pointer; /* NULL where no places are kept */
	size_t offset;       /* of the value's first byte */
	struct json_spot at, key_at;
};

struct json_scan {
	uint8_t *text; /* blanked in place */
	size_t len;
	unsigned flags;
	bool keep_pointers;
	const char *file;
	struct arena *arena; /* of keys and pointers */
	struct errors *errors;

	size_t faults; /* errors that were found, kept by errors or not */
	/* Where no places are kept: of what is being read alone, so that a long list takes no room here. */
	struct json_record *records;
	size_t count, room; /* of records */

	size_t at, line_start,
		continuations; /* the latter: bytes of the line that start no code point */
	int line;
	int depth;
	const char *pointer; /* of the value that is being read */
};

/* Reads all of text; scan->faults tells whether cJSON may be given it. The caller frees records. */
void json_scan(struct json_scan *scan);

/* For the other half of the scanner, json_token.c: */
void json_advance(struct json_scan *scan, size_t bytes);
struct json_spot json_spot(const struct json_scan *scan);
void json_fault(struct json_scan *scan, struct json_spot spot, const char *format, ...)
	PRINTF(3, 4);

/* One character of a string, as written and in UTF-8. */
struct json_char {
	size_t written; /* bytes as written: 1 for "a", 2 for "\n", 12 for a surrogate pair */
	uint8_t utf8[4];
	size_t length;
	const char *expected; /* NULL, or what should stand here instead */
};

/* raw is not empty. Bytes that are not UTF-8 are passed on: json_check_utf8 tells about them. */
struct json_char json_char_at(struct slice raw);
/* The bytes of raw decoded, ended by NUL. */
char *json_decode(struct arena *arena, struct slice raw);

void json_check_utf8(struct json_scan *scan);
/* Step over the string or number that starts at scan->at; false where a string does not end. */
bool json_take_string(struct json_scan *scan);
void json_take_number(struct json_scan *scan);

#endif
