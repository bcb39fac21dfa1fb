/*
 * A real server as SUT: nginx, a master with workers, in the foreground and as a daemon. Where it is not installed the
 * test says so and has nothing to judge.
 */
#include "sut/sut.h"

#include <check.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/nginx_test.XXXXXX", config[64], out_path[64], err_path[64];
static const char *const path_only[] = { "PATH=/usr/sbin:/usr/bin:/sbin:/bin", NULL };

static void write_config(const char *daemon, int port)
{
	FILE *file = fopen(config, "w");
	ck_assert_ptr_nonnull(file);
	fprintf(file,
		"daemon %s; worker_processes 2; pid %s/pid; error_log stderr;\n"
		"events {}\n"
		"http {\n"
		"access_log off; client_body_temp_path %s; proxy_temp_path %s; fastcgi_temp_path %s;\n"
		"uwsgi_temp_path %s; scgi_temp_path %s;\n"
		"server { listen 127.0.0.1:%d; location / { return 204; } }\n"
		"}\n",
		daemon, folder, folder, folder, folder, folder, folder, port);
	ck_assert_int_eq(fclose(file), 0);
}

static enum rc start(struct sut_host *host, const char *daemon, struct sut **sut, struct err *err)
{
	const char *argv[] = { "nginx", "-e", "stderr", "-p", folder, "-c", config, NULL };
	struct process_spec spec = {
		.name = "nginx",
		.argv = argv,
		.env = path_only,
		.out_path = out_path,
		.err_path = err_path,
		.ready = { .kind = READY_REQUEST, .target = "/", .within_ns = 20 * NS_PER_S },
		.stop_signal = SIGQUIT,
		.stop_within_ns = 20 * NS_PER_S,
	};
	enum rc rc = sut_free_port(&spec.port, err);
	if (rc != RC_OK)
		return rc;
	write_config(daemon, spec.port);
	return sut_start(host, &spec, 1, sut, NULL, err);
}

static const char *const daemons[] = { "off", "on" };

START_TEST(stops_gracefully)
{
	struct sut_host *host;
	struct sut *sut;
	struct err err = { 0 };
	struct process_end end;
	struct arena *arena = arena_new();
	ck_assert_int_eq(sut_init(&host, &err), RC_OK);
	ck_assert_msg(start(host, daemons[_i], &sut, &err) == RC_OK, "%s", err.text);
	ck_assert(sut_alive(sut, NULL, NULL, NULL));
	int64_t before_ns = clock_now_ns();
	sut_stop(sut, &end, arena);
	printf("daemon %s: stopped in %.1f ms\n", daemons[_i],
		(double)(clock_now_ns() - before_ns) / NS_PER_MS);
	ck_assert_msg(end.exit == 0 && !end.timed_out, "daemon %s: exit %d, signal %d: %.*s",
		daemons[_i], end.exit, end.signal, SLICE_PRINT(end.err));
	sut_close(host);
	arena_free(arena);
}
END_TEST

/* Everything below becomes this process's child when onus is killed (subreaper), and must go by itself. */
START_TEST(goes_with_onus)
{
	int ends[2];
	char byte;
	ck_assert_int_eq(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	ck_assert_int_eq(pipe(ends), 0);
	pid_t onus = fork();
	if (onus == 0) {
		struct sut_host *host;
		struct sut *sut;
		struct err err = { 0 };
		if (sut_init(&host, &err) != RC_OK ||
			start(host, daemons[_i], &sut, &err) != RC_OK ||
			write(ends[1], "r", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	close(ends[1]);
	ck_assert_int_eq(read(ends[0], &byte, 1), 1);
	close(ends[0]);
	kill(onus, SIGKILL);
	int64_t until_ns = clock_now_ns() + 2 * NS_PER_S;
	pid_t left = 0;
	while ((left = waitpid(-1, NULL, WNOHANG)) >= 0 && clock_now_ns() < until_ns)
		if (left == 0)
			poll(NULL, 0, 1);
	ck_assert_msg(left < 0, "daemon %s: something is left", daemons[_i]);
}
END_TEST

static void remove_files(void)
{
	char pid[64];
	snprintf(pid, sizeof pid, "%s/pid", folder);
	unlink(pid);
	unlink(config);
	unlink(out_path);
	unlink(err_path);
	rmdir(folder);
}

int main(void)
{
	if (access("/usr/sbin/nginx", X_OK) && access("/usr/bin/nginx", X_OK)) {
		printf("nginx is not installed: skipped\n");
		return 0;
	}
	if (!mkdtemp(folder))
		return 1;
	snprintf(config, sizeof config, "%s/nginx.conf", folder);
	snprintf(out_path, sizeof out_path, "%s/out", folder);
	snprintf(err_path, sizeof err_path, "%s/err", folder);
	Suite *suite = suite_create("nginx");
	TCase *tests = tcase_create("nginx");
	tcase_set_timeout(tests, 60);
	tcase_add_loop_test(tests, stops_gracefully, 0, 2);
	tcase_add_loop_test(tests, goes_with_onus, 0, 2);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	remove_files();
	return failed ? 1 : 0;
}
