/* Are there descriptors for all connections of a run? */
#include "http/load_setup.h"

#include <dirent.h>

enum {
	OF_GROUP = 2,   /* libcurl's own, to wake up a multi handle */
	OF_THREAD = 3,  /* its epoll set; load_held_up; a name look-up or a file of certificates */
	SPARE = 32,     /* for others of this process meanwhile */
	IF_UNKNOWN = 64 /* open, where /proc does not tell */
};

static size_t open_now(void)
{
	size_t count = 0;
	DIR *dir = opendir("/proc/self/fd");
	if (!dir)
		return IF_UNKNOWN;
	while (readdir(dir))
		count++;
	closedir(dir);
	return count;
}

/* With the groups that hold them. */
static size_t for_connections(const struct load_setup *setup, size_t requests)
{
	bool http1 = setup->plan->address.protocol == PROTOCOL_HTTP1;
	/* Each thread's last group may be all but empty. */
	size_t groups = requests / load_setup_group(setup->plan, requests) + setup->threads;
	size_t connections = http1 ? requests : groups;
	return connections + groups * OF_GROUP;
}

/* One by one, since more requests may need fewer descriptors: in larger groups. */
static size_t possible(const struct load_setup *setup, size_t free)
{
	size_t requests = free * setup->group_size;
	requests = requests < setup->most ? requests : setup->most;
	while (requests && for_connections(setup, requests) > free)
		requests--;
	return requests;
}

enum rc load_descriptors_raise(
	const struct load_setup *setup, struct rlimit *before, struct err *err)
{
	if (getrlimit(RLIMIT_NOFILE, before) != 0)
		return err_errno(err, RC_ENVIRONMENT, "", "getrlimit");
	size_t others = open_now() + SPARE + setup->threads * OF_THREAD;
	size_t needed = others + for_connections(setup, setup->most);
	struct rlimit raised = *before;
	if (needed <= before->rlim_cur)
		return RC_OK;
	if (needed > before->rlim_max) {
		size_t limit = (size_t)before->rlim_max;
		return err_set(err, RC_ENVIRONMENT, "descriptors",
			"expected %zu for %zu requests in flight, found %zu (ulimit -Hn): at most "
			"%zu in flight are possible",
			needed, setup->most, limit,
			possible(setup, limit > others ? limit - others : 0));
	}
	raised.rlim_cur = needed;
	if (setrlimit(RLIMIT_NOFILE, &raised) != 0)
		return err_errno(err, RC_ENVIRONMENT, "", "setrlimit");
	return RC_OK;
}
