#include "base/shape.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/shape_text.h"

enum { PATH_BYTES = 256 };

/* One check. Where json is set, faults go to errors; else the first goes to err, with the path inside the value. */
struct check {
	const struct json *json;
	struct errors *errors;
	struct err *err;
	char path[PATH_BYTES];
	size_t faults;
};

static void check_value(struct check *check, const struct shape *shape, const cJSON *value);

static void fault_at(struct check *check, struct place place, const char *text)
{
	const char *path = check->path;
	if (check->json)
		errors_add(check->errors, place, RC_USAGE, "%s", text);
	else if (!check->faults)
		(void)err_set(check->err, RC_USAGE, NULL, "%s%s%s%s", text, *path ? " (at " : "",
			path, *path ? ")" : "");
	check->faults++;
}

static void fault(struct check *check, const cJSON *value, const char *format, ...) PRINTF(3, 4);

static void fault(struct check *check, const cJSON *value, const char *format, ...)
{
	char text[2 * SHAPE_TEXT_BYTES];
	struct place place = { 0 };
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	if (check->json)
		place = json_place(check->json, value);
	fault_at(check, place, text);
}

static void fault_key(struct check *check, const struct shape *shape, const cJSON *member)
{
	char text[2 * SHAPE_TEXT_BYTES], hint[SHAPE_TEXT_BYTES];
	struct place place = { 0 };
	shape_suggest(shape, member->string, hint);
	snprintf(text, sizeof text, "unknown key \"%.80s\"%s", member->string, hint);
	if (check->json)
		place = json_key_place(check->json, member);
	fault_at(check, place, text);
}

static void fault_type(struct check *check, const struct shape *shape, const cJSON *value)
{
	char expected[SHAPE_TEXT_BYTES], found[SHAPE_TEXT_BYTES];
	shape_expected(shape, expected);
	shape_found(value, found);
	fault(check, value, "expected %s, found %s", expected, found);
}

/* Checks a part of the value, whose name or index is added to the path for as long. */
static void check_part(
	struct check *check, const struct shape *shape, const cJSON *part, const char *name)
{
	size_t length = strlen(check->path);
	json_pointer_add(check->path, sizeof check->path, name);
	check_value(check, shape, part);
	check->path[length] = 0;
}

static void check_string(struct check *check, const struct shape *shape, const cJSON *value)
{
	const char *text = value->valuestring;
	struct err err = { 0 };
	bool known = !shape->words;
	for (size_t i = 0; !known && shape->words[i]; i++)
		known = strcmp(shape->words[i], text) == 0;
	if (!known) {
		char expected[SHAPE_TEXT_BYTES], hint[SHAPE_TEXT_BYTES];
		shape_expected(shape, expected);
		shape_suggest(shape, text, hint);
		fault(check, value, "expected %s, found \"%.80s\"%s", expected, text, hint);
	} else if (shape->valid && !shape->valid(text, &err)) {
		fault(check, value, "%s", err.text);
	}
}

static void check_count(struct check *check, const struct shape *shape, const cJSON *value)
{
	double number = value->valuedouble;
	bool within = number >= shape->least && (!shape->most || number <= shape->most);
	if (!(within && number == floor(number)))
		fault_type(check, shape, value);
}

static void check_list(struct check *check, const struct shape *shape, const cJSON *value)
{
	size_t count = 0;
	for (const cJSON *item = value->child; item; item = item->next) {
		char index[24];
		snprintf(index, sizeof index, "%zu", count++);
		check_part(check, shape->items, item, index);
	}
	if (count < shape->min_items) {
		char expected[SHAPE_TEXT_BYTES];
		shape_expected(shape, expected);
		fault(check, value, "expected %s with at least %zu item%s, found %zu", expected,
			shape->min_items, shape->min_items == 1 ? "" : "s", count);
	}
}

static void check_object(struct check *check, const struct shape *shape, const cJSON *value)
{
	const struct shape_key *key;
	for (const cJSON *member = value->child; member; member = member->next) {
		key = shape_key_find(shape, member->string);
		if (key)
			check_part(check, key->shape, member, member->string);
		else
			fault_key(check, shape, member);
	}
	for (size_t i = 0; (key = shape_key_at(shape, i)) != NULL; i++) {
		char found[SHAPE_TEXT_BYTES];
		if (!key->required || json_get(value, key->name))
			continue;
		shape_found_keys(value, found);
		fault(check, value, "expected the key \"%s\", found %s", key->name, found);
	}
}

/* A name that a variable completes is looked at again once that is known. */
static void check_name(struct check *check, const struct shape *shape, const cJSON *member)
{
	struct err err = { 0 };
	struct place place = { 0 };
	bool later = check->json && shape_has_variable(member->string);
	if (later || shape->valid(member->string, &err))
		return;
	if (check->json)
		place = json_key_place(check->json, member);
	fault_at(check, place, err.text);
}

static void check_map(struct check *check, const struct shape *shape, const cJSON *value)
{
	for (const cJSON *member = value->child; member; member = member->next) {
		const struct shape_key *key = shape_key_find(shape, member->string);
		if (!key && shape->valid)
			check_name(check, shape, member);
		check_part(check, key ? key->shape : shape->items, member, member->string);
	}
}

static const char *variant_word(const struct shape *shape)
{
	return shape->variant_word ? shape->variant_word : "verb";
}

static void fault_no_verb(struct check *check, const struct shape *shape, const cJSON *value)
{
	char hint[SHAPE_TEXT_BYTES] = "", found[SHAPE_TEXT_BYTES], verbs[SHAPE_TEXT_BYTES];
	/* No word is near the empty one, which gives the list. */
	shape_suggest(shape, "", verbs);
	for (const cJSON *member = value->child; member && hint[0] != ';'; member = member->next)
		shape_suggest(shape, member->string, hint);
	shape_found_keys(value, found);
	const char *list = strncmp(verbs, " (one of ", 9) == 0 ? verbs + 9 : ")";
	fault(check, value, "expected one %s (%s, found %s%s", variant_word(shape), list, found,
		hint[0] == ';' ? hint : "");
}

/* Whether every verb among the keys of value is also a key of the shape. */
static bool has_all_verbs(
	const struct shape *variants, const struct shape *shape, const cJSON *value)
{
	for (const cJSON *member = value->child; member; member = member->next)
		if (shape_variant_find(variants, member->string) &&
			!shape_key_find(shape, member->string))
			return false;
	return true;
}

/*
 * A verb may also be the name of another verb's option: of several that are there, the one counts whose keys include the
 * others.
 */
static void check_variant(struct check *check, const struct shape *shape, const cJSON *value)
{
	const struct shape_variant *chosen = NULL;
	const char *first = NULL, *second = NULL;
	size_t fitting = 0;
	for (const cJSON *member = value->child; member; member = member->next) {
		const struct shape_variant *variant = shape_variant_find(shape, member->string);
		if (!variant)
			continue;
		second = first && !second ? variant->verb : second;
		first = first ? first : variant->verb;
		if (!has_all_verbs(shape, variant->shape, value))
			continue;
		chosen = variant;
		fitting++;
	}
	if (fitting == 1)
		check_value(check, chosen->shape, value);
	else if (second)
		fault(check, value, "expected one %s, found \"%s\" and \"%s\"", variant_word(shape),
			first, second);
	else if (first)
		BUG("the verb %s is no key of its own shape", first);
	else
		fault_no_verb(check, shape, value);
}

static void check_choice(struct check *check, const struct shape *shape, const cJSON *value)
{
	for (size_t i = 0; shape->choices[i]; i++)
		if (shape_takes_type(shape->choices[i], value)) {
			check_value(check, shape->choices[i], value);
			return;
		}
	BUG("a choice that takes a type which none of its shapes takes");
}

static void check_value(struct check *check, const struct shape *shape, const cJSON *value)
{
	if (!shape)
		return;
	bool later = check->json && !shape->literal && cJSON_IsString(value) &&
		     shape_has_variable(value->valuestring);
	if (later)
		return;
	if (!shape_takes_type(shape, value)) {
		fault_type(check, shape, value);
		return;
	}
	switch (shape->kind) {
	case SHAPE_STRING: check_string(check, shape, value); break;
	case SHAPE_COUNT: check_count(check, shape, value); break;
	case SHAPE_LIST: check_list(check, shape, value); break;
	case SHAPE_OBJECT: check_object(check, shape, value); break;
	case SHAPE_MAP: check_map(check, shape, value); break;
	case SHAPE_CHOICE: check_choice(check, shape, value); break;
	case SHAPE_VARIANT: check_variant(check, shape, value); break;
	case SHAPE_ANY:
	case SHAPE_NULL:
	case SHAPE_BOOL:
	case SHAPE_NUMBER: break;
	}
}

bool shape_check(const struct shape *shape, const struct json *json, const cJSON *value,
	struct errors *errors)
{
	struct check check = { .json = json, .errors = errors };
	check_value(&check, shape, value);
	return !check.faults;
}

bool shape_check_resolved(const struct shape *shape, const cJSON *value, struct err *err)
{
	struct check check = { .err = err };
	check_value(&check, shape, value);
	return !check.faults;
}

bool shape_has_variable(const char *text)
{
	for (const char *at = strchr(text, '$'); at; at = strchr(at, '$')) {
		if (strncmp(at, "$${", 3) == 0)
			at += 3;
		else if (at[1] == '{')
			return true;
		else
			at++;
	}
	return false;
}
