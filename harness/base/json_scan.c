#include "base/json_scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FOUND_BYTES = 40, FEW_MEMBERS = 8 };

#define NO_COMMA SIZE_MAX

void json_advance(struct json_scan *scan, size_t bytes)
{
	for (size_t end = scan->at + bytes; scan->at < end; scan->at++) {
		uint8_t byte = scan->text[scan->at];
		if ((byte & 0xc0) == 0x80)
			scan->continuations++;
		if (byte != '\n')
			continue;
		scan->line++;
		scan->line_start = scan->at + 1;
		scan->continuations = 0;
	}
}

struct json_spot json_spot(const struct json_scan *scan)
{
	size_t col = scan->at - scan->line_start - scan->continuations + 1;
	return (struct json_spot){ .line = scan->line, .col = (int)col };
}

void json_fault(struct json_scan *scan, struct json_spot spot, const char *format, ...)
{
	struct place place = { scan->file, spot.line, spot.col, scan->pointer };
	char text[512];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	errors_add(scan->errors, place, RC_USAGE, "%s", text);
	scan->faults++;
}

static uint8_t peek(const struct json_scan *scan, size_t ahead)
{
	return scan->len - scan->at > ahead ? scan->text[scan->at + ahead] : 0;
}

static bool is_word(uint8_t c)
{
	return c == '_' || c == '-' || c == '+' || c == '.' || (c >= '0' && c <= '9') ||
	       (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c >= 0x80;
}

static size_t word_length(const struct json_scan *scan)
{
	size_t length = 0;
	while (scan->at + length < scan->len && is_word(scan->text[scan->at + length]))
		length++;
	return length;
}

static bool at_comment(const struct json_scan *scan)
{
	return peek(scan, 0) == '/' && (peek(scan, 1) == '/' || peek(scan, 1) == '*');
}

/* "expected a comma or "]", found "}"", at scan->at. Returns false: the structure is broken, and scanning ends. */
static bool broken(struct json_scan *scan, const char *expected)
{
	char found[FOUND_BYTES + 3];
	size_t length = word_length(scan);
	uint8_t byte = peek(scan, 0);
	int shown = length > FOUND_BYTES ? FOUND_BYTES : (int)length;
	while (shown > 0 && (peek(scan, (size_t)shown) & 0xc0) == 0x80)
		shown--;
	snprintf(found, sizeof found, "\"%.*s\"", shown ? shown : 1,
		scan->at < scan->len ? (const char *)scan->text + scan->at : "");
	if (scan->at == scan->len)
		snprintf(found, sizeof found, "the end of the text");
	else if (byte < ' ' || byte == 0x7f)
		snprintf(found, sizeof found, "byte 0x%02x", byte);
	else if (byte == '"')
		snprintf(found, sizeof found, "a string");
	else if (at_comment(scan))
		snprintf(found, sizeof found, "a comment, which strict JSON has not");
	json_fault(scan, json_spot(scan), "expected %s, found %s", expected, found);
	return false;
}

static bool skip_comment(struct json_scan *scan)
{
	struct json_spot start = json_spot(scan);
	bool line = peek(scan, 1) == '/';
	size_t from = scan->at;
	struct slice rest = slice_from(scan->text + from, scan->len - from);
	struct slice body = slice_part(rest, 2, SIZE_MAX);
	size_t end = line ? slice_find_byte(body, '\n') : slice_find(body, slice_of("*/"));
	if (end == SIZE_MAX && !line) {
		json_fault(scan, start,
			"expected */ to close the comment that starts here, found the end of the text");
		return false;
	}
	size_t length = end == SIZE_MAX ? rest.len : end + (line ? 2 : 4);
	json_advance(scan, length);
	for (size_t i = from; i < from + length; i++)
		if (scan->text[i] != '\n')
			scan->text[i] = ' ';
	return true;
}

/* Space, and comments where they are allowed. */
static bool skip_space(struct json_scan *scan)
{
	for (;;) {
		uint8_t byte = peek(scan, 0);
		if (byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r')
			json_advance(scan, 1);
		else if (!(scan->flags & JSON_RELAXED) || !at_comment(scan))
			return true;
		else if (!skip_comment(scan))
			return false;
	}
}

static const char *pointer_of(struct json_scan *scan, size_t parent, size_t index, const char *key)
{
	if (!scan->keep_pointers)
		return NULL;
	struct slice above = slice_of(scan->records[parent].pointer);
	if (!key)
		return arena_print(scan->arena, "%.*s/%zu", SLICE_PRINT(above), index);
	/* Escaping makes at most two characters of one. */
	size_t size = above.len + 2 * strlen(key) + 2;
	char *pointer = arena_alloc(scan->arena, size, 1);
	snprintf(pointer, size, "%.*s", SLICE_PRINT(above));
	json_pointer_add(pointer, size, key);
	return pointer;
}

static struct json_record *add_record(struct json_scan *scan)
{
	size_t count = scan->count++;
	if (count == scan->room) {
		scan->room = count ? 2 * count : 1;
		scan->records = mem_grow(scan->records, scan->room, sizeof *scan->records);
	}
	scan->records[count] = (struct json_record){ .offset = scan->at, .at = json_spot(scan) };
	scan->records[count].key_at = scan->records[count].at;
	return &scan->records[count];
}

static bool take_value(struct json_scan *scan, size_t self);
static bool few_and_distinct(const struct json_record *records, size_t count);
static void find_duplicates(struct json_scan *scan, size_t first);

static bool take_item(struct json_scan *scan, size_t parent, size_t index)
{
	size_t self = scan->count;
	struct json_record *record = add_record(scan);
	record->parent = parent;
	record->pointer = pointer_of(scan, parent, index, NULL);
	return take_value(scan, self);
}

static bool take_member(struct json_scan *scan, size_t parent)
{
	struct json_spot key_at = json_spot(scan);
	size_t start = scan->at + 1;
	if (peek(scan, 0) != '"')
		return broken(scan, "a key in double quotes or \"}\"");
	if (!json_take_string(scan))
		return false;
	struct slice raw = slice_from(scan->text + start, scan->at - 1 - start);
	if (!skip_space(scan))
		return false;
	if (peek(scan, 0) != ':')
		return broken(scan, "a colon behind the key");
	json_advance(scan, 1);
	if (!skip_space(scan))
		return false;
	size_t self = scan->count;
	struct json_record *record = add_record(scan);
	record->parent = parent;
	record->key = json_decode(scan->arena, raw);
	record->key_at = key_at;
	record->pointer = pointer_of(scan, parent, 0, record->key);
	return take_value(scan, self);
}

static void end_with_comma(struct json_scan *scan, size_t comma)
{
	if (scan->flags & JSON_RELAXED)
		scan->text[comma] = ' ';
	else
		json_fault(scan, json_spot(scan), "expected a value behind the comma, found \"%c\"",
			peek(scan, 0));
}

/* Records of what is inside are needed no longer, but to see that no key stands there twice. */
static void drop_records(struct json_scan *scan, size_t self, uint8_t close)
{
	size_t first = self + 1, count = scan->count - first;
	if (close == '}' && !few_and_distinct(scan->records + first, count))
		find_duplicates(scan, first);
	scan->count = first;
}

static bool take_container(struct json_scan *scan, size_t self, uint8_t close)
{
	const char *expected = close == ']' ? "a comma or \"]\"" : "a comma or \"}\"";
	size_t comma = NO_COMMA;
	json_advance(scan, 1);
	if (++scan->depth > JSON_DEPTH) {
		json_fault(scan, scan->records[self].at, "expected at most %d levels", JSON_DEPTH);
		return false;
	}
	for (size_t i = 0;; i++) {
		if (!skip_space(scan))
			return false;
		if (peek(scan, 0) == close)
			break;
		if (i > 0 && comma == NO_COMMA)
			return broken(scan, expected);
		if (!(close == '}' ? take_member(scan, self) : take_item(scan, self, i)))
			return false;
		scan->pointer = scan->records[self].pointer;
		if (!skip_space(scan))
			return false;
		comma = peek(scan, 0) == ',' ? scan->at : NO_COMMA;
		json_advance(scan, comma != NO_COMMA);
	}
	if (comma != NO_COMMA)
		end_with_comma(scan, comma);
	json_advance(scan, 1);
	scan->depth--;
	if (!scan->keep_pointers)
		drop_records(scan, self, close);
	return true;
}

/* Something else than a value that has a clear end, such as NaN, is no reason to stop. */
static bool take_word(struct json_scan *scan)
{
	static const char expected[] =
		"an object, a list, a string in double quotes, a number, true, false or null";
	size_t length = word_length(scan);
	struct slice word = slice_from(scan->text + scan->at, length);
	if (!length)
		return broken(scan, expected);
	if (!slice_is(word, "true") && !slice_is(word, "false") && !slice_is(word, "null"))
		(void)broken(scan, expected);
	json_advance(scan, length);
	return true;
}

static bool take_value(struct json_scan *scan, size_t self)
{
	uint8_t byte = peek(scan, 0);
	scan->pointer = scan->records[self].pointer;
	if (byte == '{')
		return take_container(scan, self, '}');
	if (byte == '[')
		return take_container(scan, self, ']');
	if (byte == '"')
		return json_take_string(scan);
	if (!byte || !strchr("+-.0123456789", byte))
		return take_word(scan);
	json_take_number(scan);
	return true;
}

struct member {
	const struct json_record *record;
};

/* By object, key and then place. */
static int by_key(const void *left, const void *right)
{
	const struct json_record *a = ((const struct member *)left)->record;
	const struct json_record *b = ((const struct member *)right)->record;
	if (a->parent != b->parent)
		return a->parent < b->parent ? -1 : 1;
	int order = strcmp(a->key, b->key);
	if (order)
		return order;
	return a->offset < b->offset ? -1 : 1;
}

/* Few members, as most objects of a long answer have, are seen to differ without a sorted list of them. */
static bool few_and_distinct(const struct json_record *records, size_t count)
{
	if (count > FEW_MEMBERS)
		return false;
	for (size_t i = 0; i < count; i++)
		for (size_t j = i + 1; j < count; j++)
			if (strcmp(records[i].key, records[j].key) == 0)
				return false;
	return true;
}

/* Among the records from `first` on. */
static void find_duplicates(struct json_scan *scan, size_t first)
{
	struct member *members = mem_alloc(scan->count - first, sizeof *members);
	size_t count = 0;
	for (size_t i = first; i < scan->count; i++)
		if (scan->records[i].key)
			members[count++].record = &scan->records[i];
	qsort(members, count, sizeof *members, by_key);
	for (size_t i = 1; i < count; i++) {
		const struct json_record *a = members[i - 1].record, *b = members[i].record;
		if (a->parent != b->parent || strcmp(a->key, b->key) != 0)
			continue;
		scan->pointer = b->pointer;
		json_fault(scan, b->key_at,
			"expected each key once, found \"%.80s\" again (also at line %d, column %d)",
			b->key, a->key_at.line, a->key_at.col);
	}
	free(members);
}

static void start(struct json_scan *scan)
{
	scan->at = scan->line_start = scan->continuations = 0;
	scan->line = 1;
}

void json_scan(struct json_scan *scan)
{
	start(scan);
	json_check_utf8(scan);
	start(scan);
	if (slice_starts(slice_from(scan->text, scan->len), "\xef\xbb\xbf")) {
		json_fault(scan, json_spot(scan),
			"expected UTF-8 without a byte order mark, found one (EF BB BF)");
		json_advance(scan, 3);
	}
	if (!skip_space(scan))
		return;
	struct json_record *root = add_record(scan);
	root->pointer = scan->keep_pointers ? "" : NULL;
	bool whole = take_value(scan, 0) && skip_space(scan);
	scan->pointer = NULL;
	if (whole && scan->at < scan->len)
		(void)broken(scan, "the end of the text");
	if (scan->keep_pointers)
		find_duplicates(scan, 0);
}
