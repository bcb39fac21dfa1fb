#include "base/json.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json_scan.h"

enum { FILE_BYTES = 16 * 1024 * 1024 };

/* A slot of the table that leads from a node of the tree to its record. */
struct slot {
	const cJSON *node;
	const struct json_record *record;
};

struct json {
	struct arena *arena;
	char *file;
	uint8_t *text;
	size_t len;
	struct json_record *records;
	size_t count;
	struct slot *slots;
	size_t mask; /* slots, a power of two, minus 1 */
	cJSON *root;
};

/*
 * Every parse by cJSON 1.7 resets a global that only cJSON_GetErrorPtr reads. Nobody asks for it, but two threads that
 * write it at once are a data race all the same.
 */
static pthread_mutex_t cjson_lock = PTHREAD_MUTEX_INITIALIZER;

/* text went through the scanner, so that there is nothing left for cJSON to refuse. */
static cJSON *build(const uint8_t *text, size_t len)
{
	const char *end = NULL;
	pthread_mutex_lock(&cjson_lock);
	cJSON *root = cJSON_ParseWithLengthOpts((const char *)text, len, &end, false);
	pthread_mutex_unlock(&cjson_lock);
	if (!root)
		BUG("cJSON refuses what the scanner took, at byte %td of %zu",
			end ? end - (const char *)text : -1, len);
	return root;
}

static size_t hash_node(const cJSON *node)
{
	/* Nodes come from malloc: the lowest bits of their addresses are all alike. */
	uint64_t x = (uint64_t)(uintptr_t)node * UINT64_C(0x9e3779b97f4a7c15);
	return (size_t)(x >> 32);
}

static void put_node(struct json *json, const cJSON *node, size_t index)
{
	if (index >= json->count)
		BUG("cJSON has more values than the scanner found");
	size_t i = hash_node(node) & json->mask;
	while (json->slots[i].node)
		i = (i + 1) & json->mask;
	json->slots[i] = (struct slot){ node, &json->records[index] };
}

/* Goes over the tree in the order of the text, which is the order of the records. */
static size_t put_tree(struct json *json, const cJSON *node, size_t index)
{
	put_node(json, node, index++);
	for (const cJSON *child = node->child; child; child = child->next)
		index = put_tree(json, child, index);
	return index;
}

static void index_tree(struct json *json)
{
	size_t room = 2;
	while (room < 2 * json->count)
		room *= 2;
	json->slots = mem_alloc(room, sizeof *json->slots);
	json->mask = room - 1;
	if (put_tree(json, json->root, 0) != json->count)
		BUG("cJSON has fewer values than the scanner found");
}

enum rc json_read(struct slice text, const char *file, unsigned flags, struct json **json,
	struct errors *errors)
{
	struct json *j = mem_alloc(1, sizeof *j);
	j->arena = arena_new();
	j->file = arena_text(j->arena, file);
	j->text = mem_alloc(text.len + 1, 1);
	j->len = text.len;
	if (text.len)
		memcpy(j->text, text.ptr, text.len);
	struct json_scan scan = { .text = j->text,
		.len = j->len,
		.flags = flags,
		.keep_pointers = true,
		.file = j->file,
		.arena = j->arena,
		.errors = errors };
	json_scan(&scan);
	j->records = scan.records;
	j->count = scan.count;
	*json = NULL;
	if (scan.faults) {
		json_free(j);
		return RC_USAGE;
	}
	j->root = build(j->text, j->len);
	index_tree(j);
	*json = j;
	return RC_OK;
}

enum rc json_read_file(const char *path, unsigned flags, struct json **json, struct errors *errors)
{
	struct buf bytes;
	struct err err = { 0 };
	*json = NULL;
	buf_init(&bytes, FILE_BYTES);
	enum rc rc = buf_read_file(&bytes, path, &err);
	if (rc == RC_OK) {
		rc = json_read(buf_slice(&bytes), path, flags, json, errors);
	} else {
		errors_add(errors, (struct place){ .file = path }, RC_USAGE, "%s", err.text);
		rc = RC_USAGE;
	}
	buf_release(&bytes);
	return rc;
}

void json_free(struct json *json)
{
	if (!json)
		return;
	cJSON_Delete(json->root);
	free(json->slots);
	free(json->records);
	free(json->text);
	arena_free(json->arena);
	free(json);
}

cJSON *json_root(const struct json *json)
{
	return json->root;
}

static const struct json_record *record_of(const struct json *json, const cJSON *node)
{
	size_t i = hash_node(node) & json->mask;
	while (json->slots[i].node && json->slots[i].node != node)
		i = (i + 1) & json->mask;
	if (!json->slots[i].node)
		BUG("a value that does not belong to %s", json->file);
	return json->slots[i].record;
}

static struct place place_of(
	const struct json *json, const struct json_record *record, struct json_spot spot)
{
	return (struct place){ json->file, spot.line, spot.col, record->pointer };
}

struct place json_place(const struct json *json, const cJSON *value)
{
	const struct json_record *record = record_of(json, value);
	return place_of(json, record, record->at);
}

struct place json_key_place(const struct json *json, const cJSON *value)
{
	const struct json_record *record = record_of(json, value);
	return place_of(json, record, record->key_at);
}

struct place json_place_in(const struct json *json, const cJSON *string, size_t offset)
{
	const struct json_record *record = record_of(json, string);
	struct json_spot spot = record->at;
	/* Behind the quote; a string never goes on to another line. */
	size_t at = record->offset + 1, decoded = 0;
	spot.col++;
	while (cJSON_IsString(string) && json->text[at] != '"') {
		struct json_char c = json_char_at(slice_from(json->text + at, json->len - at));
		decoded += c.length;
		if (decoded > offset)
			break;
		/* An escape is written in ASCII, anything else is one code point. */
		spot.col += json->text[at] == '\\' ? (int)c.written : 1;
		at += c.written;
	}
	return place_of(json, record, spot);
}

/* The error that comes first in the text. */
static const struct error *first_error(const struct errors *errors)
{
	const struct error *first = &errors->list[0];
	for (size_t i = 1; i < errors->count; i++) {
		const struct error *e = &errors->list[i];
		bool before =
			e->place.line < first->place.line ||
			(e->place.line == first->place.line && e->place.col < first->place.col);
		first = before ? e : first;
	}
	return first;
}

cJSON *json_parse(struct slice text, struct err *err)
{
	cJSON *root = NULL;
	struct errors errors = { 0 };
	uint8_t *copy = mem_alloc(text.len + 1, 1);
	if (text.len)
		memcpy(copy, text.ptr, text.len);
	struct json_scan scan = { .text = copy,
		.len = text.len,
		.flags = JSON_STRICT | JSON_BIG_NUMBERS,
		.file = "",
		.arena = arena_new(),
		.errors = &errors };
	json_scan(&scan);
	if (!scan.faults) {
		root = build(copy, text.len);
	} else {
		const struct error *first = first_error(&errors);
		(void)err_set(err, RC_INVALID, NULL, "line %d, column %d: %s", first->place.line,
			first->place.col, first->text);
	}
	errors_release(&errors);
	free(scan.records);
	arena_free(scan.arena);
	free(copy);
	return root;
}

void json_put_dotted(cJSON *object, const char *name, const char *text)
{
	const char *dot = strchr(name, '.');
	if (!dot) {
		cJSON_AddStringToObject(object, name, text);
		return;
	}
	char *word = mem_print("%.*s", (int)(dot - name), name);
	cJSON *inner = json_get(object, word);
	if (!inner)
		inner = cJSON_AddObjectToObject(object, word);
	cJSON_AddStringToObject(inner, dot + 1, text);
	free(word);
}

size_t json_size(const cJSON *value)
{
	size_t bytes = sizeof *value + (cJSON_IsString(value) ? strlen(value->valuestring) : 0) +
		       (value->string ? strlen(value->string) : 0);
	for (const cJSON *part = value->child; part; part = part->next)
		bytes += json_size(part);
	return bytes;
}
