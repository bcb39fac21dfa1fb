#include "sut/settle.h"

#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

enum { FDS_WITHOUT_CLOSE_RANGE = 65536 };

static const int deaf_to[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXFSZ, SIGUSR1, SIGUSR2,
	SIGALRM };

static void settle_descriptors(int socket)
{
	/* First, since it may have the number of one of the three, where onus was started without. */
	if (socket != SETTLE_SOCKET) {
		dup3(socket, SETTLE_SOCKET, O_CLOEXEC);
		close(socket);
	}
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	if (fcntl(STDERR_FILENO, F_GETFD) < 0)
		dup2(null, STDERR_FILENO);
	if (close_range(SETTLE_SOCKET + 1, ~0U, 0) == 0)
		return;
	for (int fd = SETTLE_SOCKET + 1; fd < FDS_WITHOUT_CLOSE_RANGE; fd++)
		close(fd);
}

int settle_process(const char *name, int socket)
{
	sigset_t child;
	setsid();
	prctl(PR_SET_NAME, name);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	for (size_t i = 0; i < sizeof deaf_to / sizeof *deaf_to; i++)
		signal(deaf_to[i], SIG_IGN);
	signal(SIGCHLD, SIG_DFL);
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_SETMASK, &child, NULL);
	settle_descriptors(socket);
	return signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
}
