#include "sut/container.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/slice.h"

enum { FOLDERS_MAX = 100 * 1000, PROCS_MAX_BYTES = 1 << 20 };

/* The hierarchies of v1 hold the same containers: the first that has it will do. */
static const char *const tops[] = { "/sys/fs/cgroup/memory", "/sys/fs/cgroup/pids",
	"/sys/fs/cgroup" };

struct search {
	const char *id;
	struct container *container;
	char name[256]; /* the rest of the name that was found, from the id on */
	size_t found, folders;
};

/* Who watches a container from outside has its id in its name as well. */
static const char *id_in(const char *name, const char *id)
{
	size_t length = strlen(id);
	if (strstr(name, "conmon"))
		return NULL;
	for (const char *at = name; (at = strstr(at, id)); at++) {
		const char *end = at + length;
		if (at != name && at[-1] != '-')
			continue;
		while (isalnum((unsigned char)*end))
			end++;
		if (!*end || strcmp(end, ".scope") == 0 || strcmp(end, ".slice") == 0)
			return at;
	}
	return NULL;
}

static void take(struct search *s, const char *path, const char *name)
{
	if (s->found && strcmp(s->name, name) == 0)
		return;
	if (!s->found++) {
		snprintf(s->name, sizeof s->name, "%s", name);
		snprintf(s->container->folder, sizeof s->container->folder, "%s", path);
	}
}

/* The folders right below one; `each` gets their paths. */
static void below(const char *folder, void (*each)(void *self, const char *path, const char *name),
	void *self)
{
	DIR *dir = opendir(folder);
	if (!dir)
		return;
	for (struct dirent *entry; (entry = readdir(dir));) {
		char path[CAP_PATH_BYTES];
		if (entry->d_type != DT_DIR || entry->d_name[0] == '.')
			continue;
		if (snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < (int)sizeof path)
			each(self, path, entry->d_name);
	}
	closedir(dir);
}

/* How deep it goes is bounded, since a path has CAP_PATH_BYTES at most. */
static void look(void *self, const char *path, const char *name)
{
	struct search *s = self;
	const char *id = id_in(name, s->id);
	if (id)
		take(s, path, id);
	else if (s->folders++ < FOLDERS_MAX)
		below(path, look, s);
}

enum rc container_find(
	const char *root, const char *id, struct container *container, struct err *err)
{
	struct search s = { .id = id, .container = container };
	if (strlen(id) < CONTAINER_ID_LEAST)
		return err_set(err, RC_USAGE, "",
			"expected a container id of at least %d characters, found \"%s\"",
			CONTAINER_ID_LEAST, id);
	for (size_t i = 0; !s.found && i < sizeof tops / sizeof *tops; i++) {
		char top[CAP_PATH_BYTES];
		if (snprintf(top, sizeof top, "%s%s", root, tops[i]) < (int)sizeof top)
			below(top, look, &s);
	}
	if (!s.found)
		return err_set(err, RC_ENVIRONMENT, "",
			"expected a container whose id begins with %s, found none in /sys/fs/cgroup",
			id);
	if (s.found > 1)
		return err_set(err, RC_ENVIRONMENT, "",
			"expected one container whose id begins with %s, found %zu", id, s.found);
	return RC_OK;
}

struct walk {
	void (*each)(void *self, int pid);
	void *self;
};

static bool read_processes(const struct walk *walk, const char *folder)
{
	char path[CAP_PATH_BYTES + 16];
	struct buf buf;
	struct slice line;
	uint64_t pid;
	snprintf(path, sizeof path, "%s/cgroup.procs", folder);
	buf_init(&buf, PROCS_MAX_BYTES);
	bool there = buf_read_file(&buf, path, NULL) == RC_OK;
	struct slice rest = buf_slice(&buf);
	while (there && slice_next(&rest, '\n', &line))
		if (slice_number(line, INT32_MAX, &pid) && pid)
			walk->each(walk->self, (int)pid);
	buf_release(&buf);
	return there;
}

static void read_below(void *self, const char *path, const char *name)
{
	(void)name;
	read_processes(self, path);
	below(path, read_below, self);
}

bool container_processes(
	const struct container *container, void (*each)(void *self, int pid), void *self)
{
	struct walk walk = { each, self };
	bool there = read_processes(&walk, container->folder);
	below(container->folder, read_below, &walk);
	return there;
}
