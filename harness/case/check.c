#include "case/check.h"

#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "case/settings.h"
#include "case/steps.h"

struct check {
	const struct case_file *one;
	const struct suite *suite;
	struct errors *errors;
};

enum { NAMES_MAX = 256 };

static struct place place_of(const struct check *c, const cJSON *value)
{
	return json_place(c->one->json, value);
}

/* One of the members of an object of the suite or the case; else an error with the nearest one. */
static void check_member(struct errors *errors, struct place place, const char *what,
	const cJSON *object, const char *name)
{
	const char *names[NAMES_MAX];
	size_t count = 0;
	const cJSON *member;
	if (!name || json_get(object, name))
		return;
	cJSON_ArrayForEach(member, object) if (count < NAMES_MAX) names[count++] = member->string;
	const char *nearest = words_nearest(name, names, count);
	if (nearest)
		errors_add(errors, place, RC_USAGE, "unknown %s \"%s\"; did you mean \"%s\"?", what,
			name, nearest);
	else
		errors_add(errors, place, RC_USAGE, "unknown %s \"%s\"", what, name);
}

/* Exactly one of the keys, so that a step can't say two things. */
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
	if (count_keys(capture, SOURCES) != 1)
		errors_add(c->errors, place_of(c, capture), RC_USAGE,
			"expected exactly one of json, header and body");
	if (json_get(capture, "matches") && json_get(capture, "json"))
		errors_add(c->errors, place_of(c, json_get(capture, "matches")), RC_USAGE,
			"matches goes with header or body, not with json");
	if (!!json_get(capture, "where") != !!json_get(capture, "at"))
		errors_add(c->errors, place_of(c, capture), RC_USAGE, "where and at go together");
	if (json_get(capture, "where") && !json_get(capture, "json"))
		errors_add(c->errors, place_of(c, json_get(capture, "where")), RC_USAGE,
			"where goes with json");
}

static void check_raw(const struct check *c, const cJSON *items)
{
	static const char *const KINDS[] = { "pause", "text", "hex", "close", "reset", NULL };
	const cJSON *item;
	cJSON_ArrayForEach(item, items) if (cJSON_IsObject(item) && count_keys(item, KINDS) != 1)
		errors_add(c->errors, place_of(c, item), RC_USAGE,
			"expected exactly one of pause, text, hex, close and reset");
}

static void check_request(const struct check *c, const struct step *step)
{
	static const char *const BODIES[] = { "body", "json", "file", "hex", NULL };
	const cJSON *capture;
	if (cJSON_IsObject(step->node) && count_keys(step->node, BODIES) > 1)
		errors_add(c->errors, step->place, RC_USAGE,
			"expected one of body, json, file and hex, found several");
	cJSON_ArrayForEach(capture, json_get(step->node, "capture")) check_capture(c, capture);
	if (c->one->suts && !step->to)
		errors_add(c->errors, step->place, RC_USAGE,
			"expected `to`: the case has several suts");
}

static void check_steps(const struct check *c, const struct step *steps, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct step *step = &steps[i];
		const cJSON *own = json_get(step->node, "to");
		if (own)
			check_member(
				c->errors, place_of(c, own), "SUT", c->one->suts, own->valuestring);
		if (step->name && step->matrix)
			errors_add(c->errors, place_of(c, json_get(step->node, "name")), RC_USAGE,
				"a step with a matrix has many answers and can't be named; put it into a group that has the matrix");
		if (step->verb == VERB_REQUEST || step->verb == VERB_RAW)
			check_request(c, step);
		if (step->verb == VERB_RAW)
			check_raw(c, step->subject);
		check_steps(c, step->steps, step->step_count);
	}
}

static void check_sut(const struct check *c, const cJSON *sut)
{
	const cJSON *profile = json_get(sut, "profile"), *to = json_get(sut, "to"),
		    *root = json_get(sut, "root");
	if (profile)
		check_member(c->errors, place_of(c, profile), "profile", c->suite->profiles,
			profile->valuestring);
	if (to)
		check_member(c->errors, place_of(c, to), "SUT", c->one->suts, to->valuestring);
	if (root && !shape_has_variable(root->valuestring) && !strchr(root->valuestring, '/'))
		check_member(
			c->errors, place_of(c, root), "root", c->suite->roots, root->valuestring);
}

/* A front that stands before itself, directly or through others, can never be started. */
static void check_circle(const struct check *c, const cJSON *sut)
{
	const char *name = sut->string;
	int steps = 0, most = cJSON_GetArraySize(c->one->suts);
	while ((name = json_text(json_get(c->one->suts, name), "to")))
		if (++steps > most) {
			errors_add(c->errors, place_of(c, json_get(sut, "to")), RC_USAGE,
				"these suts stand before one another in a circle");
			return;
		}
}

static bool pointer_leads_somewhere(const struct case_file *one, const char *pointer)
{
	if (strcmp(pointer, "/sut") == 0)
		return true;
	char *end = NULL;
	if (strncmp(pointer, "/steps/", 7) != 0)
		return false;
	unsigned long index = strtoul(pointer + 7, &end, 10);
	return end != pointer + 7 && (*end == '\0' || *end == '/') && index < one->step_count;
}

static void check_pointers(const struct check *c)
{
	const struct case_file *one = c->one;
	static const char WRONG[] =
		"expected the pointer of a finding, \"/sut\" or one that starts with a step of the case such as "
		"\"/steps/0\", found \"%s\"";
	for (size_t i = 0; i < one->must_fail_count; i++)
		if (!pointer_leads_somewhere(one, one->must_fail[i]))
			errors_add(c->errors,
				place_of(c, json_get(json_root(one->json), "must_fail")), RC_USAGE,
				WRONG, one->must_fail[i]);
	for (size_t i = 0; i < one->catch_count; i++)
		for (size_t p = 0; p < one->catches[i].pointer_count; p++)
			if (!pointer_leads_somewhere(one, one->catches[i].pointers[p]))
				errors_add(c->errors, one->catches[i].place, RC_USAGE, WRONG,
					one->catches[i].pointers[p]);
	if (one->has_catches && !one->catch_count && !one->why)
		errors_add(c->errors, place_of(c, json_get(json_root(one->json), "catches")),
			RC_USAGE, "a case that catches nothing says so in `why`");
	if (one->catch_count && one->must_fail_count)
		errors_add(c->errors, place_of(c, json_get(json_root(one->json), "must_fail")),
			RC_USAGE, "must_fail and catches exclude each other");
}

static bool has_usage(const struct errors *errors, size_t from)
{
	for (size_t i = from; i < errors->count; i++)
		if (errors->list[i].rc == RC_USAGE)
			return true;
	return false;
}

bool check_case(const struct case_file *one, const struct suite *suite, struct errors *errors)
{
	struct check c = { one, suite, errors };
	size_t before = errors->count;
	const cJSON *sut;
	check_sut(&c, one->sut);
	cJSON_ArrayForEach(sut, one->suts)
	{
		check_sut(&c, sut);
		check_circle(&c, sut);
	}
	const cJSON *to = json_get(json_root(one->json), "to");
	if (to)
		check_member(errors, place_of(&c, to), "SUT", one->suts, to->valuestring);
	check_steps(&c, one->steps, one->step_count);
	check_pointers(&c);
	check_names(one, suite, errors);
	if (!has_usage(errors, before))
		check_cells(one, suite, errors);
	return !has_usage(errors, before);
}

static void check_process(const struct suite *suite, const cJSON *process, struct errors *errors)
{
	static const char *const READY[] = { "get", "output", "notify", NULL };
	const cJSON *ready = json_get(process, "ready"), *root = json_get(process, "root");
	if (ready && count_keys(ready, READY) > 1)
		errors_add(errors, json_place(suite->json, ready), RC_USAGE,
			"expected one of get, output and notify, found several");
	if (root && !shape_has_variable(root->valuestring) && !strchr(root->valuestring, '/'))
		check_member(errors, json_place(suite->json, root), "root", suite->roots,
			root->valuestring);
}

bool check_suite(const struct suite *suite, struct errors *errors)
{
	size_t before = errors->count;
	const cJSON *process;
	check_process(suite, suite->sut, errors);
	cJSON_ArrayForEach(process, suite->services) check_process(suite, process, errors);
	cJSON_ArrayForEach(process, suite->profiles) check_process(suite, process, errors);
	check_suite_names(suite, errors);
	return !has_usage(errors, before);
}
