#include "cli/signals.h"

#include <signal.h>
#include <unistd.h>

/* The one mutable global: a handler can reach nothing else. sig_atomic_t is int here, which the assertion holds. */
static volatile int stop;
_Static_assert(sizeof(sig_atomic_t) == sizeof stop, "sig_atomic_t is an int");

static void on_signal(int number)
{
	if (stop)
		_exit(128 + number);
	stop = number;
}

void signals_catch(void)
{
	struct sigaction action = { .sa_handler = on_signal };
	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
}

const volatile int *signals_stop(void)
{
	return &stop;
}
