#include "sut/nursery.h"

#include <errno.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sut/cap.h"
#include "sut/descend.h"
#include "sut/keeper.h"
#include "sut/message.h"
#include "sut/settle.h"

static void reap(int signals, struct pids *keepers)
{
	struct signalfd_siginfo noted[8];
	int status;
	bool orphans = false;
	while (read(signals, noted, sizeof noted) > 0)
		continue;
	for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;) {
		if (!WIFEXITED(status) || WEXITSTATUS(status))
			orphans = true;
		pids_remove(keepers, pid);
	}
	if (!orphans)
		return;
	descend_kill(keepers);
	cap_sweep_all();
}

/* False when onus is gone. Where no process can be forked, the end of its socket tells onus. */
static bool take_request(struct pids *keepers)
{
	unsigned char request = 0;
	int control;
	enum rc rc = message_receive(SETTLE_SOCKET, &request, sizeof request, &control, 1, false);
	if (rc == RC_CLOSED)
		return false;
	if (rc != RC_OK || control < 0 || request != NURSERY_REQUEST)
		return true;
	pid_t pid = fork();
	if (pid == 0)
		keeper_run(control);
	if (pid > 0)
		pids_add(keepers, pid);
	close(control);
	return true;
}

void nursery_run(int socket)
{
	int signals = settle_process("onus-nursery", socket);
	struct pids keepers = { 0 };
	struct pollfd polled[] = {
		{ .fd = SETTLE_SOCKET, .events = POLLIN },
		{ .fd = signals, .events = POLLIN },
	};
	for (;;) {
		if (poll(polled, sizeof polled / sizeof *polled, -1) < 0 && errno != EINTR)
			BUG("poll: errno %d", errno);
		if (polled[1].revents)
			reap(signals, &keepers);
		if (polled[0].revents && !take_request(&keepers))
			break;
	}
	pids_release(&keepers);
	descend_kill(NULL);
	/* Of keepers that were killed here before they were through. */
	cap_sweep_all();
	_exit(0);
}
