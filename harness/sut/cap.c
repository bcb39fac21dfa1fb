#include "sut/cap.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/slice.h"
#include "sut/proc.h"

enum { FILE_PATH_BYTES = CAP_PATH_BYTES + 64, TEXT_BYTES = 4096 };

/* A process that was waited for leaves its cgroup a moment later. */
#define LEAVES_WITHIN_NS NS_PER_S
/* It chooses and kills right after it has told that the group is full. */
#define KILLS_WITHIN_NS (100 * NS_PER_MS)

static const char prefix[] = "onus-";

static int open_file(const struct cap *cap, const char *name, int how)
{
	char path[FILE_PATH_BYTES];
	snprintf(path, sizeof path, "%s/%s", cap->path, name);
	return open(path, how | O_CLOEXEC);
}

static bool write_file(const struct cap *cap, const char *name, const char *text)
{
	int fd = open_file(cap, name, O_WRONLY);
	if (fd < 0)
		return false;
	bool written = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
	int error = errno;
	close(fd);
	errno = error;
	return written;
}

static bool read_file(const struct cap *cap, const char *name, char *text, size_t size)
{
	char path[FILE_PATH_BYTES];
	snprintf(path, sizeof path, "%s/%s", cap->path, name);
	return proc_read_text(AT_FDCWD, path, text, size);
}

static uint64_t read_number(const struct cap *cap, const char *name)
{
	char text[TEXT_BYTES];
	uint64_t number;
	read_file(cap, name, text, sizeof text);
	return slice_number(slice_part(slice_of(text), 0, strcspn(text, "\n")), UINT64_MAX, &number)
		       ? number
		       : 0;
}

/* The number behind a word at the start of a line: "oom_kill 3"; 0 where there is none. */
static uint64_t find_number(const char *text, const char *word)
{
	struct slice line, first, rest = slice_of(text);
	uint64_t number;
	while (slice_next(&rest, '\n', &line))
		if (slice_next(&line, ' ', &first) && slice_is(first, word) &&
			slice_number(line, UINT64_MAX, &number))
			return number;
	return 0;
}

static uint64_t read_kills(const struct cap *cap, const char *name)
{
	char text[TEXT_BYTES];
	read_file(cap, name, text, sizeof text);
	return find_number(text, "oom_kill");
}

/* Without the files for swap the kernel does not count swap, or has none: then there is nothing to forbid. */
static bool forbid(const struct cap *cap, const char *name, const char *text)
{
	return write_file(cap, name, text) || errno == ENOENT;
}

bool cap_limit(const struct cap *cap, uint64_t bytes)
{
	char text[32];
	snprintf(text, sizeof text, "%" PRIu64, bytes);
	if (cap->version == CAP_V2)
		return write_file(cap, "memory.max", text) && forbid(cap, "memory.swap.max", "0") &&
		       forbid(cap, "memory.oom.group", "1");
	/* The kernel refuses a limit on both that is below that on memory, so that it comes second. */
	return write_file(cap, "memory.limit_in_bytes", text) &&
	       forbid(cap, "memory.memsw.limit_in_bytes", text);
}

static void remove_within(const char *path, int64_t within_ns)
{
	int64_t until_ns = clock_now_ns() + within_ns;
	while (rmdir(path) && errno == EBUSY && clock_now_ns() < until_ns)
		poll(NULL, 0, 1);
}

static bool is_left(const char *name)
{
	unsigned long long started;
	char *end;
	if (strncmp(name, prefix, sizeof prefix - 1) != 0)
		return false;
	unsigned long pid = strtoul(name + sizeof prefix - 1, &end, 10);
	if (*end != '-')
		return false;
	started = strtoull(end + 1, &end, 10);
	return *end == '-' && proc_started((int)pid) != started;
}

void cap_sweep(const char *folder, bool patient)
{
	DIR *dir = opendir(folder);
	if (!dir)
		return;
	for (struct dirent *entry; (entry = readdir(dir));) {
		char path[FILE_PATH_BYTES + sizeof entry->d_name];
		snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
		/* One with a process in it is not removed by this: the kernel says EBUSY. */
		if (is_left(entry->d_name))
			remove_within(path, patient ? LEAVES_WITHIN_NS : 0);
	}
	closedir(dir);
}

void cap_sweep_all(void)
{
	struct cap_place place;
	for (bool have = cap_place_read("", &place); have; have = cap_place_up(&place))
		cap_sweep(place.folder, true);
}

/* In v2 a folder must hand the controller down, which it can't while it has processes of its own. */
static bool hands_down(const struct cap_place *place)
{
	struct cap folder = { .version = place->version };
	char text[TEXT_BYTES], procs[FILE_PATH_BYTES];
	struct slice rest, word;
	memcpy(folder.path, place->folder, sizeof folder.path);
	if (place->version == CAP_V1)
		return true;
	/* A process may be moved only by who may write here, above where it comes from and where it goes. */
	snprintf(procs, sizeof procs, "%s/cgroup.procs", folder.path);
	if (access(procs, W_OK))
		return false;
	read_file(&folder, "cgroup.subtree_control", text, sizeof text);
	rest = slice_part(slice_of(text), 0, strcspn(text, "\n"));
	while (slice_next(&rest, ' ', &word))
		if (slice_is(word, "memory"))
			return true;
	return write_file(&folder, "cgroup.subtree_control", "+memory");
}

static bool make(struct cap *cap, const struct cap_place *place, uint64_t bytes)
{
	static atomic_uint made;
	char path[FILE_PATH_BYTES];
	int self = (int)getpid();
	int length = snprintf(path, sizeof path, "%s/%s%d-%llu-%u", place->folder, prefix, self,
		(unsigned long long)proc_started(self), atomic_fetch_add(&made, 1));
	memcpy(cap->path, place->folder, sizeof cap->path);
	if (!hands_down(place))
		return false;
	cap_sweep(place->folder, false);
	if (length >= (int)sizeof cap->path) {
		errno = ENAMETOOLONG;
		return false;
	}
	if (mkdir(path, 0755))
		return false;
	memcpy(cap->path, path, (size_t)length + 1);
	cap->version = place->version;
	if (cap_limit(cap, bytes))
		return true;
	int error = errno;
	cap_close(cap);
	memcpy(cap->path, place->folder, sizeof cap->path);
	errno = error;
	return false;
}

bool cap_open(struct cap *cap, uint64_t bytes)
{
	struct cap_place place;
	*cap = (struct cap){ 0 };
	errno = ENOENT;
	for (bool have = cap_place_read("", &place); have; have = cap_place_up(&place))
		if (make(cap, &place, bytes))
			return true;
	return false;
}

void cap_close(struct cap *cap)
{
	if (cap->version == CAP_NONE)
		return;
	remove_within(cap->path, LEAVES_WITHIN_NS);
	*cap = (struct cap){ 0 };
}

int cap_procs(const struct cap *cap)
{
	return open_file(cap, "cgroup.procs", O_WRONLY);
}

int cap_watch(const struct cap *cap)
{
	char text[64];
	if (cap->version != CAP_V1)
		return -1;
	int watch = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	int control = open_file(cap, "memory.oom_control", O_RDONLY);
	snprintf(text, sizeof text, "%d %d", watch, control);
	if (watch >= 0 && (control < 0 || !write_file(cap, "cgroup.event_control", text))) {
		close(watch);
		watch = -1;
	}
	if (control >= 0)
		close(control);
	return watch;
}

bool cap_was_full(const struct cap *cap, int watch)
{
	eventfd_t times;
	struct cap_usage usage;
	int64_t until_ns = clock_now_ns() + KILLS_WITHIN_NS;
	/* The kernel also makes it readable when the group is removed. */
	if (eventfd_read(watch, &times) || cap->version == CAP_NONE)
		return false;
	for (cap_read(cap, &usage); !usage.oom_kills && clock_now_ns() < until_ns;
		cap_read(cap, &usage))
		poll(NULL, 0, 1);
	return usage.oom_kills > 0;
}

/* Linux says "kernel" since 5.18; before, it has to be added up. Buffers of sockets are told apart. */
static uint64_t kernel_v2(const struct cap *cap)
{
	static const char *const parts[] = { "slab", "kernel_stack", "pagetables", "percpu" };
	char text[TEXT_BYTES];
	read_file(cap, "memory.stat", text, sizeof text);
	uint64_t kernel = find_number(text, "kernel"), sum = 0;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		sum += find_number(text, parts[i]);
	return (kernel ? kernel : sum) + find_number(text, "sock");
}

/* v1 has a limit of all that 63 bits hold, in pages, where there is none. */
static uint64_t limit_v1(const struct cap *cap)
{
	uint64_t limit = read_number(cap, "memory.limit_in_bytes");
	return limit < UINT64_C(1) << 62 ? limit : 0;
}

void cap_read(const struct cap *cap, struct cap_usage *usage)
{
	*usage = (struct cap_usage){ 0 };
	if (cap->version == CAP_V2)
		*usage = (struct cap_usage){ .current_bytes = read_number(cap, "memory.current"),
			.peak_bytes = read_number(cap, "memory.peak"),
			.kernel_bytes = kernel_v2(cap),
			.limit_bytes = read_number(cap, "memory.max"),
			.oom_kills = read_kills(cap, "memory.events") };
	else if (cap->version == CAP_V1)
		*usage = (struct cap_usage){ .current_bytes =
						     read_number(cap, "memory.usage_in_bytes"),
			.peak_bytes = read_number(cap, "memory.max_usage_in_bytes"),
			.kernel_bytes = read_number(cap, "memory.kmem.usage_in_bytes") +
					read_number(cap, "memory.kmem.tcp.usage_in_bytes"),
			.limit_bytes = limit_v1(cap),
			.oom_kills = read_kills(cap, "memory.oom_control") };
}

bool cap_of(const char *root, int pid, struct cap *cap)
{
	struct cap_place place;
	*cap = (struct cap){ 0 };
	if (!cap_place_of(root, pid, &place) || !place.folder[place.mount_length])
		return false;
	cap->version = place.version;
	memcpy(cap->path, place.folder, sizeof cap->path);
	return true;
}

bool cap_at(const char *folder, struct cap *cap)
{
	static const struct {
		enum cap_version version;
		const char *file;
	} rows[] = { { CAP_V2, "memory.current" }, { CAP_V1, "memory.usage_in_bytes" } };
	*cap = (struct cap){ 0 };
	snprintf(cap->path, sizeof cap->path, "%s", folder);
	for (size_t i = 0; !cap->version && i < sizeof rows / sizeof *rows; i++) {
		int fd = open_file(cap, rows[i].file, O_RDONLY);
		if (fd < 0)
			continue;
		cap->version = rows[i].version;
		close(fd);
	}
	return cap->version != CAP_NONE;
}

void cap_why(const struct cap *cap, int error, char *text, size_t size)
{
	if (cap->path[0])
		snprintf(text, size, "no memory cgroup can be made in %s: %s", cap->path,
			strerror(error));
	else
		snprintf(text, size, "no memory cgroup controller is mounted");
}
