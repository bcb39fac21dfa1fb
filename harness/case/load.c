#include "case/load.h"

#include <stdlib.h>
#include <string.h>

#include "case/check.h"
#include "case/format.h"
#include "case/steps.h"
#include "expect/expect.h"

static void free_json(void *json)
{
	json_free(json);
}

/* Reads the file and checks its form; the tree goes to the arena. */
static enum rc read_shaped(const char *path, const struct shape *shape, struct arena *arena,
	struct json **json, struct errors *errors)
{
	enum rc rc = json_read_file(path, JSON_RELAXED, json, errors);
	if (rc != RC_OK)
		return rc;
	arena_defer(arena, free_json, *json);
	return shape_check(shape, *json, json_root(*json), errors) ? RC_OK : RC_USAGE;
}

enum rc suite_load(const char *path, struct suite **suite, struct errors *errors)
{
	struct arena *arena = arena_new();
	struct suite *s = *suite = arena_alloc(arena, 1, sizeof *s);
	s->arena = arena;
	if (!path)
		return RC_OK;
	s->path = arena_text(arena, path);
	enum rc rc = read_shaped(s->path, &suite_shape, arena, &s->json, errors);
	if (rc != RC_OK)
		return rc;
	const cJSON *root = json_root(s->json);
	s->sut = json_get(root, "sut");
	s->services = json_get(root, "services");
	s->roots = json_get(root, "roots");
	s->profiles = json_get(root, "profiles");
	s->variables = json_get(root, "variables");
	s->faults = json_get(root, "faults");
	return check_suite(s, errors) ? RC_OK : RC_USAGE;
}

void suite_free(struct suite *suite)
{
	if (suite)
		arena_free(suite->arena);
}

void case_free(struct case_file *one)
{
	if (one)
		arena_free(one->arena);
}

static const char **texts(struct arena *arena, const cJSON *list, size_t *count)
{
	const cJSON *item;
	size_t n = 0;
	const char **out = arena_alloc(arena, (size_t)cJSON_GetArraySize(list), sizeof *out);
	cJSON_ArrayForEach(item, list) out[n++] = item->valuestring;
	*count = n;
	return out;
}

static void read_requires(struct case_file *one, const cJSON *list)
{
	const cJSON *item;
	one->requires =
		arena_alloc(one->arena, (size_t)cJSON_GetArraySize(list), sizeof *one->requires);
	cJSON_ArrayForEach(item, list) one->requires[one->require_count++] = (struct requirement){
		.command = json_text(item, "command"),
		.version = json_text(item, "version"),
		.sut = json_text(item, "sut"),
		.place = json_place(one->json, item),
	};
}

static void read_catches(struct case_file *one, const cJSON *catches)
{
	const cJSON *item;
	one->has_catches = catches != NULL;
	one->catches =
		arena_alloc(one->arena, (size_t)cJSON_GetArraySize(catches), sizeof *one->catches);
	cJSON_ArrayForEach(item, catches)
	{
		struct catch *c = &one->catches[one->catch_count++];
		bool mapped = cJSON_IsObject(catches);
		c->fault = mapped ? item->string : item->valuestring;
		c->place = mapped ? json_key_place(one->json, item) : json_place(one->json, item);
		if (mapped && cJSON_IsArray(item)) {
			c->pointers = texts(one->arena, item, &c->pointer_count);
		} else if (mapped) {
			c->pointers = arena_alloc(one->arena, 1, sizeof *c->pointers);
			c->pointers[c->pointer_count++] = item->valuestring;
		}
	}
}

static void read_steps(struct case_file *one, const cJSON *list, const struct step *outer,
	struct step **steps, size_t *count);

static void read_step(
	struct case_file *one, const cJSON *node, const struct step *outer, struct step *step)
{
	const struct step_kind *kind = step_kind_of(node);
	const char *to = json_text(node, "to");
	if (!to)
		to = outer ? outer->to : json_text(json_root(one->json), "to");
	*step = (struct step){
		.verb = kind->verb,
		.word = kind->word,
		.node = node,
		.subject = cJSON_IsString(node) ? node : json_get(node, kind->word),
		.name = json_text(node, "name"),
		.expect = json_get(node, "expect"),
		.matrix = json_get(node, "matrix"),
		.to = to,
		.outer = outer,
		.place = json_place(one->json, node),
	};
	step->alone = step->expect && expect_judges_time(step->expect);
	if (kind->request || kind->verb == VERB_RAW)
		one->needs_sut = true;
	if (kind->verb == VERB_GROUP)
		read_steps(one, step->subject, step, &step->steps, &step->step_count);
}

static void read_steps(struct case_file *one, const cJSON *list, const struct step *outer,
	struct step **steps, size_t *count)
{
	const cJSON *item;
	*steps = arena_alloc(one->arena, (size_t)cJSON_GetArraySize(list), sizeof **steps);
	cJSON_ArrayForEach(item, list) read_step(one, item, outer, &(*steps)[(*count)++]);
}

static void read_case(struct case_file *one)
{
	const cJSON *root = json_root(one->json);
	one->title = json_text(root, "title");
	one->why = json_text(root, "why");
	one->tags = texts(one->arena, json_get(root, "tags"), &one->tag_count);
	one->must_fail = texts(one->arena, json_get(root, "must_fail"), &one->must_fail_count);
	one->sut = json_get(root, "sut");
	one->suts = json_get(root, "suts");
	one->variables = json_get(root, "variables");
	one->matrix = json_get(root, "matrix");
	one->floor = json_get(root, "floor");
	one->headers = json_get(root, "headers");
	read_requires(one, json_get(root, "requires"));
	read_catches(one, json_get(root, "catches"));
	read_steps(one, json_get(root, "steps"), NULL, &one->steps, &one->step_count);
}

/* The path without its ending, and without the suite's folder in front. */
static const char *case_id(struct arena *arena, const char *path, const struct suite *suite)
{
	const char *slash = suite->path ? strrchr(suite->path, '/') : NULL;
	size_t folder = slash ? (size_t)(slash - suite->path) + 1 : 0;
	if (folder && strncmp(path, suite->path, folder) == 0)
		path += folder;
	while (strncmp(path, "./", 2) == 0)
		path += 2;
	const char *name = strrchr(path, '/');
	const char *dot = strchr(name ? name : path, '.');
	return arena_slice(arena, slice_from(path, dot ? (size_t)(dot - path) : strlen(path)));
}

enum rc case_load(
	const char *path, const struct suite *suite, struct case_file **one, struct errors *errors)
{
	struct arena *arena = arena_new();
	struct case_file *c = arena_alloc(arena, 1, sizeof *c);
	c->arena = arena;
	c->path = arena_text(arena, path);
	c->id = case_id(arena, path, suite);
	enum rc rc = read_shaped(c->path, &case_shape, arena, &c->json, errors);
	if (rc == RC_OK) {
		read_case(c);
		rc = check_case(c, suite, errors) ? RC_OK : RC_USAGE;
	}
	*one = rc == RC_OK ? c : NULL;
	if (rc != RC_OK)
		case_free(c);
	return rc;
}
