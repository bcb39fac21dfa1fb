#include "sut/sut.h"

#include <arpa/inet.h>
#include <check.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/*
 * The processes that are started are this very program with a word as first argument (see roles), so that nothing else
 * has to be built and each does one thing exactly.
 */

static void answer(int listener, const char *status)
{
	char request[2048], response[128];
	for (;;) {
		int fd = accept(listener, NULL, NULL);
		if (fd < 0)
			exit(4);
		if (read(fd, request, sizeof request) > 0) {
			int n = snprintf(response, sizeof response,
				"HTTP/1.1 %s\r\nContent-Length: 0\r\n\r\n", status);
			if (write(fd, response, (size_t)n) != n)
				exit(4);
		}
		close(fd);
	}
}

static int bound(const char *port)
{
	int yes = 1;
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	struct sockaddr_in address = { .sin_family = AF_INET };
	address.sin_port = htons((uint16_t)strtol(port, NULL, 10));
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
	if (bind(fd, (struct sockaddr *)&address, sizeof address) || listen(fd, 16)) {
		perror("bind");
		exit(1);
	}
	return fd;
}

static void role_serve(char **argv)
{
	answer(bound(argv[0]), "204 No Content");
}

/* sd_listen_fds(3): only with its own process id in LISTEN_PID is the socket meant for this process. */
static void role_inherit(char **argv)
{
	(void)argv;
	const char *pid = getenv("LISTEN_PID"), *fds = getenv("LISTEN_FDS");
	if (!pid || !fds || strtol(pid, NULL, 10) != getpid() || strcmp(fds, "1") != 0)
		exit(5);
	if (fcntl(4, F_GETFD) >= 0)
		exit(6);
	answer(3, "200 OK");
}

static void role_say(char **argv)
{
	printf("%s\n", argv[0]);
	fprintf(stderr, "and one line of %s", "errors\n");
	fflush(NULL);
	pause();
}

static void role_stubborn(char **argv)
{
	signal(SIGTERM, SIG_IGN);
	role_say(argv);
}

static void role_polite(char **argv)
{
	sigset_t set;
	int got;
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	printf("%s\n", argv[0]);
	fflush(NULL);
	sigwait(&set, &got);
	printf("farewell\n");
	exit(7);
}

static const struct {
	const char *name;
	void (*run)(char **argv);
} roles[] = { { "serve", role_serve }, { "inherit", role_inherit }, { "say", role_say },
	{ "stubborn", role_stubborn }, { "polite", role_polite } };

static char self[4096], folder[] = "/tmp/sut_test.XXXXXX", out_path[64], err_path[64];

static struct sut_host *host;
static struct arena *arena;
static const char *const bare[] = { "LANG=C", NULL };

static struct process_spec spec_of(const char **argv, int port)
{
	return (struct process_spec){
		.name = "sut",
		.argv = argv,
		.env = bare,
		.out_path = out_path,
		.err_path = err_path,
		.port = port,
		.ready = { .kind = READY_REQUEST, .target = "/", .within_ns = 20 * NS_PER_S },
		.stop_signal = SIGTERM,
		.stop_within_ns = 20 * NS_PER_S,
	};
}

static void set_up(void)
{
	struct err err = { 0 };
	unlink(out_path);
	ck_assert_int_eq(sut_init(&host, &err), RC_OK);
	arena = arena_new();
}

static void tear_down(void)
{
	sut_close(host);
	arena_free(arena);
}

static const struct {
	const char *role;
	int signal;
	int64_t within_ns;
	int exit, by_signal;
	bool timed_out;
	const char *out, *why;
} stops[] = {
	{ "say", SIGTERM, 20 * NS_PER_S, -1, SIGTERM, false, "hello\n", "its stop signal ends it" },
	{ "say", SIGINT, 20 * NS_PER_S, -1, SIGINT, false, "hello\n", "another stop signal" },
	{ "polite", SIGTERM, 20 * NS_PER_S, 7, 0, false, "hello\nfarewell\n",
		"the last words are in the file before the stop returns" },
	{ "stubborn", SIGTERM, 100 * NS_PER_MS, -1, SIGKILL, true, "hello\n",
		"what does not end in time is killed, and that is told" },
	{ "stubborn", 0, 20 * NS_PER_S, -1, SIGKILL, true, "hello\n", "no stop signal at all" },
};

START_TEST(stops_and_tells_how_it_ended)
{
	const char *argv[] = { self, stops[_i].role, "hello", NULL };
	struct process_spec spec = spec_of(argv, 0);
	spec.ready = (struct ready){ READY_OUTPUT, NULL, "hello", 20 * NS_PER_S };
	spec.stop_signal = stops[_i].signal;
	spec.stop_within_ns = stops[_i].within_ns;
	struct sut *sut = NULL;
	struct err err = { 0 };
	struct process_end end;
	ck_assert_msg(sut_start(host, &spec, 1, &sut, NULL, &err) == RC_OK, "%s", err.text);
	sut_stop(sut, &end, arena);
	ck_assert_msg(end.exit == stops[_i].exit && end.signal == stops[_i].by_signal,
		"%s: exit %d, signal %d", stops[_i].why, end.exit, end.signal);
	ck_assert_msg(end.timed_out == stops[_i].timed_out, "%s: timed_out", stops[_i].why);
	ck_assert_msg(
		slice_is(end.out, stops[_i].out), "%s: %.*s", stops[_i].why, SLICE_PRINT(end.out));
	ck_assert(end.answered && !end.running && end.duration_ns > 0 && !end.sanitizer);
}
END_TEST

START_TEST(hands_over_the_listening_socket)
{
	static const char *const misleading[] = { "LISTEN_PID=1", "LISTEN_FDS=9", NULL };
	const char *argv[] = { self, "inherit", NULL };
	struct sut *sut = NULL;
	struct err err = { 0 };
	int fd, port;
	ck_assert_int_eq(sut_listen(&fd, &port, &err), RC_OK);
	struct process_spec spec = spec_of(argv, port);
	spec.listen_fds = &fd;
	spec.listen_count = 1;
	spec.env = misleading;
	enum rc rc = sut_start(host, &spec, 1, &sut, NULL, &err);
	close(fd);
	ck_assert_msg(rc == RC_OK, "%s", err.text);
	sut_stop(sut, NULL, arena);
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	int client = socket(AF_INET, SOCK_STREAM, 0);
	ck_assert_msg(connect(client, (struct sockaddr *)&address, sizeof address) < 0,
		"somebody still holds the listening socket");
	close(client);
}
END_TEST

START_TEST(stops_in_reverse_order)
{
	const char *script =
		"trap 'echo $0 ends; exit 0' TERM; echo $0 ready; while :; do read x < /dev/null; sleep 0.01; done";
	const char *first[] = { "sh", "-c", script, "first", NULL };
	const char *second[] = { "sh", "-c", script, "second", NULL };
	struct process_spec specs[] = { spec_of(first, 0), spec_of(second, 0) };
	static const char *const path[] = { "PATH=/usr/bin:/bin", NULL };
	for (int i = 0; i < 2; i++) {
		specs[i].ready = (struct ready){ READY_OUTPUT, NULL, "ready$", 20 * NS_PER_S };
		specs[i].env = path;
		specs[i].err_path = out_path;
	}
	specs[0].name = "upstream";
	struct sut *sut = NULL;
	struct err err = { 0 };
	struct process_end end;
	ck_assert_msg(sut_start(host, specs, 2, &sut, NULL, &err) == RC_OK, "%s", err.text);
	sut_stop(sut, &end, arena);
	ck_assert_int_eq(end.exit, 0);
	char text[256] = { 0 };
	FILE *file = fopen(out_path, "r");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_gt(fread(text, 1, sizeof text - 1, file), 0);
	fclose(file);
	ck_assert_str_eq(text, "first ready\nsecond ready\nsecond ends\nfirst ends\n");
}
END_TEST

START_TEST(tells_who_died)
{
	const char *argv[] = { self, "polite", "hello", NULL };
	struct process_spec specs[] = { spec_of(argv, 0), spec_of(argv, 0) };
	specs[0].ready = specs[1].ready =
		(struct ready){ READY_OUTPUT, NULL, "hello", 20 * NS_PER_S };
	specs[0].name = "upstream";
	specs[0].out_path = NULL;
	struct sut *sut = NULL;
	struct err err = { 0 };
	struct process_end end;
	const char *name = NULL;
	ck_assert_msg(sut_start(host, specs, 2, &sut, NULL, &err) == RC_OK, "%s", err.text);
	ck_assert_ptr_null(sut_usage(sut));
	ck_assert(sut_alive(sut, &end, &name, arena));
	ck_assert_int_eq(kill(sut_pid(sut), SIGTERM), 0);
	int64_t until_ns = clock_now_ns() + 20 * NS_PER_S;
	while (sut_alive(sut, &end, &name, arena) && clock_now_ns() < until_ns)
		poll(NULL, 0, 1);
	ck_assert_ptr_nonnull(name);
	ck_assert_str_eq(name, "sut");
	ck_assert_int_eq(end.exit, 7);
	ck_assert(slice_is(end.out, "hello\nfarewell\n"));
	ck_assert_int_gt(sut_usage(sut)->ru_maxrss, 0);
	sut_stop(sut, &end, arena);
	ck_assert_int_eq(end.exit, 7);
	ck_assert(!end.timed_out);
}
END_TEST

START_TEST(tells_that_the_port_is_taken)
{
	char port_text[16];
	const char *argv[] = { self, "serve", port_text, NULL };
	struct sut *sut = NULL;
	struct err err = { 0 };
	bool taken = false;
	int fd, port;
	ck_assert_int_eq(sut_listen(&fd, &port, &err), RC_OK);
	snprintf(port_text, sizeof port_text, "%d", port);
	struct process_spec spec = spec_of(argv, port);
	ck_assert_int_eq(sut_start(host, &spec, 1, &sut, &taken, &err), RC_ENVIRONMENT);
	ck_assert_msg(taken, "%s", err.text);
	close(fd);
	ck_assert_msg(sut_start(host, &spec, 1, &sut, &taken, &err) == RC_OK, "%s", err.text);
	ck_assert_msg(!taken, "what an earlier start wrote to the file must not count");
	sut_stop(sut, NULL, arena);
}
END_TEST

static int find_self(void)
{
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	if (n < 0 || !mkdtemp(folder))
		return 0;
	snprintf(out_path, sizeof out_path, "%s/out", folder);
	snprintf(err_path, sizeof err_path, "%s/err", folder);
	return 1;
}

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof roles / sizeof *roles; i++)
		if (strcmp(argv[1], roles[i].name) == 0) {
			roles[i].run(argv + 2);
			return 0;
		}
	if (!find_self())
		return 1;
	Suite *suite = suite_create("sut");
	TCase *tests = tcase_create("sut");
	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_set_timeout(tests, 60);
	tcase_add_loop_test(tests, stops_and_tells_how_it_ended, 0, sizeof stops / sizeof *stops);
	tcase_add_test(tests, hands_over_the_listening_socket);
	tcase_add_test(tests, stops_in_reverse_order);
	tcase_add_test(tests, tells_who_died);
	tcase_add_test(tests, tells_that_the_port_is_taken);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	unlink(out_path);
	unlink(err_path);
	rmdir(folder);
	return failed ? 1 : 0;
}
