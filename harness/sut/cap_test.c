#include "sut/cap.h"

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sut/memory_testing.h"
#include "sut/proc.h"
#include "sut/root_testing.h"

#define COUNT(table) (int)(sizeof(table) / sizeof *(table))

static const char *get(const char *path)
{
	static char text[256];
	char full[512];
	snprintf(full, sizeof full, "%s%s", root, path);
	FILE *file = fopen(full, "re");
	ck_assert_msg(file != NULL, "%s", full);
	text[fread(text, 1, sizeof text - 1, file)] = '\0';
	fclose(file);
	return text;
}

#define V1_MEMORY(where) "36 30 0:31 " where " /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
#define V1_CPU                                                                                     \
	"35 30 0:30 / /sys/fs/cgroup/cpu rw,relatime shared:9 - cgroup cgroup rw,cpu,cpuacct\n"
#define V2(where)  "30 23 0:26 " where " /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n"
#define V2_UNIFIED "31 24 0:27 / /sys/fs/cgroup/unified rw shared:5 - cgroup2 cgroup2 rw\n"

/* As systemd, Docker and Kubernetes lay them out; the lines are of proc(5)'s and cgroups(7)'s form. */
static const struct {
	const char *mounts, *groups, *controllers;
	enum cap_version version;
	const char *folders, *why;
} places[] = {
	{ V2("/"), "0::/user.slice/user-1000.slice/app.scope\n", "cpuset cpu io memory pids\n",
		CAP_V2,
		"/sys/fs/cgroup/user.slice/user-1000.slice/app.scope"
		" /sys/fs/cgroup/user.slice/user-1000.slice /sys/fs/cgroup/user.slice /sys/fs/cgroup",
		"systemd, v2" },
	{ V2("/"), "0::/\n", "cpu memory\n", CAP_V2, "/sys/fs/cgroup",
		"a container with a namespace of its own" },
	{ V2("/"), "0::/../../x\n", "memory\n", CAP_V2, "/sys/fs/cgroup", "above what it sees" },
	{ V2("/"), "0::/x\n", "cpu pids\n", CAP_NONE, "", "v2 without the memory controller" },
	{ V1_CPU V1_MEMORY("/") V2_UNIFIED,
		"5:cpu,cpuacct:/a\n4:memory:/user/b\n1:name=systemd:/c\n0::/c\n", "hugetlb\n",
		CAP_V1,
		"/sys/fs/cgroup/memory/user/b /sys/fs/cgroup/memory/user /sys/fs/cgroup/memory",
		"both: memory is v1's" },
	{ V1_MEMORY("/docker/0123456789ab"), "4:memory:/docker/0123456789ab\n", "", CAP_V1,
		"/sys/fs/cgroup/memory", "Docker, v1, no namespace: its own group is the mount" },
	{ V1_MEMORY("/docker/0123456789ab"), "4:memory:/docker/0123456789ab/in\n", "", CAP_V1,
		"/sys/fs/cgroup/memory/in /sys/fs/cgroup/memory", "a group inside of that" },
	{ V1_MEMORY("/docker/0123456789ab"), "4:memory:/other\n", "", CAP_V1,
		"/sys/fs/cgroup/memory", "its own group is out of sight" },
	{ V1_CPU, "5:cpu,cpuacct:/a\n", "", CAP_NONE, "", "no memory controller at all" },
	{ "36 30 0:31 / /sys/fs/cgroup/memory rw\ngarbage\n\n", "\n::\n", "", CAP_NONE, "",
		"lines cut short" },
};

START_TEST(place_is_found)
{
	char found[1024] = "";
	struct cap_place place;
	make_root();
	put("/proc/self/mountinfo", places[_i].mounts);
	put("/proc/self/cgroup", places[_i].groups);
	put("/sys/fs/cgroup/cgroup.controllers", places[_i].controllers);
	put("/sys/fs/cgroup/unified/cgroup.controllers", places[_i].controllers);
	for (bool have = cap_place_read(root, &place); have; have = cap_place_up(&place)) {
		ck_assert_int_eq(place.version, places[_i].version);
		ck_assert_int_eq(strncmp(place.folder, root, strlen(root)), 0);
		snprintf(found + strlen(found), sizeof found - strlen(found), "%s%s",
			found[0] ? " " : "", place.folder + strlen(root));
	}
	ck_assert_msg(strcmp(found, places[_i].folders) == 0, "%s: %s", places[_i].why, found);
	remove_root();
}
END_TEST

START_TEST(nothing_is_mounted)
{
	struct cap_place place;
	make_root();
	ck_assert(!cap_place_read(root, &place));
	remove_root();
}
END_TEST

static struct cap group_of(enum cap_version version)
{
	struct cap cap = { .version = version };
	snprintf(cap.path, sizeof cap.path, "%s/g", root);
	return cap;
}

START_TEST(v2_is_limited_and_read)
{
	struct cap_usage usage;
	make_root();
	struct cap cap = group_of(CAP_V2);
	put("/g/memory.max", "");
	ck_assert_msg(cap_limit(&cap, 100663296), "kernels without swap or oom.group are taken");
	put("/g/memory.swap.max", "");
	put("/g/memory.oom.group", "");
	ck_assert(cap_limit(&cap, 100663296));
	ck_assert_str_eq(get("/g/memory.max"), "100663296");
	ck_assert_str_eq(get("/g/memory.swap.max"), "0");
	ck_assert_str_eq(get("/g/memory.oom.group"), "1");
	remove_root();
	make_root();
	cap = group_of(CAP_V2);
	/* The text of Documentation/admin-guide/cgroup-v2.rst's entries, as a kernel 6.1 prints them. */
	put("/g/memory.events", "low 0\nhigh 0\nmax 42\noom 3\noom_kill 2\noom_group_kill 1\n");
	put("/g/memory.current", "8192\n");
	cap_read(&cap, &usage);
	ck_assert_uint_eq(usage.oom_kills, 2);
	ck_assert_uint_eq(usage.current_bytes, 8192);
	ck_assert_uint_eq(usage.peak_bytes, 0);
	put("/g/memory.peak", "100663296\n");
	put("/g/memory.max", "max\n");
	cap_read(&cap, &usage);
	ck_assert_uint_eq(usage.peak_bytes, 100663296);
	ck_assert_uint_eq(usage.limit_bytes, 0);
	put("/g/memory.max", "67108864\n");
	/* "kernel" has slab and the others in it; "sock" is apart from it. Linux before 5.18 has no such line. */
	put("/g/memory.stat", "anon 1\nkernel 4096\nkernel_stack 16\nsock 512\nslab 64\n");
	cap_read(&cap, &usage);
	ck_assert_uint_eq(usage.limit_bytes, 67108864);
	ck_assert_uint_eq(usage.kernel_bytes, 4096 + 512);
	put("/g/memory.stat",
		"anon 1\nkernel_stack 16\nslab 64\npagetables 8\npercpu 2\nsock 512\n");
	cap_read(&cap, &usage);
	ck_assert_uint_eq(usage.kernel_bytes, 16 + 64 + 8 + 2 + 512);
	remove_root();
}
END_TEST

START_TEST(v1_is_limited_and_read)
{
	struct cap_usage usage;
	make_root();
	struct cap cap = group_of(CAP_V1);
	put("/g/memory.limit_in_bytes", "");
	ck_assert_msg(cap_limit(&cap, 4096), "kernels that do not account for swap are taken");
	put("/g/memory.memsw.limit_in_bytes", "");
	ck_assert(cap_limit(&cap, 33554432));
	ck_assert_str_eq(get("/g/memory.limit_in_bytes"), "33554432");
	ck_assert_str_eq(get("/g/memory.memsw.limit_in_bytes"), "33554432");
	put("/g/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 7\n");
	put("/g/memory.usage_in_bytes", "1\n");
	put("/g/memory.max_usage_in_bytes", "33554432\n");
	cap_read(&cap, &usage);
	ck_assert_uint_eq(usage.oom_kills, 7);
	ck_assert_uint_eq(usage.current_bytes, 1);
	ck_assert_uint_eq(usage.peak_bytes, 33554432);
	ck_assert_uint_eq(usage.limit_bytes, 33554432);
	ck_assert_uint_eq(usage.kernel_bytes, 0);
	put("/g/memory.kmem.usage_in_bytes", "4096\n");
	put("/g/memory.kmem.tcp.usage_in_bytes", "512\n");
	put("/g/memory.limit_in_bytes", "9223372036854771712\n");
	cap_read(&cap, &usage);
	ck_assert_uint_eq(usage.kernel_bytes, 4608);
	ck_assert_uint_eq(usage.limit_bytes, 0);
	/* Before Linux 4.13 it has no such line. */
	put("/g/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\n");
	cap_read(&cap, &usage);
	ck_assert_uint_eq(usage.oom_kills, 0);
	remove_root();
}
END_TEST

/* Of another process, and by a container's folder; the top of all says nothing of one process. */
static const struct {
	const char *why, *mounts, *group, *file, *path;
	enum cap_version version;
} others[] = {
	{ "v2", V2("/"), "0::/system.slice/x.service\n", "memory.current",
		"/sys/fs/cgroup/system.slice/x.service", CAP_V2 },
	{ "v1", V1_MEMORY("/"), "4:memory:/docker/0123456789ab\n", "memory.usage_in_bytes",
		"/sys/fs/cgroup/memory/docker/0123456789ab", CAP_V1 },
	{ "the top", V2("/"), "0::/\n", "memory.current", NULL, CAP_NONE },
	{ "out of sight", V2("/"), "0::/../x\n", "memory.current", NULL, CAP_NONE },
	{ "no such process", V2("/"), NULL, "memory.current", NULL, CAP_NONE },
};

START_TEST(another_process_has_one)
{
	struct cap cap;
	struct cap_usage usage;
	char path[256];
	make_root();
	put("/proc/self/mountinfo", others[_i].mounts);
	put("/proc/self/cgroup", "0::/\n");
	put("/sys/fs/cgroup/cgroup.controllers", "memory\n");
	if (others[_i].group)
		put("/proc/4711/cgroup", others[_i].group);
	ck_assert_msg(cap_of(root, 4711, &cap) == (others[_i].path != NULL), "%s", others[_i].why);
	if (others[_i].path) {
		ck_assert_int_eq(cap.version, others[_i].version);
		ck_assert_str_eq(cap.path + strlen(root), others[_i].path);
		ck_assert(!cap_at(cap.path, &cap));
		snprintf(path, sizeof path, "%s/%s", others[_i].path, others[_i].file);
		put(path, "8192\n");
		snprintf(path, sizeof path, "%s%s", root, others[_i].path);
		ck_assert(cap_at(path, &cap));
		ck_assert_int_eq(cap.version, others[_i].version);
		cap_read(&cap, &usage);
		ck_assert_uint_eq(usage.current_bytes, 8192);
	}
	remove_root();
}
END_TEST

START_TEST(gone_reads_as_nothing)
{
	struct cap_usage usage;
	make_root();
	struct cap cap = group_of(CAP_V2);
	cap_read(&cap, &usage);
	ck_assert(!usage.oom_kills && !usage.peak_bytes && !usage.current_bytes);
	ck_assert(!cap_limit(&cap, 1));
	ck_assert_int_eq(cap_procs(&cap), -1);
	remove_root();
}
END_TEST

/* The start time of field 22 tells this process from an earlier one with its number. */
START_TEST(left_ones_are_swept)
{
	static const struct {
		const char *format;
		unsigned long long off;
		bool stays;
		const char *why;
	} folders[] = {
		{ "/onus-%d-%llu-0", 0, true, "its keeper lives" },
		{ "/onus-%d-%llu-0", 1, false, "another process had this number" },
		{ "/onus-1%d0000-%llu-0", 0, false, "there is no such process" },
		{ "/onus-%d", 0, true, "not of this form" },
		{ "/onus-%dx-%llu-0", 0, true, "nor this" },
		{ "/other-%d-%llu-0", 1, true, "somebody else's" },
	};
	char path[256], inside[300], full[512];
	struct stat status;
	for (int i = 0; i < COUNT(folders); i++) {
		make_root();
		snprintf(path, sizeof path, folders[i].format, (int)getpid(),
			(unsigned long long)proc_started((int)getpid()) + folders[i].off);
		snprintf(inside, sizeof inside, "%s/x", path);
		put(inside, "");
		snprintf(full, sizeof full, "%s%s", root, inside);
		ck_assert_int_eq(unlink(full), 0);
		cap_sweep(root, false);
		snprintf(full, sizeof full, "%s%s", root, path);
		ck_assert_msg((stat(full, &status) == 0) == folders[i].stays, "%s", folders[i].why);
		remove_root();
	}
}
END_TEST

/* Where a group can't be made there is nothing to see. */
static bool opened(struct cap *cap, uint64_t bytes)
{
	char why[1024];
	if (cap_open(cap, bytes))
		return true;
	cap_why(cap, errno, why, sizeof why);
	printf("%s: skipped\n", why);
	return false;
}

static void fill(const struct cap *cap, size_t bytes)
{
	int procs = cap_procs(cap);
	if (write(procs, "0", 1) != 1)
		_exit(3);
	memory_take(bytes);
	_exit(0);
}

#define MIB ((size_t)1024 * 1024)

static const struct {
	size_t bytes;
	bool killed;
} fillings[] = { { 8 * MIB, false }, { 64 * MIB, true } };

START_TEST(a_real_one_holds)
{
	struct cap cap;
	struct cap_usage usage;
	struct stat status;
	char path[CAP_PATH_BYTES];
	int ended;
	if (!opened(&cap, 32 * MIB))
		return;
	snprintf(path, sizeof path, "%s", cap.path);
	int watch = cap_watch(&cap);
	pid_t pid = fork();
	if (pid == 0)
		fill(&cap, fillings[_i].bytes);
	ck_assert_int_eq(waitpid(pid, &ended, 0), pid);
	cap_read(&cap, &usage);
	if (fillings[_i].killed) {
		ck_assert(WIFSIGNALED(ended) && WTERMSIG(ended) == SIGKILL);
		ck_assert_uint_ge(usage.oom_kills, 1);
		ck_assert(watch < 0 || cap_was_full(&cap, watch));
	} else {
		ck_assert(WIFEXITED(ended) && WEXITSTATUS(ended) == 0);
		ck_assert_uint_eq(usage.oom_kills, 0);
		ck_assert_uint_ge(usage.peak_bytes, fillings[_i].bytes);
	}
	ck_assert_uint_le(usage.peak_bytes, 32 * MIB);
	cap_close(&cap);
	ck_assert_int_ne(stat(path, &status), 0);
	if (watch >= 0)
		close(watch);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("cap");
	tcase_add_loop_test(tests, place_is_found, 0, COUNT(places));
	tcase_add_test(tests, nothing_is_mounted);
	tcase_add_test(tests, v2_is_limited_and_read);
	tcase_add_test(tests, v1_is_limited_and_read);
	tcase_add_loop_test(tests, another_process_has_one, 0, COUNT(others));
	tcase_add_test(tests, gone_reads_as_nothing);
	tcase_add_test(tests, left_ones_are_swept);
	tcase_add_loop_test(tests, a_real_one_holds, 0, COUNT(fillings));
	tcase_set_timeout(tests, 30);
	Suite *suite = suite_create("sut/cap");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
