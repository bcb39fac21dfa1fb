/*
 * report_merge: histograms of several .hlog files added up without loss: `onus report --merge`.
 *
 *	return report_merge(options);
 */
#ifndef CLI_REPORT_MERGE_H
#define CLI_REPORT_MERGE_H

#include "cli/options.h"

/*
 * Prints count and percentiles of each tag, and writes options->load.hlog where that is set. The exit status: 2 for a
 * file that is no whole log of histograms laid out as ours, 3 for one that can't be read or written.
 */
int report_merge(const struct options *options);

#endif
