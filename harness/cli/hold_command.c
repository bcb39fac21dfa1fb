#include "cli/hold_command.h"

#include <stdlib.h>

#include "cli/cli.h"
#include "cli/hold_columns.h"
#include "cli/hold_run.h"
#include "cli/load_report.h"
#include "cli/signals.h"
#include "cli/told.h"

/* Not before it runs: what can't be begun is told in one line. */
static void on_point(void *self, const struct hold_point *point)
{
	bool *begun = self;
	if (!*begun)
		hold_columns_head(stderr);
	*begun = true;
	hold_columns_line(point, stderr);
}

static int report(struct load_reports *reports, struct hold_found *found)
{
	struct err err = { 0 };
	hold_found_judge(found);
	enum rc rc = load_reports_print_hold(reports, found, &err);
	told_problem(found->problem);
	return rc == RC_OK ? found->exit : told(rc, &err, "load");
}

static int drive(struct hold_found *found, struct load_reports *reports)
{
	struct sut_host *host = NULL;
	struct err err = { 0 };
	bool begun = false;
	enum rc rc = found->job->trigger ? sut_init(&host, &err) : RC_OK;
	if (rc != RC_OK)
		return told(rc, &err, "load");
	if (host)
		sut_interrupt(host, signals_stop_fd());
	rc = hold_run(found, host, on_point, &begun, &err);
	int code = rc == RC_OK ? report(reports, found) : told(rc, &err, "load");
	free(found->points);
	if (host)
		sut_close(host);
	return code;
}

int hold_command(const struct options *options, const struct load_job *load, uint64_t seed)
{
	char started[32];
	struct hold_job job;
	struct load_reports *reports;
	struct err err = { 0 };
	enum rc rc = hold_job_read(options, load, &job, &err);
	if (rc == RC_OK)
		rc = load_reports_open(options, &reports, &err);
	if (rc != RC_OK)
		return told(rc, &err, "load");
	clock_wall(started, sizeof started);
	job.plan.stop_fd = signals_stop_fd();
	struct hold_found found = { .job = &job,
		.version = ONUS_VERSION,
		.libcurl = http_libcurl_version(),
		.command = options->command_line,
		.started = started,
		.seed = seed };
	int code = drive(&found, reports);
	load_reports_close(reports);
	return code;
}
