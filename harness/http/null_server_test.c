#include <arpa/inet.h>
#include <check.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "http/null_server.h"

enum { WAIT_MS = 5000, TEXT_BYTES = 8192 };

#define HEAD "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n"
#define FULL HEAD "ok"

static int connect_to(const struct null_server *server)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
		.sin_port = htons((uint16_t)server->port) };
	struct timeval wait = { .tv_sec = WAIT_MS / 1000 };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	ck_assert_int_eq(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
	return fd;
}

/* As many bytes as are expected, and then nothing more. */
static void expect(int fd, const char *expected, const char *why)
{
	char text[TEXT_BYTES] = "";
	size_t size = strlen(expected);
	ssize_t got = size ? recv(fd, text, size, MSG_WAITALL) : 0;
	ck_assert_msg(got == (ssize_t)size && memcmp(text, expected, size) == 0, "%s: %zd, %s", why,
		got, text);
	usleep(20000);
	got = recv(fd, text, sizeof text, MSG_DONTWAIT);
	ck_assert_msg(got == -1 && errno == EAGAIN, "%s: %zd bytes more", why, got);
}

static const struct {
	const char *parts[3], *answers, *why;
} exchanges[] = {
	{ { "GET / HTTP/1.1\r\nHost: h\r\n\r\n" }, FULL, "one" },
	{ { "GET / HTTP/1.1\r\nHost: h\r\n\r\nGET /b HTTP/1.1\r\nHost: h\r\n\r\n" }, FULL FULL,
		"two at once" },
	{ { "GET / HTTP/1.1\r\nHost: h\r\n\r", "\n" }, FULL, "cut in the line end" },
	{ { "G", "ET / HTTP/1.1\r\nHost: h\r\n\r\nGET / HTTP", "/1.1\r\n\r\n" }, FULL FULL,
		"cut anywhere" },
	{ { "GET / HTTP/1.1\r\nHost: h\r\n" }, "", "not complete" },
	{ { "POST / HTTP/1.1\r\ncontent-LENGTH: 5\r\n\r\nab\r\n" }, "",
		"one byte of the body short" },
	{ { "POST / HTTP/1.1\r\ncontent-LENGTH: 5\r\n\r\nab\r\n", "xGET / HTTP/1.1\r\n\r\n" },
		FULL FULL, "a body, and the next request right behind it" },
	{ { "POST / HTTP/1.1\r\nContent-Length: 4\r\n\r\n", "\r\n\r\n" }, FULL,
		"a body that looks like the end of a head" },
	{ { "HEAD / HTTP/1.1\r\nHost: h\r\n\r\n" }, HEAD, "no content" },
};

START_TEST(answers)
{
	struct null_server server;
	struct err err = { 0 };
	ck_assert_msg(null_server_start(&server, &err) == RC_OK, "%s", err.text);
	int fd = connect_to(&server);
	for (size_t i = 0; i < 3 && exchanges[_i].parts[i]; i++) {
		const char *part = exchanges[_i].parts[i];
		if (i)
			usleep(20000);
		ck_assert(send(fd, part, strlen(part), MSG_NOSIGNAL) == (ssize_t)strlen(part));
	}
	expect(fd, exchanges[_i].answers, exchanges[_i].why);
	close(fd);
	null_server_stop(&server);
}
END_TEST

START_TEST(many_connections)
{
	enum { MANY = 600 };
	static const char request[] = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
	struct null_server server;
	struct err err = { 0 };
	char text[sizeof FULL];
	int fds[MANY];
	ck_assert_msg(null_server_start(&server, &err) == RC_OK, "%s", err.text);
	for (size_t i = 0; i < MANY; i++)
		fds[i] = connect_to(&server);
	for (int round = 0; round < 3; round++) {
		for (size_t i = 0; i < MANY; i++)
			ck_assert(send(fds[i], request, sizeof request - 1, MSG_NOSIGNAL) > 0);
		for (size_t i = 0; i < MANY; i++) {
			ssize_t got = recv(fds[i], text, sizeof FULL - 1, MSG_WAITALL);
			ck_assert_int_eq(got, sizeof FULL - 1);
		}
	}
	for (size_t i = 0; i < MANY; i++)
		close(fds[i]);
	null_server_stop(&server);
}
END_TEST

/* What the self-test of load does to it; and it must end even then. */
START_TEST(stopped)
{
	static const char request[] = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
	struct null_server server;
	struct err err = { 0 };
	int status;
	ck_assert_msg(null_server_start(&server, &err) == RC_OK, "%s", err.text);
	pid_t pid = server.pid;
	int fd = connect_to(&server);
	expect(fd, "", "nothing was asked");
	kill(pid, SIGSTOP);
	ck_assert_int_eq(waitpid(pid, &status, WUNTRACED), pid);
	ck_assert(WIFSTOPPED(status));
	ck_assert(send(fd, request, sizeof request - 1, MSG_NOSIGNAL) > 0);
	expect(fd, "", "it stands still");
	kill(pid, SIGCONT);
	expect(fd, FULL, "it goes on");
	kill(pid, SIGINT);
	ck_assert(send(fd, request, sizeof request - 1, MSG_NOSIGNAL) > 0);
	expect(fd, FULL, "deaf to SIGINT");
	kill(pid, SIGSTOP);
	null_server_stop(&server);
	ck_assert(kill(pid, 0) == -1 && errno == ESRCH);
	null_server_stop(&server);
	close(fd);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("null_server");
	tcase_add_loop_test(tests, answers, 0, sizeof exchanges / sizeof *exchanges);
	tcase_add_test(tests, many_connections);
	tcase_add_test(tests, stopped);
	tcase_set_timeout(tests, 30);
	Suite *suite = suite_create("http/null_server");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
