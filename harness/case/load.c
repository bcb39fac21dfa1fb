#include "case/load.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "case/check.h"
#include "case/format.h"
#include "case/load_steps.h"
#include "case/steps.h"
#include "expect/expect.h"

static void free_json(void *json)
{
	json_free(json);
}

/*
 * Reads the file and checks its form; the tree goes to the arena. *formed tells whether it has it. RC_USAGE: there is no
 * tree.
 */
static enum rc read_shaped(const char *path, const struct shape *shape, struct arena *arena,
	struct json **json, bool *formed, struct errors *errors)
{
	enum rc rc = json_read_file(path, JSON_RELAXED, json, errors);
	if (rc != RC_OK)
		return rc;
	arena_defer(arena, free_json, *json);
	*formed = shape_check(shape, *json, json_root(*json), errors);
	return RC_OK;
}

/*
 * Members that have the type which their shape asks for. A file without its form is read as far as that goes, so that
 * what else is wrong with it is found, too.
 */
static const cJSON *object_at(const cJSON *node, const char *key)
{
	const cJSON *value = json_get(node, key);
	return cJSON_IsObject(value) ? value : NULL;
}

static const cJSON *list_at(const cJSON *node, const char *key)
{
	const cJSON *value = json_get(node, key);
	return cJSON_IsArray(value) ? value : NULL;
}

static const cJSON *tree_at(const cJSON *node, const char *key)
{
	const cJSON *value = object_at(node, key);
	return value ? value : list_at(node, key);
}

enum rc suite_load(const char *path, struct suite **suite, struct errors *errors)
{
	struct arena *arena = arena_new();
	struct suite *s = *suite = arena_alloc(arena, 1, sizeof *s);
	bool formed;
	s->arena = arena;
	if (!path)
		return RC_OK;
	s->path = arena_text(arena, path);
	enum rc rc = read_shaped(s->path, &suite_shape, arena, &s->json, &formed, errors);
	if (rc != RC_OK)
		return rc;
	const cJSON *root = json_root(s->json);
	s->sut = object_at(root, "sut");
	s->services = list_at(root, "services");
	s->roots = object_at(root, "roots");
	s->profiles = object_at(root, "profiles");
	s->variables = object_at(root, "variables");
	s->faults = object_at(root, "faults");
	s->upstream = object_at(root, "upstream");
	s->sessions = object_at(root, "sessions");
	struct step_home home = { .arena = arena, .json = s->json };
	load_steps(&home, list_at(s->sessions, "steps"), NULL, &s->session_steps,
		&s->session_step_count);
	return check_suite(s, formed, errors) ? RC_OK : RC_USAGE;
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
	const char **out = arena_alloc(arena, (size_t)cJSON_GetArraySize(list), sizeof *out);
	cJSON_ArrayForEach (item, list)
		if (cJSON_IsString(item))
			out[(*count)++] = item->valuestring;
	return out;
}

static void read_requires(struct case_file *one, const cJSON *list)
{
	const cJSON *item;
	one->requires =
		arena_alloc(one->arena, (size_t)cJSON_GetArraySize(list), sizeof *one->requires);
	cJSON_ArrayForEach (item, list)
	one->requires[one->require_count++] = (struct requirement){
		.command = json_text(item, "command"),
		.version = json_text(item, "version"),
		.sut = json_text(item, "sut"),
		.feature = json_text(item, "feature"),
		.place = json_place(one->json, item),
	};
}

static void read_catches(struct case_file *one, const cJSON *catches)
{
	const cJSON *item;
	one->has_catches = catches != NULL;
	one->catches =
		arena_alloc(one->arena, (size_t)cJSON_GetArraySize(catches), sizeof *one->catches);
	cJSON_ArrayForEach (item, catches) {
		bool mapped = cJSON_IsObject(catches);
		struct catch c = { .fault = mapped ? item->string : item->valuestring,
			.place = mapped ? json_key_place(one->json, item)
					: json_place(one->json, item) };
		if (mapped && cJSON_IsArray(item)) {
			c.pointers = texts(one->arena, item, &c.pointer_count);
		} else if (mapped && cJSON_IsString(item)) {
			c.pointers = arena_alloc(one->arena, 1, sizeof *c.pointers);
			c.pointers[c.pointer_count++] = item->valuestring;
		}
		if (c.fault)
			one->catches[one->catch_count++] = c;
	}
}

static void read_case(struct case_file *one)
{
	const cJSON *root = json_root(one->json);
	one->title = json_text(root, "title");
	one->why = json_text(root, "why");
	one->tags = texts(one->arena, list_at(root, "tags"), &one->tag_count);
	one->must_fail = texts(one->arena, list_at(root, "must_fail"), &one->must_fail_count);
	one->sut = object_at(root, "sut");
	one->suts = object_at(root, "suts");
	one->variables = object_at(root, "variables");
	one->matrix = tree_at(root, "matrix");
	one->floor = object_at(root, "floor");
	one->headers = object_at(root, "headers");
	one->upstream = object_at(root, "upstream");
	read_requires(one, list_at(root, "requires"));
	read_catches(one, tree_at(root, "catches"));
	struct step_home home = { .arena = one->arena,
		.json = one->json,
		.to = json_text(root, "to"),
		.as = json_text(root, "as") };
	load_steps(&home, list_at(root, "steps"), NULL, &one->steps, &one->step_count);
	one->needs_sut = home.needs_sut;
	one->needs_upstream = home.needs_upstream;
}

/* What is behind the folder in path, or NULL where path is not below it. */
static const char *below(const char *path, const char *folder, size_t length)
{
	if (strncmp(path, folder, length) != 0)
		return NULL;
	return path[length] == '/' ? path + length + 1 : NULL;
}

/* Every part of it is a name: no `//`, `.` or `..`. */
static bool is_plain(const char *path)
{
	struct slice rest = slice_of(path), part;
	while (slice_next(&rest, '/', &part))
		if (!part.len || slice_is(part, ".") || slice_is(part, ".."))
			return false;
	return true;
}

/* The part of path below a folder, however either of them is written; or NULL. */
static const char *really_below(struct arena *arena, const char *path, const char *folder)
{
	char real_folder[PATH_MAX], real_path[PATH_MAX];
	if (!realpath(folder, real_folder) || !realpath(path, real_path))
		return NULL;
	const char *found = below(real_path, real_folder, strlen(real_folder));
	return found ? arena_text(arena, found) : NULL;
}

/* Below the suite's folder, else below where we are, else as it is written. */
static const char *shortest(struct arena *arena, const char *path, const struct suite *suite)
{
	const char *slash = suite->path ? strrchr(suite->path, '/') : NULL;
	const char *folder =
		slash ? arena_slice(arena, slice_from(suite->path, (size_t)(slash - suite->path)))
		      : ".";
	const char *written = slash ? below(path, folder, strlen(folder)) : NULL;
	if (written && is_plain(written))
		return written;
	const char *found = suite->path ? really_below(arena, path, folder) : NULL;
	if (!found && !is_plain(path))
		found = really_below(arena, path, ".");
	return found ? found : path;
}

/* The path without its ending, and without the suite's folder in front. */
static const char *case_id(struct arena *arena, const char *path, const struct suite *suite)
{
	const char *id = shortest(arena, path, suite);
	const char *name = strrchr(id, '/');
	const char *dot = strchr(name ? name : id, '.');
	return arena_slice(arena, slice_from(id, dot > id ? (size_t)(dot - id) : strlen(id)));
}

enum rc case_load(
	const char *path, const struct suite *suite, struct case_file **one, struct errors *errors)
{
	struct arena *arena = arena_new();
	struct case_file *c = arena_alloc(arena, 1, sizeof *c);
	bool formed;
	c->arena = arena;
	c->path = arena_text(arena, path);
	c->id = case_id(arena, path, suite);
	enum rc rc = read_shaped(c->path, &case_shape, arena, &c->json, &formed, errors);
	if (rc == RC_OK) {
		read_case(c);
		rc = check_case(c, suite, formed, errors) ? RC_OK : RC_USAGE;
	}
	*one = rc == RC_OK ? c : NULL;
	if (rc != RC_OK)
		case_free(c);
	return rc;
}
