#include "sut/ready.h"

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

/* Answers only who says by PROXY protocol whose the connection is. */
static void role_socket(char **argv)
{
	static const char line[] = "PROXY UNKNOWN\r\n";
	char got[sizeof line];
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	snprintf(address.sun_path, sizeof address.sun_path, "%s", argv[0]);
	if (bind(fd, (struct sockaddr *)&address, sizeof address) || listen(fd, 16))
		exit(1);
	for (;;) {
		static const char ok[] = "HTTP/1.1 204 No Content\r\n\r\n";
		int client = accept(fd, NULL, NULL);
		ssize_t n = recv(client, got, sizeof line - 1, MSG_WAITALL);
		if (n == sizeof line - 1 && memcmp(got, line, sizeof line - 1) == 0 &&
			write(client, ok, sizeof ok - 1) < 0)
			exit(4);
		close(client);
	}
}

static void role_serve(char **argv)
{
	answer(bound(argv[0]), "204 No Content");
}

static void role_unwell(char **argv)
{
	answer(bound(argv[0]), "503 Service Unavailable");
}

static void role_slow(char **argv)
{
	poll(NULL, 0, (int)strtol(argv[1], NULL, 10));
	role_serve(argv);
}

static void role_say(char **argv)
{
	printf("%s\n", argv[0]);
	fprintf(stderr, "and one line of %s", "errors\n");
	fflush(NULL);
	pause();
}

static void role_notify(char **argv)
{
	const char *path = getenv("NOTIFY_SOCKET");
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	if (!path || *path != '@')
		exit(5);
	memcpy(address.sun_path + 1, path + 1, strlen(path) - 1);
	int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
	socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(path));
	if (sendto(fd, argv[0], strlen(argv[0]), 0, (struct sockaddr *)&address, size) < 0)
		exit(4);
	pause();
}

static void role_exit(char **argv)
{
	fprintf(stderr, "one\ntwo\nthree\nfour\nfive\nlast \a words: %s\n", argv[1]);
	exit((int)strtol(argv[0], NULL, 10));
}

static const struct {
	const char *name;
	void (*run)(char **argv);
} roles[] = { { "serve", role_serve }, { "unwell", role_unwell }, { "slow", role_slow },
	{ "socket", role_socket }, { "say", role_say }, { "notify", role_notify },
	{ "exit", role_exit } };

static char self[4096], folder[] = "/tmp/ready_test.XXXXXX", out_path[64], err_path[64];

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
	ck_assert_int_eq(sut_init(&host, &err), RC_OK);
	arena = arena_new();
}

static void tear_down(void)
{
	sut_close(host);
	arena_free(arena);
}

static const struct {
	const char *args[3]; /* "PORT" stands for a free port */
	struct ready ready;
	enum rc rc;
	bool taken;
	const char *says, *also_says;
	const char *why;
} starts[] = {
	{ { "serve", "PORT" }, { READY_REQUEST, "/", NULL, 20 * NS_PER_S }, RC_OK, false, NULL,
		NULL, "any 2xx is ready" },
	{ { "slow", "PORT", "300" }, { READY_PORT, NULL, NULL, 20 * NS_PER_S }, RC_OK, false, NULL,
		NULL, "a port that opens after a while" },
	{ { "slow", "PORT", "60000" }, { READY_PORT, NULL, NULL, 200 * NS_PER_MS }, RC_ENVIRONMENT,
		false, "expected a connection to 127.0.0.1:", "it still runs",
		"a port that does not open" },
	{ { "slow", "PORT", "300" }, { READY_REQUEST, "/", NULL, 20 * NS_PER_S }, RC_OK, false,
		NULL, NULL, "it is asked again while nobody listens" },
	{ { "unwell", "PORT" }, { READY_REQUEST, "/up", NULL, 200 * NS_PER_MS }, RC_ENVIRONMENT,
		false, "not ready within 0.2 s: expected 2xx for GET /up at 127.0.0.1:",
		"(last try: status 503); it still runs", "503 is an answer, but not ready" },
	{ { "slow", "PORT", "60000" }, { READY_REQUEST, "/", NULL, 200 * NS_PER_MS },
		RC_ENVIRONMENT, false, "(last try: connect: Connection refused)", "it still runs",
		"never listens" },
	{ { "exit", "3", "x" }, { READY_REQUEST, "/", NULL, 20 * NS_PER_S }, RC_ENVIRONMENT, false,
		"ended after",
		"exited with status 3\n  | two\n  | three\n  | four\n  | five\n  | last ? words: x",
		"its death is told at once, with its last five lines" },
	{ { "exit", "1", "listen: Address already in use" },
		{ READY_REQUEST, "/", NULL, 20 * NS_PER_S }, RC_ENVIRONMENT, true,
		"exited with status 1", "already in use", "the C library's words for EADDRINUSE" },
	{ { "exit", "1", "Error: EADDRINUSE :::80" }, { READY_REQUEST, "/", NULL, 20 * NS_PER_S },
		RC_ENVIRONMENT, true, "exited with status 1", "EADDRINUSE", "as Node puts it" },
	{ { "exit", "1", "ADDRESS IN USE" }, { READY_REQUEST, "/", NULL, 20 * NS_PER_S },
		RC_ENVIRONMENT, true, "exited with status 1", NULL, "in any case" },
	{ { "say", "listening on 80" },
		{ READY_OUTPUT, NULL, "^listening on \\d+$", 20 * NS_PER_S }, RC_OK, false, NULL,
		NULL, "a line of stdout" },
	{ { "say", "x" }, { READY_OUTPUT, NULL, "of errors", 20 * NS_PER_S }, RC_OK, false, NULL,
		NULL, "a line of stderr" },
	{ { "say", "listening on 8080" }, { READY_OUTPUT, NULL, "on 80$", 200 * NS_PER_MS },
		RC_ENVIRONMENT, false, "a line of output that matches \"on 80$\"; it still runs",
		"  | listening on 8080", "$ is the end of the whole line" },
	{ { "say", "x" }, { READY_OUTPUT, NULL, "(", 20 * NS_PER_S }, RC_USAGE, false,
		"pattern \"(\", offset 1", NULL, "a pattern that PCRE2 refuses" },
	{ { "notify", "STATUS=up\nREADY=1\n" }, { READY_NOTIFY, NULL, NULL, 20 * NS_PER_S }, RC_OK,
		false, NULL, NULL, "sd_notify among other assignments" },
	{ { "notify", "READY=0" }, { READY_NOTIFY, NULL, NULL, 200 * NS_PER_MS }, RC_ENVIRONMENT,
		false, "expected READY=1 at NOTIFY_SOCKET; it still runs", NULL, "only 1 counts" },
	{ { "say", "x" }, { READY_NONE, NULL, NULL, 0 }, RC_OK, false, NULL, NULL,
		"nothing to wait for" },
};

START_TEST(starts_and_tells_why_not)
{
	char port_text[16];
	int port;
	struct err err = { 0 };
	struct sut *sut = NULL;
	bool taken = true;
	const char *argv[] = { self, NULL, NULL, NULL, NULL };
	ck_assert_int_eq(sut_free_port(&port, &err), RC_OK);
	snprintf(port_text, sizeof port_text, "%d", port);
	for (int i = 0; i < 3 && starts[_i].args[i]; i++)
		argv[i + 1] =
			strcmp(starts[_i].args[i], "PORT") == 0 ? port_text : starts[_i].args[i];
	struct process_spec spec = spec_of(argv, port);
	spec.ready = starts[_i].ready;
	enum rc rc = sut_start(host, &spec, 1, &sut, &taken, &err);
	ck_assert_msg(rc == starts[_i].rc, "%s: rc %d, %s", starts[_i].why, rc, err.text);
	ck_assert_msg(
		taken == starts[_i].taken, "%s: taken %d, %s", starts[_i].why, taken, err.text);
	if (starts[_i].says)
		ck_assert_msg(
			strstr(err.text, starts[_i].says), "%s: %s", starts[_i].why, err.text);
	if (starts[_i].also_says)
		ck_assert_msg(
			strstr(err.text, starts[_i].also_says), "%s: %s", starts[_i].why, err.text);
	if (rc == RC_OK)
		ck_assert_msg(sut_alive(sut, NULL, NULL, arena), "%s: not alive", starts[_i].why);
	else
		ck_assert_str_eq(err.where, "sut");
	sut_stop(sut, NULL, arena);
}
END_TEST

START_TEST(asked_on_a_unix_socket)
{
	char path[80];
	struct err err = { 0 };
	struct sut *sut = NULL;
	const char *argv[] = { self, "socket", path, NULL };
	snprintf(path, sizeof path, "%s/socket", folder);
	struct process_spec spec = spec_of(argv, 0);
	spec.unix_path = path;
	spec.proxy_line = true;
	ck_assert_msg(sut_start(host, &spec, 1, &sut, NULL, &err) == RC_OK, "%s", err.text);
	sut_stop(sut, NULL, arena);
	unlink(path);
	/* Without the line it is never ready, and the message names the socket. */
	spec.proxy_line = false;
	spec.ready.within_ns = 200 * NS_PER_MS;
	ck_assert_int_eq(sut_start(host, &spec, 1, &sut, NULL, &err), RC_ENVIRONMENT);
	ck_assert_msg(strstr(err.text, path) && strstr(err.text, "2xx for GET /"), "%s", err.text);
	unlink(path);
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
	Suite *suite = suite_create("ready");
	TCase *tests = tcase_create("ready");
	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, asked_on_a_unix_socket);
	tcase_add_loop_test(tests, starts_and_tells_why_not, 0, sizeof starts / sizeof *starts);
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
