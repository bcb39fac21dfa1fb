#include "expect/operator.h"

#include <string.h>

#include "expect/pattern.h"

static const struct shape string_shape = { .kind = SHAPE_STRING, .name = "text" };
static const struct shape number_shape = { .kind = SHAPE_NUMBER, .name = "a number" };
static const struct shape bool_shape = { .kind = SHAPE_BOOL, .name = "true or false" };
static const struct shape null_shape = { .kind = SHAPE_NULL, .name = "null" };
static const struct shape item_shape = {
	.kind = SHAPE_CHOICE,
	.name = "a part of the text, or an item of the list",
	.choices = (const struct shape *const[]){ &string_shape, &number_shape, &bool_shape,
		&null_shape, NULL },
};
static bool token_valid(const char *text, struct err *err)
{
	if (text[strspn(text, " \t")] && !strchr(text, ','))
		return true;
	err_set(err, RC_INVALID, "",
		"expected one member of a list such as \"accept-encoding\", found \"%s\"", text);
	return false;
}

static const struct shape token_shape = {
	.kind = SHAPE_STRING,
	.name = "a member of a list such as \"accept-encoding\"",
	.pattern = "^[^,]*[^,\\s][^,]*$",
	.valid = token_valid,
};
static const struct shape pattern_shape = {
	.kind = SHAPE_STRING,
	.name = "a pattern (PCRE2)",
	.valid = pattern_valid,
};

/*
 * The next member of a list header (RFC 9110 section 5.6.1): commas inside quoted strings (section 5.6.4) don't end it.
 */
static bool next_member(struct slice *rest, struct slice *member)
{
	bool quoted = false;
	size_t end = 0;
	if (!rest->len)
		return false;
	for (; end < rest->len && (quoted || rest->ptr[end] != ','); end++) {
		if (rest->ptr[end] == '"')
			quoted = !quoted;
		else if (quoted && rest->ptr[end] == '\\' && end + 1 < rest->len)
			end++;
	}
	*member = slice_trim(slice_part(*rest, 0, end));
	*rest = slice_part(*rest, end + 1, SIZE_MAX);
	return true;
}

/* A member is meant whole, or without the parameters behind its `;`. */
static bool is_member(struct slice member, struct slice token)
{
	size_t semicolon = slice_find_byte(member, ';');
	return slice_equal_nocase(member, token) ||
	       slice_equal_nocase(slice_trim(slice_part(member, 0, semicolon)), token);
}

static bool has_holds(struct matching *m, const cJSON *argument)
{
	struct slice rest, member, token = slice_trim(slice_of(argument->valuestring));
	if (!subject_as_text(&m->subject, &rest))
		return false;
	while (next_member(&rest, &member))
		if (is_member(member, token))
			return true;
	return false;
}

static const char *has_words(const struct matching *m, const cJSON *argument)
{
	return arena_print(m->j->arena, "has token %s", argument->valuestring);
}

/* Not found in the start of a body says nothing about the body. */
static void need_whole(const struct matching *m)
{
	if (m->subject.total > m->subject.bytes.len)
		judge_error(m->j, m->pointer,
			"expected a body of at most %zu bytes to search, found %llu bytes",
			m->subject.bytes.len, (unsigned long long)m->subject.total);
}

static bool has_item(const cJSON *list, const cJSON *item)
{
	for (const cJSON *at = list->child; at; at = at->next)
		if (json_equal(at, item))
			return true;
	return false;
}

static bool contains_holds(struct matching *m, const cJSON *argument)
{
	struct slice text;
	if (m->subject.kind == SUBJECT_JSON && cJSON_IsArray(m->subject.json))
		return has_item(m->subject.json, argument);
	if (!cJSON_IsString(argument) || !subject_as_text(&m->subject, &text))
		return false;
	if (slice_find(text, slice_of(argument->valuestring)) != SIZE_MAX)
		return true;
	need_whole(m);
	return false;
}

static const char *contains_words(const struct matching *m, const cJSON *argument)
{
	if (!cJSON_IsString(argument))
		return arena_print(m->j->arena, "contains %s", subject_json_words(m->j, argument));
	return arena_print(
		m->j->arena, "contains %s", judge_quote(m->j, slice_of(argument->valuestring)));
}

static bool matches_holds(struct matching *m, const cJSON *argument)
{
	struct slice text;
	struct err err;
	bool found;
	if (!subject_as_text(&m->subject, &text))
		return false;
	const char *pattern = argument->valuestring;
	enum rc rc = m->patterns ? patterns_find(m->patterns, pattern, text, &found, &err)
				 : pattern_find(pattern, text, &found, NULL, NULL, &err);
	if (rc != RC_OK)
		judge_error(m->j, m->pointer, "%s", err.text);
	if (!found)
		need_whole(m);
	return found;
}

static const char *matches_words(const struct matching *m, const cJSON *argument)
{
	return arena_print(m->j->arena, "matches %s", argument->valuestring);
}

const struct operator_row operators_text[] = {
	{
		.key = { "has", &token_shape,
			"a member of the comma-separated list, in any case, with or without its "
			"parameters",
			false },
		.places = PLACE_HEADER | PLACE_JSON | PLACE_VALUE,
		.holds = has_holds,
		.words = has_words,
	},
	{
		.key = { "contains", &string_shape, "the text stands somewhere in it", false },
		.places = PLACE_HEADER | PLACE_BODY | PLACE_TEXT,
		.holds = contains_holds,
		.words = contains_words,
	},
	{
		.key = { "contains", &item_shape,
			"the text stands somewhere in the string, or the value in the list",
			false },
		.places = PLACE_JSON | PLACE_VALUE,
		.holds = contains_holds,
		.words = contains_words,
	},
	{
		.key = { "matches", &pattern_shape, "the pattern (PCRE2) matches somewhere in it",
			false },
		.places = PLACE_HEADER | PLACE_BODY | PLACE_TEXT | PLACE_JSON | PLACE_VALUE,
		.holds = matches_holds,
		.words = matches_words,
	},
	{ .key = { .name = NULL } },
};
