/*
 * hold_command: `onus load URL --hold N`, from the options to the exit status.
 */
#ifndef CLI_HOLD_COMMAND_H
#define CLI_HOLD_COMMAND_H

#include "cli/hold_job.h"

/* Forks for the trigger; call it before any thread exists. Signals are caught and libcurl is ready. */
int hold_command(const struct options *options, const struct load_job *load, uint64_t seed);

#endif
