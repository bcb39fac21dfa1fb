#include "case/load_steps.h"

#include <string.h>

#include "case/steps.h"
#include "expect/expect.h"

static const cJSON *list_of(const cJSON *value)
{
	return cJSON_IsArray(value) ? value : NULL;
}

static const cJSON *tree_at(const cJSON *node, const char *key)
{
	const cJSON *value = json_get(node, key);
	return cJSON_IsObject(value) || cJSON_IsArray(value) ? value : NULL;
}

/* Its own, or that of what is around it; null ends the inheritance. */
static const char *inherited(const cJSON *node, const char *key, const char *outer)
{
	return json_get(node, key) ? json_text(node, key) : outer;
}

/* Does a text in the value speak of the SUT? Then a command needs it as much as a request does. */
static bool mentions_sut(const cJSON *value)
{
	static const char *const NAMES[] = { "${sut.", "${root}", "${files}", "${services." };
	const cJSON *part;
	for (size_t i = 0; cJSON_IsString(value) && i < sizeof NAMES / sizeof *NAMES; i++)
		if (strstr(value->valuestring, NAMES[i]))
			return true;
	cJSON_ArrayForEach (part, value)
		if (mentions_sut(part))
			return true;
	return false;
}

static void load_step(struct step_home *home, const cJSON *node, const struct step_kind *kind,
	const struct step *outer, struct step *step);

static void load_request(struct step_home *home, const cJSON *node, struct step *step)
{
	const struct step_kind *kind = step_kind_of(node);
	if (kind && kind->verb == VERB_REQUEST)
		load_step(home, node, kind, step, &step->inner[step->inner_count++]);
}

static void load_inner(struct step_home *home, struct step *step)
{
	const cJSON *others = list_of(json_get(step->node, "unaffected")), *other;
	step->inner = arena_alloc(
		home->arena, 1 + (size_t)cJSON_GetArraySize(others), sizeof *step->inner);
	load_request(home, step->subject, step);
	cJSON_ArrayForEach (other, others)
		load_request(home, other, step);
}

/* The requests of a load: one, or each of a list with weights. */
static void load_mix(struct step_home *home, struct step *step)
{
	const cJSON *item;
	step->inner = arena_alloc(
		home->arena, 1 + (size_t)cJSON_GetArraySize(step->subject), sizeof *step->inner);
	if (!cJSON_IsArray(step->subject))
		load_request(home, step->subject, step);
	else
		cJSON_ArrayForEach (item, step->subject)
			load_request(home, json_get(item, "request"), step);
}

static void load_lists(struct step_home *home, struct step *step)
{
	const cJSON *list, *lists = cJSON_IsObject(step->subject) ? step->subject : NULL;
	step->lists =
		arena_alloc(home->arena, (size_t)cJSON_GetArraySize(lists), sizeof *step->lists);
	cJSON_ArrayForEach (list, lists) {
		struct step_list *to = &step->lists[step->list_count++];
		to->name = list->string;
		load_steps(home, list_of(list), step, &to->steps, &to->count);
	}
}

static void load_below(struct step_home *home, struct step *step)
{
	switch (step->verb) {
	case VERB_GROUP:
		load_steps(home, list_of(step->subject), step, &step->steps, &step->step_count);
		break;
	case VERB_STREAM:
	case VERB_HOLD:
		load_inner(home, step);
		load_steps(home, list_of(json_get(step->node, "steps")), step, &step->steps,
			&step->step_count);
		break;
	case VERB_PROBE:
		load_inner(home, step);
		load_steps(home, list_of(json_get(step->node, "while")), step, &step->steps,
			&step->step_count);
		break;
	case VERB_OPENAPI:
		load_inner(home, step);
		step->control = json_text(json_get(step->node, "guard"), "control");
		break;
	case VERB_LOAD: load_mix(home, step); break;
	case VERB_BUDGET: load_inner(home, step); break;
	case VERB_PARALLEL: load_lists(home, step); break;
	default: break;
	}
}

static bool any_alone(const struct step *steps, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (steps[i].alone || any_alone(steps[i].steps, steps[i].step_count))
			return true;
		for (size_t l = 0; l < steps[i].list_count; l++)
			if (any_alone(steps[i].lists[l].steps, steps[i].lists[l].count))
				return true;
	}
	return false;
}

static void load_step(struct step_home *home, const cJSON *node, const struct step_kind *kind,
	const struct step *outer, struct step *step)
{
	*step = (struct step){
		.json = home->json,
		.verb = kind->verb,
		.word = kind->word,
		.node = node,
		.subject = cJSON_IsString(node) ? node : json_get(node, kind->word),
		.name = json_text(node, "name"),
		.expect = tree_at(node, "expect"),
		.matrix = tree_at(node, "matrix"),
		.to = inherited(node, "to", outer ? outer->to : home->to),
		.as = inherited(node, "as", outer ? outer->as : home->as),
		.outer = outer,
		.place = json_place(home->json, node),
	};
	step->alone = kind->alone || (step->expect && expect_judges_time(step->expect));
	/* Who is named signs in. */
	home->needs_sut = home->needs_sut || kind->request || step->as ||
			  (kind->verb == VERB_EXEC && mentions_sut(node));
	home->needs_upstream = home->needs_upstream || home->needs_sut ||
			       kind->verb == VERB_REFUSES || kind->verb == VERB_UPSTREAM ||
			       kind->verb == VERB_JOURNAL;
	load_below(home, step);
	/* Whoever waits to be alone would be kept waiting by the stream around it. */
	if (step->verb == VERB_STREAM)
		step->alone = step->alone || any_alone(step->steps, step->step_count);
}

void load_steps(struct step_home *home, const cJSON *list, const struct step *outer,
	struct step **steps, size_t *count)
{
	const cJSON *item;
	*steps = arena_alloc(home->arena, (size_t)cJSON_GetArraySize(list), sizeof **steps);
	cJSON_ArrayForEach (item, list) {
		const struct step_kind *kind = step_kind_of(item);
		if (kind)
			load_step(home, item, kind, outer, &(*steps)[(*count)++]);
	}
}
