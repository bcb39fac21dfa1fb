#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
	found->files = arena_grow(
		found->arena, found->files, found->count, &found->room, 64, sizeof *found->files);
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

/* Cases below a folder with a suite of its own belong to that one. */
static bool is_of_other_suite(struct arena *arena, const char *folder)
{
	return access(arena_print(arena, "%s/suite.json", folder), F_OK) == 0;
}

/* The folders that lead to where we are: a link that leads back to one of them is not followed. */
struct trail {
	const struct trail *outer;
	dev_t device;
	ino_t inode;
	int depth;
};

static bool is_loop(const struct trail *trail, const struct stat *status)
{
	for (; trail; trail = trail->outer)
		if (trail->device == status->st_dev && trail->inode == status->st_ino)
			return true;
	return false;
}

static enum rc find_below(struct found *found, const char *path, const struct stat *status,
	const struct trail *outer, struct err *err);

static enum rc find_one(struct found *found, const char *path, const char *name,
	const struct trail *trail, struct err *err)
{
	struct stat status;
	if (stat(path, &status) != 0)
		/* A link to a case that is gone is a case that would be missed without a word. */
		return is_case_name(name) ? err_errno(err, RC_USAGE, path, "cannot be read")
					  : RC_OK;
	if (S_ISDIR(status.st_mode))
		return is_loop(trail, &status) || is_of_other_suite(found->arena, path)
			       ? RC_OK
			       : find_below(found, path, &status, trail, err);
	return S_ISREG(status.st_mode) && is_case_name(name) ? add(found, path, err) : RC_OK;
}

static enum rc find_below(struct found *found, const char *path, const struct stat *status,
	const struct trail *outer, struct err *err)
{
	struct found names;
	const struct trail trail = { outer, status->st_dev, status->st_ino,
		outer ? outer->depth + 1 : 0 };
	if (trail.depth > FOLDER_DEPTH)
		return err_set(err, RC_USAGE, path, "folders deeper than %d levels", FOLDER_DEPTH);
	enum rc rc = list_folder(found->arena, path, &names, err);
	size_t length = strlen(path);
	const char *slash = length && path[length - 1] == '/' ? "" : "/";
	for (size_t i = 0; i < names.count && rc == RC_OK; i++) {
		const char *full = arena_print(found->arena, "%s%s%s", path, slash, names.files[i]);
		rc = find_one(found, full, names.files[i], &trail, err);
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
			rc = find_below(&found, paths[i], &status, NULL, err);
		else
			rc = add(&found, paths[i], err);
	}
	*files = found.files;
	*file_count = found.count;
	return rc;
}
