#include "sut/cap_place.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"

enum { TABLE_MAX_BYTES = 1024 * 1024 };

/* Fields of a line of mountinfo that count from its start; the others count from the one that is "-". */
enum { FIELD_ROOT = 3, FIELD_POINT = 4, FIELDS_MAX = 32 };

struct mount {
	struct slice root, point, type, options;
};

static bool has_word(struct slice list, uint8_t between, const char *word)
{
	struct slice item;
	while (slice_next(&list, between, &item))
		if (slice_is(item, word))
			return true;
	return false;
}

static bool parse_mount(struct slice line, struct mount *mount)
{
	struct slice fields[FIELDS_MAX];
	size_t count = 0, dash = 0;
	while (count < FIELDS_MAX && slice_next(&line, ' ', &fields[count])) {
		if (!dash && slice_is(fields[count], "-"))
			dash = count;
		count++;
	}
	if (dash <= FIELD_POINT || dash + 3 >= count)
		return false;
	*mount = (struct mount){ fields[FIELD_ROOT], fields[FIELD_POINT], fields[dash + 1],
		fields[dash + 3] };
	return true;
}

static bool read_table(const char *root, const char *path, struct buf *buf)
{
	char full[CAP_PATH_BYTES];
	buf_init(buf, TABLE_MAX_BYTES);
	snprintf(full, sizeof full, "%s%s", root, path);
	return buf_read_file(buf, full, NULL) == RC_OK;
}

/* Does the v2 hierarchy at this mount have the memory controller? */
static bool controls_memory(const char *root, struct slice point)
{
	struct buf buf;
	char path[CAP_PATH_BYTES];
	snprintf(path, sizeof path, "/%.*s/cgroup.controllers", SLICE_PRINT(point));
	bool has = read_table(root, path, &buf) &&
		   has_word(slice_part(buf_slice(&buf), 0, slice_find_byte(buf_slice(&buf), '\n')),
			   ' ', "memory");
	buf_release(&buf);
	return has;
}

static enum cap_version version_of(const char *root, const struct mount *mount)
{
	if (slice_is(mount->type, "cgroup") && has_word(mount->options, ',', "memory"))
		return CAP_V1;
	if (slice_is(mount->type, "cgroup2") && controls_memory(root, mount->point))
		return CAP_V2;
	return CAP_NONE;
}

/* The cgroup of a process in the hierarchy: "/user.slice/x", from a line "4:memory:/..." or "0::/...". */
static struct slice group_of(struct slice table, enum cap_version version)
{
	struct slice line;
	while (slice_next(&table, '\n', &line)) {
		struct slice number, controllers;
		if (!slice_next(&line, ':', &number) || !slice_next(&line, ':', &controllers))
			continue;
		if (version == CAP_V2 ? slice_is(number, "0") && controllers.len == 0
				      : has_word(controllers, ',', "memory"))
			return line;
	}
	return slice_of("");
}

/* A container may see a part of the hierarchy only: what its mount hides is cut off. */
static struct slice below_mount(struct slice group, struct slice root)
{
	if (slice_is(root, "/"))
		return group;
	if (group.len < root.len || !slice_equal(slice_part(group, 0, root.len), root))
		return slice_of("");
	return slice_part(group, root.len, group.len);
}

static bool fill(const char *root, const struct mount *mount, struct slice groups,
	enum cap_version version, struct cap_place *place)
{
	struct slice below = below_mount(group_of(groups, version), mount->root);
	/* Above what can be seen there is nothing to make groups in. */
	if (slice_is(below, "/") || slice_starts(below, "/.."))
		below = slice_of("");
	int length = snprintf(
		place->folder, sizeof place->folder, "%s%.*s", root, SLICE_PRINT(mount->point));
	place->mount_length = (size_t)length;
	place->version = version;
	return place->mount_length + below.len < sizeof place->folder &&
	       snprintf(place->folder + length, sizeof place->folder - (size_t)length, "%.*s",
		       SLICE_PRINT(below)) >= 0;
}

static bool read_place(const char *root, const char *process, struct cap_place *place)
{
	char path[64];
	struct buf mounts, groups;
	struct slice line;
	bool found = false;
	*place = (struct cap_place){ 0 };
	bool have = read_table(root, "/proc/self/mountinfo", &mounts);
	snprintf(path, sizeof path, "/proc/%s/cgroup", process);
	have = read_table(root, path, &groups) && have;
	struct slice rest = buf_slice(&mounts);
	while (have && !found && slice_next(&rest, '\n', &line)) {
		struct mount mount;
		enum cap_version version =
			parse_mount(line, &mount) ? version_of(root, &mount) : CAP_NONE;
		found = version && fill(root, &mount, buf_slice(&groups), version, place);
	}
	buf_release(&mounts);
	buf_release(&groups);
	return found;
}

bool cap_place_read(const char *root, struct cap_place *place)
{
	return read_place(root, "self", place);
}

bool cap_place_of(const char *root, int pid, struct cap_place *place)
{
	char process[16];
	snprintf(process, sizeof process, "%d", pid);
	return read_place(root, process, place);
}

bool cap_place_up(struct cap_place *place)
{
	char *slash = strrchr(place->folder + place->mount_length, '/');
	if (!slash)
		return false;
	*slash = '\0';
	return true;
}
