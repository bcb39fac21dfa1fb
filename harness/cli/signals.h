/*
 * signals: SIGINT and SIGTERM end a run cleanly: no new step is begun, everything started is stopped, and what was
 * found so far is reported. A second one ends the program at once; the keepers then end what was started.
 */
#ifndef CLI_SIGNALS_H
#define CLI_SIGNALS_H

void signals_catch(void);

/* Not 0 once a signal came: its number. */
const volatile int *signals_stop(void);

#endif
