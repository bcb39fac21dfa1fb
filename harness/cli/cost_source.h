/*
 * cost_source: --pid and --container: which processes are the SUT's, where onus has not started it. Without them there is no
 * number of what the SUT costs.
 */
#ifndef CLI_COST_SOURCE_H
#define CLI_COST_SOURCE_H

#include "cli/options.h"
#include "sut/sample.h"

/* Both members empty where neither was given. RC_USAGE with the option as err's `where`: both, or no process id. */
enum rc cost_source_read(
	const struct options *options, struct sample_source *source, struct err *err) MUST_USE;
/* Whether there are such processes now: RC_ENVIRONMENT. Nothing to check where neither was given. */
enum rc cost_source_check(const struct sample_source *source, struct err *err) MUST_USE;

#endif
