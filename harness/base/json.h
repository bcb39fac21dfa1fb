/*
 * json: JSON text to a cJSON tree in which every value knows its place.
 *
 * A scanner of our own (RFC 8259) goes over the text first: it blanks comments and trailing commas to spaces in place
 * (JSON_RELAXED), so that positions hold, and refuses what cJSON lets through: duplicate keys, \u0000, lone surrogates,
 * bad UTF-8, unclosed comments, control characters in strings, numbers in other forms, anything behind the value, more
 * than JSON_DEPTH levels, a byte order mark, numbers of more than 63 characters or past every double, and integers past
 * 2^53 unless JSON_BIG_NUMBERS. Then cJSON builds the tree.
 *
 *	struct json *json;
 *	if (json_read(bytes, "cases/a.json", JSON_RELAXED, &json, &errors) == RC_OK)
 *		use(json_root(json));
 *	json_free(json);
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <cjson/cJSON.h>

#include "base/errors.h"
#include "base/slice.h"

enum { JSON_DEPTH = 200 };
enum json_flag { JSON_STRICT = 0, JSON_RELAXED = 1, JSON_BIG_NUMBERS = 2 };

struct json;

/*
 * file names the text in places and is copied. RC_USAGE, with *json NULL and every fault found (the scanner goes on after duplicate
 * keys, bad escapes and bad numbers; broken structure ends it) added to errors. The tree belongs to *json.
 */
enum rc json_read(struct slice text, const char *file, unsigned flags, struct json **json,
	struct errors *errors) MUST_USE;
/* The same for a file of at most 16 MiB; one that cannot be read is one of the errors. */
enum rc json_read_file(
	const char *path, unsigned flags, struct json **json, struct errors *errors) MUST_USE;
void json_free(struct json *json);

cJSON *json_root(const struct json *json);

/* Of a value of this tree (for a member: of its value), and of a member's key. BUG() for a foreign node. */
struct place json_place(const struct json *json, const cJSON *value);
struct place json_key_place(const struct json *json, const cJSON *value);
/*
 * Where in the file the code point stands that byte `offset` of the string's value belongs to, whatever escapes are before
 * it: for `${` inside a string. The end where offset is past it.
 */
struct place json_place_in(const struct json *json, const cJSON *string, size_t offset);

/*
 * Text from the network, of any size: strict, big numbers allowed, no places kept. NULL with err set ("line 3, column
 * 7: expected ..."). The caller frees the tree by cJSON_Delete.
 */
cJSON *json_parse(struct slice text, struct err *err) MUST_USE;

/* Case-sensitive member look-up; NULL where absent or not an object. */
cJSON *json_get(const cJSON *object, const char *key);
const char *json_text(const cJSON *object, const char *key); /* a string member's text, or NULL */
/*
 * "idle.p99" becomes the member "p99" of the member "idle", an object that is made where it is missing; "rate" itself.
 * Where "errors" is there as a text, "errors.reset" stands below it, and it stays the text that it is.
 */
void json_put_dotted(cJSON *object, const char *name, const char *text);

/*
 * RFC 6901 pointer with the `*` of RFC 8620 section 3.7 over arrays where star allows it: then the result is a new
 * array of all that matched, maybe empty, whose items refer to root's and have no places. An item that is null is one
 * of them whatever stands behind the `*`, so that what answers a list stays in line with it. *owned tells whether the
 * caller frees the result by cJSON_Delete. NULL: nothing there, or not a pointer.
 */
cJSON *json_pointer(const cJSON *root, const char *pointer, bool star, bool *owned) MUST_USE;
/* The form alone; for shapes as well. */
bool json_pointer_valid(const char *pointer, struct err *err);
/* One segment with `~` and `/` escaped, appended to text of `size` bytes; cut where it does not fit. */
void json_pointer_add(char *text, size_t size, const char *segment);

/* About how many bytes a copy of the value takes, all that is in it included. */
size_t json_size(const cJSON *value);

/* Equal as JSON values: members in any order, numbers by value. */
bool json_equal(const cJSON *a, const cJSON *b);
/* Compact text with every digit that a number needs (cJSON rounds); the caller frees it. */
char *json_print(const cJSON *value) MUST_USE;

#endif
