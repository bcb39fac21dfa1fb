#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "case/load.h"

enum { FOLDER_DEPTH = 32, FILES_MAX = 100 * 1000 };

struct found {
	struct arena *arena;
	const char **files;
	size_t count, room;
};

static enum rc add(struct found *found, const char *path, struct err *err)
{
	if (found->count == FILES_MAX)
		return err_set(err, RC_USAGE, path, "more than %d case files", FILES_MAX);
	if (found->count == found->room) {
		size_t room = found->room ? found->room * 2 : 64;
		const char **grown = arena_alloc(found->arena, room, sizeof *grown);
		if (found->count)
			memcpy(grown, found->files, found->count * sizeof *grown);
		found->files = grown;
		found->room = room;
	}
	found->files[found->count++] = path;
	return RC_OK;
}

/* "a.json" and "a.jsonc" are cases; "a.accepted.json", "suite.json" and ".a.json" are not. */
static bool is_case_name(const char *name)
{
	const char *dot = strchr(name, '.');
	return dot && dot != name && (strcmp(dot, ".json") == 0 || strcmp(dot, ".jsonc") == 0) &&
	       strcmp(name, "suite.json") != 0 && strcmp(name, "suite.jsonc") != 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Names of a folder, sorted, hidden ones left out. */
static enum rc list_folder(
	struct arena *arena, const char *path, struct found *names, struct err *err)
{
	*names = (struct found){ .arena = arena };
	DIR *folder = opendir(path);
	if (!folder)
		return err_errno(err, RC_USAGE, path, "cannot be read");
	enum rc rc = RC_OK;
	for (struct dirent *entry; rc == RC_OK && (entry = readdir(folder));)
		if (entry->d_name[0] != '.')
			rc = add(names, arena_text(arena, entry->d_name), err);
	closedir(folder);
	if (names->count)
		qsort(names->files, names->count, sizeof *names->files, by_name);
	return rc;
}

static enum rc find_below(struct found *found, const char *path, int depth, struct err *err)
{
	struct found names;
	if (depth > FOLDER_DEPTH)
		return err_set(err, RC_USAGE, path, "folders deeper than %d levels", FOLDER_DEPTH);
	enum rc rc = list_folder(found->arena, path, &names, err);
	size_t length = strlen(path);
	for (size_t i = 0; i < names.count && rc == RC_OK; i++) {
		struct stat status;
		const char *slash = length && path[length - 1] == '/' ? "" : "/";
		const char *full = arena_print(found->arena, "%s%s%s", path, slash, names.files[i]);
		if (stat(full, &status) != 0)
			continue;
		if (S_ISDIR(status.st_mode))
			rc = find_below(found, full, depth + 1, err);
		else if (is_case_name(names.files[i]))
			rc = add(found, full, err);
	}
	return rc;
}

enum rc case_find(const char *const *paths, size_t count, struct arena *arena, const char ***files,
	size_t *file_count, struct err *err)
{
	struct found found = { .arena = arena };
	enum rc rc = RC_OK;
	for (size_t i = 0; i < count && rc == RC_OK; i++) {
		struct stat status;
		if (stat(paths[i], &status) != 0)
			rc = err_errno(err, RC_USAGE, paths[i], "no such case file or folder");
		else if (S_ISDIR(status.st_mode))
			rc = find_below(&found, paths[i], 0, err);
		else
			rc = add(&found, paths[i], err);
	}
	*files = found.files;
	*file_count = found.count;
	return rc;
}
