#include "expect/event.h"

#include <stdlib.h>

#include "expect/matcher.h"

enum { WORDS_BYTES = 160 };

static const struct shape event_json = { .kind = SHAPE_MAP,
	.name = "JSON pointers into the data and what each must lead to",
	.valid = json_pointer_valid,
	.items = &matcher_json_shape };

const struct shape event_shape = { .kind = SHAPE_OBJECT,
	.name = "an event such as { \"event\": \"state\" }",
	.keys = (const struct shape_key[]){
		{ "event", &matcher_text_shape, "its type; \"message\" where the stream names none",
			false },
		{ "id", &matcher_text_shape, "the last event id", false },
		{ "data", &matcher_text_shape, "its data lines, joined by LF", false },
		{ "json", &event_json, "its data as JSON: pointers and what each must lead to",
			false },
		{ 0 } } };

static bool text_holds(struct judgement *j, struct slice text, const cJSON *matcher)
{
	struct matching m = {
		.j = j, .pointer = "", .place = PLACE_TEXT, .subject = subject_text(text)
	};
	return !matcher || matcher_holds(&m, matcher);
}

static bool pointer_holds(struct judgement *j, const cJSON *root, const cJSON *matcher)
{
	bool owned;
	cJSON *found = json_pointer(root, matcher->string, true, &owned);
	struct matching m = { .j = j,
		.pointer = "",
		.place = PLACE_JSON,
		.subject = subject_json(found),
		.key = matcher->string };
	bool holds = matcher_holds(&m, matcher);
	if (owned)
		cJSON_Delete(found);
	return holds;
}

static bool json_holds(struct judgement *j, struct slice data, const cJSON *pointers)
{
	struct err err;
	const cJSON *matcher;
	cJSON *root = json_parse(data, &err);
	bool holds = root != NULL;
	cJSON_ArrayForEach (matcher, pointers)
		holds = holds && pointer_holds(j, root, matcher);
	cJSON_Delete(root);
	return holds;
}

bool event_matches(const struct event *event, const cJSON *wanted, struct arena *arena)
{
	struct judgement j;
	const cJSON *json = json_get(wanted, "json");
	judgement_init(&j, arena, NULL);
	return text_holds(&j, event->type, json_get(wanted, "event")) &&
	       text_holds(&j, event->id, json_get(wanted, "id")) &&
	       text_holds(&j, event->data, json_get(wanted, "data")) &&
	       (!json || json_holds(&j, event->data, json));
}

const char *event_wanted_words(const cJSON *wanted, struct arena *arena)
{
	char *text = json_print(wanted);
	const char *words = arena_print(arena, "an event with %.*s", WORDS_BYTES, text);
	free(text);
	return words;
}

const char *event_words(const struct event *event, struct arena *arena)
{
	struct judgement j;
	judgement_init(&j, arena, NULL);
	return arena_print(arena, "%.*s %s", SLICE_PRINT(slice_part(event->type, 0, WORDS_BYTES)),
		judge_quote(&j, slice_part(event->data, 0, WORDS_BYTES)));
}
