/* What a step says that its shape can't tell. */
#include "case/check.h"
#include "case/steps.h"

struct check {
	const struct case_file *one;
	struct errors *errors;
};

static void wrong(const struct check *c, const cJSON *at, const char *text)
{
	errors_add(c->errors, json_place(c->one->json, at), RC_USAGE, "%s", text);
}

static size_t count_keys(const cJSON *object, const char *const *keys)
{
	size_t count = 0;
	for (; *keys; keys++)
		count += json_get(object, *keys) != NULL;
	return count;
}

static void check_capture(const struct check *c, const cJSON *capture)
{
	static const char *const SOURCES[] = { "json", "header", "body", NULL };
	const cJSON *where = json_get(capture, "where"), *at = json_get(capture, "at");
	if (count_keys(capture, SOURCES) != 1)
		wrong(c, capture, "expected exactly one of json, header and body");
	if (cJSON_IsFalse(json_get(capture, "body")))
		wrong(c, json_get(capture, "body"), "expected true, or another source");
	if (json_get(capture, "matches") && json_get(capture, "json"))
		wrong(c, json_get(capture, "matches"),
			"matches goes with header or body, not with json");
	if (!where != !at)
		wrong(c, where ? where : at, "where and at go together");
	if (where && at && !json_get(capture, "json"))
		wrong(c, where, "where goes with json");
}

static void check_raw(const struct check *c, const cJSON *items)
{
	static const char *const KINDS[] = { "pause", "text", "hex", "close", "reset", NULL };
	static const char *const ENDS[] = { "close", "reset" };
	const cJSON *item;
	cJSON_ArrayForEach (item, items) {
		if (!cJSON_IsObject(item))
			continue;
		if (count_keys(item, KINDS) != 1)
			wrong(c, item, "expected exactly one of pause, text, hex, close and reset");
		for (size_t i = 0; i < 2; i++)
			if (cJSON_IsFalse(json_get(item, ENDS[i])))
				wrong(c, json_get(item, ENDS[i]), "expected true");
	}
}

static void check_request(const struct check *c, const struct step *step)
{
	static const char *const BODIES[] = { "body", "json", "file", "hex", NULL };
	const cJSON *capture, *captures = json_get(step->node, "capture");
	if (count_keys(step->node, BODIES) > 1)
		errors_add(c->errors, step->place, RC_USAGE,
			"expected one of body, json, file and hex, found several");
	cJSON_ArrayForEach (capture, captures)
		if (cJSON_IsObject(capture))
			check_capture(c, capture);
	if (captures && step->matrix)
		wrong(c, captures,
			"a step with a matrix has many answers, and a capture takes one; put it into a group that has the matrix");
	if (c->one->suts && !step->to)
		errors_add(c->errors, step->place, RC_USAGE,
			"expected `to`: the case has several suts");
}

static void check_step(const struct check *c, const struct step *step)
{
	const cJSON *repeat = json_get(step->node, "repeat"), *to = json_get(step->node, "to");
	if (to)
		check_member(c->errors, json_place(c->one->json, to), "SUT", c->one->suts,
			cJSON_GetStringValue(to));
	if (step->name && step->matrix)
		wrong(c, json_get(step->node, "name"),
			"a step with a matrix has many answers and can't be named; put it into a group that has the matrix");
	if (cJSON_IsNumber(repeat) && repeat->valuedouble == 0)
		wrong(c, repeat, "expected at least 1: a step that never runs proves nothing");
	if (step->verb == VERB_REQUEST || step->verb == VERB_RAW)
		check_request(c, step);
	if (step->verb == VERB_RAW)
		check_raw(c, step->subject);
}

static void check_list(const struct check *c, const struct step *steps, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		check_step(c, &steps[i]);
		check_list(c, steps[i].steps, steps[i].step_count);
	}
}

void check_steps(const struct case_file *one, struct errors *errors)
{
	const struct check c = { one, errors };
	check_list(&c, one->steps, one->step_count);
}
