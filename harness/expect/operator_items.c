#include "expect/operator.h"

#include "expect/pattern.h"

/* Walks the lines of a field or the items of a JSON array, which all become subjects of their own. */
struct walk {
	const struct matching *m;
	size_t index;
	const cJSON *json;
};

static bool is_list(const struct matching *m)
{
	return m->subject.lines ||
	       (m->subject.kind == SUBJECT_JSON && cJSON_IsArray(m->subject.json));
}

static struct walk walk_start(const struct matching *m)
{
	struct walk walk = { .m = m };
	if (m->subject.kind == SUBJECT_JSON)
		walk.json = m->subject.json->child;
	return walk;
}

static bool walk_next(struct walk *walk, struct subject *item)
{
	const struct subject *whole = &walk->m->subject;
	if (whole->lines) {
		if (walk->index == whole->line_count)
			return false;
		const struct slice *line = &whole->lines[walk->index++];
		*item = subject_text(*line);
		item->lines = line;
		item->line_count = 1;
		return true;
	}
	if (!walk->json)
		return false;
	*item = subject_json(walk->json);
	walk->json = walk->json->next;
	walk->index++;
	return true;
}

/* Goes on to the next item that the matcher holds for, or does not; false where there is no more. */
static bool walk_to(struct walk *walk, const cJSON *matcher, bool holds, const char **found)
{
	struct matching item = *walk->m;
	struct patterns patterns = { 0 };
	bool come = false;
	if (!item.patterns)
		item.patterns = &patterns;
	while (!come && walk_next(walk, &item.subject))
		come = matcher_holds(&item, matcher) == holds;
	*found = item.found;
	patterns_release(&patterns);
	return come;
}

static bool has_items(struct matching *m)
{
	struct subject item;
	struct walk walk = walk_start(m);
	if (is_list(m) && walk_next(&walk, &item))
		return true;
	m->found = is_list(m) ? "no items"
			      : arena_print(m->j->arena, "%s, which is no list",
					subject_words(m->j, &m->subject));
	return false;
}

static bool each_holds(struct matching *m, const cJSON *argument)
{
	const char *found;
	if (!has_items(m))
		return false;
	struct walk walk = walk_start(m);
	if (!walk_to(&walk, argument, false, &found))
		return true;
	m->found = arena_print(m->j->arena, "item %zu: %s", walk.index - 1, found);
	return false;
}

static const char *each_words(const struct matching *m, const cJSON *argument)
{
	return arena_print(m->j->arena, "each: %s", matcher_words(m, argument));
}

static bool some_holds(struct matching *m, const cJSON *argument)
{
	const char *found;
	if (!has_items(m))
		return false;
	struct walk walk = walk_start(m);
	return walk_to(&walk, argument, true, &found);
}

static const char *some_words(const struct matching *m, const cJSON *argument)
{
	return arena_print(m->j->arena, "some: %s", matcher_words(m, argument));
}

#define EACH(where, argument_shape)                                                                \
	{                                                                                          \
		.key = { "each", &(argument_shape),                                                \
			"there are items (lines of a field), and the matcher holds for each",      \
			false },                                                                   \
		.places = (where), .holds = each_holds, .words = each_words                        \
	}
#define SOME(where, argument_shape)                                                                \
	{                                                                                          \
		.key = { "some", &(argument_shape),                                                \
			"the matcher holds for at least one item (line of a field)", false },      \
		.places = (where), .holds = some_holds, .words = some_words                        \
	}

const struct operator_row operators_items[] = {
	EACH(PLACE_HEADER, matcher_header_shape),
	EACH(PLACE_JSON, matcher_json_shape),
	EACH(PLACE_VALUE, matcher_value_shape),
	SOME(PLACE_HEADER, matcher_header_shape),
	SOME(PLACE_JSON, matcher_json_shape),
	SOME(PLACE_VALUE, matcher_value_shape),
	{ .key = { .name = NULL } },
};
