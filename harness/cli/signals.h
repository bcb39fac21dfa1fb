/*
 * signals: SIGINT and SIGTERM end a run cleanly: waits end, no new step is begun, everything started is stopped, and
 * what was found so far is reported. A second one ends the program at once; the keepers then end what was started.
 */
#ifndef CLI_SIGNALS_H
#define CLI_SIGNALS_H

#include <stdatomic.h>

#include "base/err.h"

/* SIGPIPE is ignored from then on: a write that fails says so itself. RC_ENVIRONMENT. */
enum rc signals_catch(struct err *err) MUST_USE;

/* Not 0 once a signal came: its number. */
const atomic_int *signals_stop(void);
/* Readable from then on, and never read; -1 before signals_catch(). */
int signals_stop_fd(void);

#endif
