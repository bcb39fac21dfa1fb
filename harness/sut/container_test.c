#include "sut/container.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sut/root_testing.h"

#define ID    "4f1c0a9b7e6d5c3b2a190817f6e5d4c3b2a190817f6e5d4c3b2a190817f6e5d4"
#define OTHER "4f1c0a9b7e6dffffffff0817f6e5d4c3b2a190817f6e5d4c3b2a190817f6e5d4"
#define SHORT "4f1c0a9b7e6d"
#define TOP   "/sys/fs/cgroup"

/* A cgroup: its folder with those above it, and its processes. */
static void put_group(const char *folder, const char *processes)
{
	char path[512];
	snprintf(path, sizeof path, "%s/cgroup.procs", folder);
	put(path, processes);
}

/* Where the engines and init systems of the field put a container. */
static const struct {
	const char *why, *folders[4], *id, *found;
} rows[] = {
	{ "Docker, v1, cgroupfs",
		{ TOP "/cpu/docker/" ID, TOP "/memory/docker/" ID, TOP "/pids/docker/" ID }, SHORT,
		TOP "/memory/docker/" ID },
	{ "Docker, v1 without a memory hierarchy",
		{ TOP "/cpu/docker/" ID, TOP "/pids/docker/" ID }, SHORT, TOP "/pids/docker/" ID },
	{ "Docker, v1, systemd", { TOP "/memory/system.slice/docker-" ID ".scope" }, SHORT,
		TOP "/memory/system.slice/docker-" ID ".scope" },
	{ "Docker, v2, systemd", { TOP "/system.slice/docker-" ID ".scope" }, SHORT,
		TOP "/system.slice/docker-" ID ".scope" },
	{ "Docker, v2, cgroupfs", { TOP "/docker/" ID }, SHORT, TOP "/docker/" ID },
	{ "by the whole id", { TOP "/docker/" ID }, ID, TOP "/docker/" ID },
	{ "Docker in Docker: the outer one's folder has another id",
		{ TOP "/docker/0123456789abcdef/docker/" ID }, SHORT,
		TOP "/docker/0123456789abcdef/docker/" ID },
	{ "Podman, with its monitor beside it",
		{ TOP "/machine.slice/libpod-conmon-" ID ".scope",
			TOP "/machine.slice/libpod-" ID ".scope" },
		SHORT, TOP "/machine.slice/libpod-" ID ".scope" },
	{ "Kubernetes, containerd, systemd",
		{ TOP "/kubepods.slice/kubepods-pod1.slice/cri-containerd-" ID ".scope" }, SHORT,
		TOP "/kubepods.slice/kubepods-pod1.slice/cri-containerd-" ID ".scope" },
	{ "Kubernetes, cgroupfs", { TOP "/memory/kubepods/burstable/podx/" ID }, SHORT,
		TOP "/memory/kubepods/burstable/podx/" ID },
	{ "an id within another word is none", { TOP "/docker/x" ID, TOP "/a" SHORT "-x" }, SHORT,
		NULL },
	{ "its end is no beginning", { TOP "/docker/0000" ID }, SHORT, NULL },
	{ "another one", { TOP "/docker/" ID }, "4f1c0a9b7e6e", NULL },
	{ "nothing is mounted", { NULL }, SHORT, NULL },
};

START_TEST(containers_are_found)
{
	struct container container;
	struct err err = { 0 };
	make_root();
	for (int i = 0; i < 4 && rows[_i].folders[i]; i++)
		put_group(rows[_i].folders[i], "1\n");
	enum rc rc = container_find(root, rows[_i].id, &container, &err);
	ck_assert_msg(
		rc == (rows[_i].found ? RC_OK : RC_ENVIRONMENT), "%s: %s", rows[_i].why, err.text);
	if (rows[_i].found)
		ck_assert_msg(strcmp(container.folder + strlen(root), rows[_i].found) == 0,
			"%s: %s", rows[_i].why, container.folder);
	else
		ck_assert_msg(strstr(err.text, "found none") != NULL, "%s", err.text);
	remove_root();
}
END_TEST

START_TEST(one_must_be_meant)
{
	struct container container;
	struct err err = { 0 };
	make_root();
	put_group(TOP "/docker/" ID, "1\n");
	put_group(TOP "/docker/" OTHER, "1\n");
	ck_assert(container_find(root, SHORT, &container, &err) == RC_ENVIRONMENT);
	ck_assert_str_eq(
		err.text, "expected one container whose id begins with " SHORT ", found 2");
	ck_assert(container_find(root, SHORT "5", &container, &err) == RC_OK);
	ck_assert(container_find(root, "4f1c0a9b7e6", &container, &err) == RC_USAGE);
	remove_root();
}
END_TEST

struct seen {
	int count, sum;
};

static void see(void *self, int pid)
{
	struct seen *seen = self;
	seen->count++;
	seen->sum += pid;
}

/* With those of groups that it has made below its own; what is no process id is none. */
START_TEST(all_its_processes)
{
	struct container container;
	struct err err = { 0 };
	struct seen seen = { 0 };
	make_root();
	put_group(TOP "/docker/" ID, "10\n20\n");
	put_group(TOP "/docker/" ID "/init.scope", "100\n");
	put_group(TOP "/docker/" ID "/system.slice/x.service", "1000\nnone\n0\n\n2000");
	put_group(TOP "/docker/0123456789abcdef", "99999\n");
	ck_assert(container_find(root, SHORT, &container, &err) == RC_OK);
	ck_assert(container_processes(&container, see, &seen));
	ck_assert_int_eq(seen.count, 5);
	ck_assert_int_eq(seen.sum, 3130);
	remove_root();
	seen = (struct seen){ 0 };
	ck_assert(!container_processes(&container, see, &seen));
	ck_assert_int_eq(seen.count, 0);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("container");
	tcase_add_loop_test(tests, containers_are_found, 0, sizeof rows / sizeof *rows);
	tcase_add_test(tests, one_must_be_meant);
	tcase_add_test(tests, all_its_processes);
	Suite *suite = suite_create("sut/container");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
