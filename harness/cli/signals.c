#include "cli/signals.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* The mutable globals: a handler can reach nothing else. It may touch an atomic that takes no lock (C11 7.14.1.1). */
static atomic_int stop;
static int stop_fd = -1;
_Static_assert(ATOMIC_INT_LOCK_FREE == 2, "an atomic int takes no lock");

static void on_signal(int number)
{
	const uint64_t one = 1;
	int before = errno;
	if (stop)
		_exit(128 + number);
	stop = number;
	/* That wakes every wait, whichever thread the signal came to; a full counter is readable as well. */
	(void)!write(stop_fd, &one, sizeof one);
	errno = before;
}

enum rc signals_catch(struct err *err)
{
	struct sigaction action = { .sa_handler = on_signal };
	if (stop_fd < 0)
		stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (stop_fd < 0)
		return err_errno(err, RC_ENVIRONMENT, "", "eventfd");
	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
	return RC_OK;
}

const atomic_int *signals_stop(void)
{
	return &stop;
}

int signals_stop_fd(void)
{
	return stop_fd;
}
