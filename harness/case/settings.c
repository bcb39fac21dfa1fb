#include "case/settings.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "case/template.h"

const char *settings_profile(const struct case_file *one, const char *variant)
{
	const char *own = variant ? json_text(json_get(one->suts, variant), "profile") : NULL;
	return own ? own : json_text(one->sut, "profile");
}

static void put(cJSON *object, const char *key, const cJSON *value)
{
	cJSON_DeleteItemFromObjectCaseSensitive(object, key);
	cJSON_AddItemToObject(object, key, cJSON_Duplicate(value, true));
}

static void merge_members(cJSON *object, const char *key, const cJSON *over)
{
	cJSON *members = json_get(object, key);
	if (!members)
		members = cJSON_AddObjectToObject(object, key);
	const cJSON *member;
	cJSON_ArrayForEach (member, over)
		put(members, member->string, member);
}

static void append_items(cJSON *object, const char *key, const cJSON *over)
{
	cJSON *list = json_get(object, key);
	const cJSON *item;
	cJSON_ArrayForEach (item, over)
		cJSON_AddItemToArray(list, cJSON_Duplicate(item, true));
}

static void merge(cJSON *settings, const cJSON *over)
{
	const cJSON *member;
	cJSON_ArrayForEach (member, over) {
		if (strcmp(member->string, "env") == 0 || strcmp(member->string, "files") == 0)
			merge_members(settings, member->string, member);
		else if (strcmp(member->string, "args") == 0)
			append_items(settings, "command", member);
		else
			put(settings, member->string, member);
	}
}

cJSON *settings_merge(const struct suite *suite, const struct case_file *one, const char *variant,
	const cJSON *over)
{
	const char *profile = settings_profile(one, variant);
	const cJSON *base = profile ? json_get(suite->profiles, profile) : suite->sut;
	cJSON *settings = base ? cJSON_Duplicate(base, true) : cJSON_CreateObject();
	if (!json_get(settings, "command"))
		cJSON_AddArrayToObject(settings, "command");
	merge(settings, one->sut);
	if (variant)
		merge(settings, json_get(one->suts, variant));
	merge(settings, over);
	return settings;
}

const char *settings_protocol(
	const struct suite *suite, const struct case_file *one, const char *variant)
{
	const char *profile = settings_profile(one, variant);
	enum { LAYERS = 3 };
	const cJSON *layers[LAYERS] = { variant ? json_get(one->suts, variant) : NULL, one->sut,
		profile ? json_get(suite->profiles, profile) : suite->sut };
	for (size_t i = 0; i < LAYERS; i++) {
		const char *own = json_text(layers[i], "protocol");
		if (own)
			return own;
	}
	return "http/1.1";
}

enum rc settings_root(struct scope *scope, const struct suite *suite, const cJSON *settings,
	const char **path, struct err *err)
{
	cJSON *root;
	const cJSON *written = json_get(settings, "root");
	if (!written)
		return err_set(err, RC_USAGE, "", "no root is set for this SUT");
	enum rc rc = template_resolve(scope, written, &root, err);
	if (rc != RC_OK)
		return rc;
	*path = NULL;
	if (template_waits(scope, root))
		return RC_OK;
	const char *name = cJSON_IsString(root) ? root->valuestring : "";
	const char *folder = json_text(suite->roots, name);
	char absolute[PATH_MAX];
	struct stat status;
	if (!folder)
		folder = name;
	if (!realpath(folder, absolute))
		return err_errno(err, RC_USAGE, "", "root \"%s\"", folder);
	if (stat(absolute, &status) != 0 || !S_ISDIR(status.st_mode))
		return err_set(err, RC_USAGE, "", "root \"%s\" is not a folder", folder);
	*path = arena_text(scope->root->arena, absolute);
	return RC_OK;
}

const char *settings_beside(struct arena *arena, const struct case_file *one, const char *name)
{
	const char *slash = strrchr(one->path, '/');
	return slash ? arena_print(arena, "%.*s/%s", (int)(slash - one->path), one->path, name)
		     : name;
}

enum rc settings_path(struct scope *scope, const struct suite *suite, const struct case_file *one,
	const char *variant, const char *reference, const char **path, struct err *err)
{
	struct arena *arena = scope->root->arena;
	struct stat status;
	if (strncmp(reference, "file:", 5) == 0) {
		*path = settings_beside(arena, one, reference + 5);
	} else {
		const char *root = NULL;
		cJSON *settings = settings_merge(suite, one, variant, NULL);
		enum rc rc = settings_root(scope, suite, settings, &root, err);
		cJSON_Delete(settings);
		*path = NULL;
		if (rc != RC_OK || !root)
			return rc;
		*path = arena_print(arena, "%s/%s", root, reference + strlen("root:"));
	}
	if (stat(*path, &status) != 0)
		return err_errno(err, RC_USAGE, "", "\"%s\" stands for %s", reference, *path);
	if (!S_ISREG(status.st_mode))
		return err_set(err, RC_USAGE, "", "\"%s\" stands for %s, which is not a file",
			reference, *path);
	return RC_OK;
}
