/*
 * ward: one process as its keeper sees it, from its start to its exit, with the copies of its output.
 */
#ifndef SUT_WARD_H
#define SUT_WARD_H

#include "sut/copy.h"
#include "sut/descend.h"
#include "sut/message.h"

struct ward {
	pid_t pid;          /* 0 once it ended */
	int64_t settled_ns; /* from then on it does not turn into a daemon */
	int moves;
	struct copy out, err;
	struct cap cap; /* until ward_end() */
	int full;       /* of cap_watch(), or -1 */
};

/* Executes it; takes over fds[START_OUT] and fds[START_ERR]. Fills the note but for its index. */
void ward_start(
	struct ward *ward, const struct command *command, const int *fds, struct note *note);

/*
 * Its process `pid` is a zombie: reaps it and says so in the note, with all that it wrote in the files. Where it went
 * on as a daemon the note says that instead. `known` are the processes of all wards.
 */
void ward_reap(struct ward *ward, const struct pids *known, struct note *note);

/* Its cap may be full: it is killed where the kernel killed any process because of that. */
void ward_full(struct ward *ward);

/* Removes its cap; nothing of it may be left. */
void ward_end(struct ward *ward);

/* Fills what the note says of output. */
void ward_copied(const struct ward *ward, struct note *note);

#endif
