/*
 * settle: what a process forked from onus must do before it is a nursery or a keeper.
 */
#ifndef SUT_SETTLE_H
#define SUT_SETTLE_H

enum { SETTLE_SOCKET = 3 };

/*
 * A session of its own and deaf to what a terminal sends, so that ^C is onus's to decide; child subreaper; named; no
 * descriptor of onus's but `socket`, which becomes SETTLE_SOCKET, and standard error, for BUG(). Returns a
 * signalfd(2) for SIGCHLD.
 */
int settle_process(const char *name, int socket);

#endif
