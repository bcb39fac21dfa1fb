/*
 * nursery: the process that sut_init() forks while onus has one thread, and that forks a keeper for each start, so that
 * nothing is ever forked from a process with threads.
 *
 * A request is one message of NURSERY_REQUEST with one descriptor: the keeper's side of a control socket. Several
 * threads may send at once; the keeper answers each on its own socket. The nursery ends when onus is gone, and not
 * before all that descends from it has been killed. What a keeper that was itself killed has left it kills at once.
 */
#ifndef SUT_NURSERY_H
#define SUT_NURSERY_H

enum { NURSERY_REQUEST = 0x6b };

/* `socket` is this side of the pair. Called in a new process. */
_Noreturn void nursery_run(int socket);

#endif
