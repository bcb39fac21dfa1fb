#include "base/clock.h"

#include <limits.h>
#include <time.h>

int64_t clock_now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * NS_PER_S + t.tv_nsec;
}

void clock_wall(char *text, size_t size)
{
	time_t now = time(NULL);
	struct tm utc;
	gmtime_r(&now, &utc);
	strftime(text, size, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

int clock_poll_ms(int64_t now_ns, int64_t deadline_ns)
{
	if (deadline_ns == CLOCK_NEVER)
		return -1;
	if (deadline_ns <= now_ns)
		return 0;
	int64_t ms = (deadline_ns - now_ns + NS_PER_MS - 1) / NS_PER_MS;
	return ms > INT_MAX ? INT_MAX : (int)ms;
}
