#include "expect/expect_rows.h"

#include <string.h>

/*
 * The words of http/'s table of violations, which this folder does not include; drive/violation_test.c holds the two together.
 * "strict" and the names share a list, so that a misspelt one is told its nearest.
 */
#define VIOLATIONS                                                                                 \
	"bad-status-line", "bare-lf", "bare-cr", "obs-fold", "bad-header-name",                    \
		"space-before-colon", "nul-in-header", "control-in-header", "bad-length",          \
		"lengths-differ", "length-repeated", "length-and-chunked", "length-in-1xx",        \
		"length-in-204", "transfer-coding-in-1xx", "transfer-coding-in-204",               \
		"unknown-transfer-coding", "chunked-not-last", "chunked-twice",                    \
		"chunked-in-http10", "bad-chunk-size", "bad-chunk-extension", "bad-chunk-end",     \
		"trailer-not-allowed", "body-on-head", "body-on-204", "body-on-304", "surplus",    \
		"unasked", "truncated", "unreadable", "other-version", "stream-reset",             \
		"refused-stream", "goaway", "connection-error", NULL

static const struct shape violation_shape = {
	.kind = SHAPE_STRING,
	.name = "a violation such as \"truncated\"",
	.words = (const char *const[]){ VIOLATIONS },
};
static const struct shape word_shape = {
	.kind = SHAPE_STRING,
	.name = "\"strict\" or a violation such as \"truncated\"",
	.words = (const char *const[]){ "strict", VIOLATIONS },
};
static const struct shape list_shape = {
	.kind = SHAPE_LIST,
	.name = "a list of violations",
	.items = &violation_shape,
	.min_items = 1,
};
static const struct shape_key operators[] = {
	{ "has", &violation_shape, "it is among those found", false },
	{ "one_of", &list_shape, "exactly one is found, and it is one of these", false },
	{ .name = NULL },
};
static const struct shape operators_shape = {
	.kind = SHAPE_OBJECT,
	.name = "{\"has\": VIOLATION} or {\"one_of\": [VIOLATION, ...]}",
	.keys = operators,
};
static const struct shape framing_shape = {
	.kind = SHAPE_CHOICE,
	.name = "\"strict\", a violation, a list of violations, or {\"has\": VIOLATION}",
	.choices =
		(const struct shape *const[]){ &word_shape, &list_shape, &operators_shape, NULL },
};

static bool has(const struct exchange *x, const char *name)
{
	for (size_t i = 0; i < x->violation_count; i++)
		if (!strcmp(x->violations[i].name, name))
			return true;
	return false;
}

/* All of the list and no others. */
static bool are_exactly(const struct exchange *x, const cJSON *list)
{
	size_t named = 0;
	const cJSON *name;
	cJSON_ArrayForEach (name, list) {
		if (!has(x, name->valuestring))
			return false;
		named++;
	}
	return named == x->violation_count;
}

static bool is_one_of(const struct exchange *x, const cJSON *list)
{
	for (const cJSON *name = list->child; name; name = name->next)
		if (x->violation_count == 1 && has(x, name->valuestring))
			return true;
	return false;
}

static bool holds(const struct exchange *x, const cJSON *value)
{
	if (cJSON_IsArray(value))
		return are_exactly(x, value);
	if (cJSON_IsObject(value)) {
		const char *among = json_text(value, "has");
		const cJSON *list = json_get(value, "one_of");
		return (!among || has(x, among)) && (!list || is_one_of(x, list));
	}
	if (!strcmp(value->valuestring, "strict"))
		return x->violation_count == 0;
	return x->violation_count == 1 && has(x, value->valuestring);
}

static const char *list_words(struct judgement *j, const char *words, const cJSON *list)
{
	for (const cJSON *name = list->child; name; name = name->next)
		words = arena_print(j->arena, "%s%s %s", words, name == list->child ? "" : ",",
			name->valuestring);
	return words;
}

static const char *words(struct judgement *j, const cJSON *value)
{
	if (cJSON_IsArray(value))
		return list_words(j, "exactly", value);
	if (cJSON_IsString(value))
		return arena_print(j->arena, "%s%s",
			strcmp(value->valuestring, "strict") != 0 ? "exactly " : "",
			value->valuestring);
	const char *among = json_text(value, "has");
	const cJSON *list = json_get(value, "one_of");
	const char *text = among ? arena_print(j->arena, "%s among others", among) : "";
	return list ? list_words(j, arena_print(j->arena, "%s%sone of", text, among ? " and " : ""),
			      list)
		    : text;
}

static const char *found(struct judgement *j)
{
	const struct exchange *x = j->exchange;
	const char *text = x->violation_count ? "" : "no violation";
	for (size_t i = 0; i < x->violation_count; i++)
		text = arena_print(j->arena, "%s%s%s: %s", text, i ? "; " : "",
			x->violations[i].name, x->violations[i].text);
	return text;
}

static void check(
	const struct expectation *row, struct judgement *j, const cJSON *value, const char *pointer)
{
	if (cJSON_IsObject(value) && !value->child) {
		judge_error(j, pointer, "expected \"has\" or \"one_of\", found no keys");
		return;
	}
	bool held = holds(j->exchange, value);
	judge_check(j, held, pointer, row->name, words(j, value), held ? "" : found(j));
}

void expect_framing_default(struct judgement *j)
{
	if (j->exchange->violation_count)
		judge_finding(j, "/framing", "framing", "strict", found(j));
}

const struct expectation expect_framing = {
	.name = "framing",
	.shape = &framing_shape,
	.help = "\"strict\" (implied where it isn't named): the answer keeps to the framing of its HTTP; "
		"a violation or a list of them: exactly these; {\"has\": VIOLATION}: this among others",
	.source = "RFC 9112, RFC 9113",
	.subjects = EXPECT_EXCHANGE,
	.check = check,
};
