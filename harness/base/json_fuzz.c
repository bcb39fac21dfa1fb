/*
 * Any bytes as JSON: read both ways, every value asked for its place, printed and read again. The harness's own BUG()
 * makes a disagreement between the scanner and cJSON a crash.
 */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds, const char *what)
{
	if (!holds)
		BUG("%s", what);
}

static void visit(const struct json *json, const cJSON *root, const cJSON *value)
{
	bool owned;
	struct place place = json_place(json, value), key = json_key_place(json, value);
	must(place.line >= 1 && place.col >= 1 && key.col >= 1, "a place before the text");
	must(json_pointer(root, place.pointer, false, &owned) == value && !owned,
		"a pointer that leads elsewhere");
	if (cJSON_IsString(value)) {
		size_t length = strlen(value->valuestring);
		struct place end = json_place_in(json, value, length);
		must(end.line == place.line && end.col > place.col, "the end before the start");
	}
	for (const cJSON *child = value->child; child; child = child->next)
		visit(json, root, child);
}

static void round_trip(const cJSON *value)
{
	struct err err = { 0 };
	char *text = json_print(value);
	cJSON *again = json_parse(slice_of(text), &err);
	must(again != NULL, err.text);
	must(json_equal(value, again), "another value after printing and reading");
	cJSON_Delete(again);
	free(text);
}

static bool read_with(struct slice text, unsigned flags)
{
	struct errors errors = { 0 };
	struct json *json;
	bool read = json_read(text, "fuzz.json", flags, &json, &errors) == RC_OK;
	must(read == (errors.count == 0), "an error without words, or words without an error");
	if (read) {
		visit(json, json_root(json), json_root(json));
		round_trip(json_root(json));
	}
	errors_release(&errors);
	json_free(json);
	return read;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct slice text = slice_from(data, size);
	struct err err = { 0 };
	bool strict = read_with(text, JSON_STRICT);
	bool relaxed = read_with(text, JSON_RELAXED);
	must(relaxed || !strict, "strict JSON that is refused when relaxed");
	cJSON *parsed = json_parse(text, &err);
	must(parsed || !strict, "strict JSON that is refused with big numbers");
	must(parsed || err.text[0], "no words for a fault");
	cJSON_Delete(parsed);
	return 0;
}
