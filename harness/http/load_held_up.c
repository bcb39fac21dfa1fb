#include "http/load_held_up.h"

#include "base/clock.h"

#include <fcntl.h>
#include <unistd.h>

#define LEAST_NS NS_PER_MS /* measure/load_validity.c lets a send be so late */

int64_t load_held_up_parse(struct slice schedstat)
{
	struct slice ran, ready;
	uint64_t ready_ns = 0;
	if (!slice_next(&schedstat, ' ', &ran) || !slice_next(&schedstat, ' ', &ready))
		return 0;
	return slice_number(ready, INT64_MAX, &ready_ns) ? (int64_t)ready_ns : 0;
}

static int64_t delay_now_ns(const struct load_held_up *held)
{
	char text[128];
	ssize_t got = held->fd < 0 ? 0 : pread(held->fd, text, sizeof text, 0);
	return got > 0 ? load_held_up_parse(slice_from(text, (size_t)got)) : 0;
}

void load_held_up_init(struct load_held_up *held)
{
	*held = (struct load_held_up){ .fd = open("/proc/thread-self/schedstat",
					       O_RDONLY | O_CLOEXEC) };
}

int64_t load_held_up_so_far(void)
{
	struct load_held_up held;
	load_held_up_init(&held);
	int64_t so_far_ns = delay_now_ns(&held);
	load_held_up_release(&held);
	return so_far_ns;
}

void load_held_up_release(struct load_held_up *held)
{
	if (held->fd >= 0)
		close(held->fd);
	held->fd = -1;
}

void load_held_up_begin(struct load_held_up *held, int64_t late_ns)
{
	held->late_ns = late_ns > LEAST_NS ? late_ns : 0;
	held->delay_ns = delay_now_ns(held);
}

bool load_held_up_explains(const struct load_held_up *held, int64_t lag_ns)
{
	if (lag_ns <= LEAST_NS)
		return false;
	int64_t held_ns = held->late_ns;
	/* Asking the kernel costs a system call. */
	if (2 * held_ns < lag_ns)
		held_ns += delay_now_ns(held) - held->delay_ns;
	return 2 * held_ns >= lag_ns;
}
