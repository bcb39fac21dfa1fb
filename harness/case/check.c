#include "case/check.h"

#include <stdlib.h>
#include <string.h>

#include "base/shape.h"
#include "base/words.h"
#include "case/settings.h"
#include "case/speaking.h"

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

void check_member(struct errors *errors, struct place place, const char *what, const cJSON *object,
	const char *name)
{
	const char *names[NAMES_MAX];
	size_t count = 0;
	const cJSON *member;
	if (!name || json_get(object, name))
		return;
	cJSON_ArrayForEach (member, object)
		if (count < NAMES_MAX)
			names[count++] = member->string;
	const char *nearest = words_nearest(name, names, count);
	if (nearest)
		errors_add(errors, place, RC_USAGE, "unknown %s \"%s\"; did you mean \"%s\"?", what,
			name, nearest);
	else
		errors_add(errors, place, RC_USAGE, "unknown %s \"%s\"", what, name);
}

/* A root that is neither a path nor brought by a variable is one of the suite's. */
static bool names_root(const cJSON *root)
{
	return cJSON_IsString(root) && !shape_has_variable(root->valuestring) &&
	       !strchr(root->valuestring, '/');
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
	if (names_root(root))
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

/* Of what the case says itself; the suite's own settings are told there. */
static void check_speaking(const struct check *c, const cJSON *sut, const char *variant)
{
	static const char *const OWN[] = { "protocol", "tls", "profile" };
	bool own = false;
	for (size_t i = 0; i < sizeof OWN / sizeof *OWN; i++)
		own = own || json_get(sut, OWN[i]);
	if (!own)
		return;
	cJSON *settings = settings_merge(c->suite, c->one, variant, NULL);
	const char *why = speaking_contradiction(settings);
	if (why)
		errors_add(c->errors, place_of(c, sut), RC_USAGE, "%s", why);
	cJSON_Delete(settings);
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

static const char WRONG[] =
	"expected the pointer of a finding, \"/sut\" or one that starts with a step of the case such as "
	"\"/steps/0\", found \"%s\"";

static void check_caught(const struct check *c, const struct catch *caught)
{
	for (size_t i = 0; i < caught->pointer_count; i++)
		if (strcmp(caught->pointers[i], "/sut") == 0)
			errors_add(c->errors, caught->place, RC_USAGE,
				"a SUT that crashes never counts as caught");
		else if (!pointer_leads_somewhere(c->one, caught->pointers[i]))
			errors_add(c->errors, caught->place, RC_USAGE, WRONG, caught->pointers[i]);
}

static void check_pointers(const struct check *c)
{
	const struct case_file *one = c->one;
	for (size_t i = 0; i < one->must_fail_count; i++)
		if (!pointer_leads_somewhere(one, one->must_fail[i]))
			errors_add(c->errors,
				place_of(c, json_get(json_root(one->json), "must_fail")), RC_USAGE,
				WRONG, one->must_fail[i]);
	for (size_t i = 0; i < one->catch_count; i++)
		check_caught(c, &one->catches[i]);
	if (one->has_catches && !one->catch_count && !one->why)
		errors_add(c->errors, place_of(c, json_get(json_root(one->json), "catches")),
			RC_USAGE, "a case that catches nothing says so in `why`");
	if (one->catch_count && one->must_fail_count)
		errors_add(c->errors, place_of(c, json_get(json_root(one->json), "must_fail")),
			RC_USAGE, "must_fail and catches exclude each other");
}

/* Behind the last error that is kept nothing can be told apart any more. */
static bool has_usage(const struct errors *errors, size_t from)
{
	if (from == ERRORS_MAX)
		return true;
	for (size_t i = from; i < errors->count; i++)
		if (errors->list[i].rc == RC_USAGE)
			return true;
	return false;
}

bool check_case(
	const struct case_file *one, const struct suite *suite, bool formed, struct errors *errors)
{
	struct check c = { one, suite, errors };
	size_t before = errors->count;
	const cJSON *sut;
	check_sut(&c, one->sut);
	if (formed && !one->suts)
		check_speaking(&c, one->sut, NULL);
	if (json_get(one->sut, "to"))
		errors_add(errors, place_of(&c, json_get(one->sut, "to")), RC_USAGE,
			"`to` belongs to one of `suts`: a SUT alone stands before no other");
	cJSON_ArrayForEach (sut, one->suts) {
		check_sut(&c, sut);
		check_circle(&c, sut);
		if (formed)
			check_speaking(&c, sut, sut->string);
	}
	const cJSON *to = json_get(json_root(one->json), "to");
	if (to)
		check_member(errors, place_of(&c, to), "SUT", one->suts, to->valuestring);
	check_steps(one, suite, errors);
	if (formed)
		check_pointers(&c);
	check_names(one, suite, errors);
	if (formed && !has_usage(errors, before))
		check_cells(one, suite, errors);
	return formed && !has_usage(errors, before);
}

static void check_process(const struct suite *suite, const cJSON *process, struct errors *errors)
{
	static const char *const READY[] = { "get", "output", "notify" };
	const cJSON *ready = json_get(process, "ready"), *root = json_get(process, "root");
	size_t ways = 0;
	for (size_t i = 0; i < sizeof READY / sizeof *READY; i++)
		ways += json_get(ready, READY[i]) != NULL;
	if (ways > 1)
		errors_add(errors, json_place(suite->json, ready), RC_USAGE,
			"expected one of get, output and notify, found several");
	if (names_root(root))
		check_member(errors, json_place(suite->json, root), "root", suite->roots,
			root->valuestring);
	const char *contradiction = speaking_contradiction(process);
	if (contradiction)
		errors_add(errors, json_place(suite->json, process), RC_USAGE, "%s", contradiction);
}

/* `${services.NAME.port}` and the folders of a run go by these names. */
static void check_services(const struct suite *suite, struct errors *errors)
{
	const cJSON *service, *other;
	cJSON_ArrayForEach (service, suite->services) {
		const char *name = json_text(service, "name");
		check_process(suite, service, errors);
		if (name && (!name[0] || strchr(name, '/') || strchr(name, '.')))
			errors_add(errors, json_place(suite->json, json_get(service, "name")),
				RC_USAGE, "expected a name without a dot or a slash, found \"%s\"",
				name);
		for (other = suite->services->child; name && other != service; other = other->next)
			if (json_text(other, "name") && strcmp(json_text(other, "name"), name) == 0)
				errors_add(errors,
					json_place(suite->json, json_get(service, "name")),
					RC_USAGE, "two services have the name \"%s\"", name);
	}
}

bool check_suite(const struct suite *suite, bool formed, struct errors *errors)
{
	size_t before = errors->count;
	const cJSON *process;
	check_process(suite, suite->sut, errors);
	check_services(suite, errors);
	cJSON_ArrayForEach (process, suite->profiles)
		check_process(suite, process, errors);
	check_suite_names(suite, errors);
	return formed && !has_usage(errors, before);
}
