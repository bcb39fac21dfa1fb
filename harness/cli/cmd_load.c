#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "cli/cli.h"
#include "cli/hold_command.h"
#include "cli/load_columns.h"
#include "cli/load_report.h"
#include "cli/load_proof.h"
#include "cli/signals.h"
#include "cli/told.h"
#include "http/client.h"

static const char NAME[] = "load";

enum { STDIN_BYTES_MAX = 64 << 20, WIDTH_DEFAULT = 80 };

/* What is shown while it runs, on standard error. */
struct showing {
	struct load_columns columns;
	const struct load_arm *arm;
	const char *title; /* of one of two arms */
	int width;         /* of the terminal; 0: columns, a line a second */
	bool begun;
};

static int terminal_width(void)
{
	const char *term = getenv("TERM");
	struct winsize size;
	if (!isatty(STDERR_FILENO) || (term && strcmp(term, "dumb") == 0))
		return 0;
	return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col
									   : WIDTH_DEFAULT;
}

static void show_live(struct showing *s, const struct load_second *second)
{
	const struct load_plan *plan = &s->arm->plan;
	fputs("\r\x1b[K", stderr);
	load_columns_live(&s->columns, second, load_plan_length(plan), plan->measure_requests,
		s->width, stderr);
	fflush(stderr);
}

/* Not before it runs: what can't be begun is told in one line. */
static void show_head(struct showing *s)
{
	if (s->title)
		fprintf(stderr, "# Accept-Encoding: %s\n", s->title);
	if (!s->width)
		load_columns_head(stderr);
	s->begun = true;
}

static void on_second(void *self, const struct load_second *second)
{
	struct showing *s = self;
	if (s->width)
		fputs("\r\x1b[K", stderr);
	if (!s->begun)
		show_head(s);
	load_columns_line(&s->columns, second, s->width ? NULL : stderr);
	if (s->width)
		show_live(s, second);
}

static enum rc run_arm(struct load_found *found, const struct load_arm *arm, struct err *err)
{
	struct load_plan plan = arm->plan;
	struct load_arm_found *one = &found->arms[found->arm_count];
	struct showing showing = { .arm = arm, .width = terminal_width() };
	if (found->job->arm_count > 1)
		showing.title = arm->asks_for ? arm->asks_for : "(none)";
	plan.stop_fd = signals_stop_fd();
	plan.second = on_second;
	plan.self = &showing;
	if (showing.width)
		show_live(&showing, NULL);
	one->arm = arm;
	enum rc rc = sample_start(&found->job->cost, SAMPLE_EVERY_NS, &one->sample, err);
	if (rc != RC_OK)
		return rc;
	load_host_read(&one->before);
	rc = load_run(&plan, &one->result, err);
	load_host_read(&one->after);
	if (showing.width)
		fputs("\r\x1b[K", stderr);
	sample_stop(one->sample);
	if (rc != RC_OK)
		return rc;
	if (one->sample)
		load_found_add_cost(one, sample_cost(one->sample), found->job->arena);
	found->arm_count++;
	return RC_OK;
}

static enum rc run_arms(struct load_found *found, struct err *err)
{
	const struct load_job *job = found->job;
	for (size_t i = 0; i < job->arm_count; i++) {
		if (*signals_stop()) {
			found->partial = true;
			return RC_OK;
		}
		enum rc rc = run_arm(found, &job->arms[i], err);
		if (rc != RC_OK)
			return rc;
	}
	return RC_OK;
}

static int report(struct load_reports *reports, struct load_found *found)
{
	struct err err = { 0 };
	load_found_judge(found);
	enum rc rc = load_reports_print(reports, found, &err);
	told_problem(found->problem);
	return rc == RC_OK ? found->exit : told(rc, &err, NAME);
}

static int measure(const struct options *options, const struct load_job *job, uint64_t seed)
{
	char started[32];
	struct load_reports *reports;
	struct err err = { 0 };
	enum rc rc = load_reports_open(options, &reports, &err);
	if (rc != RC_OK)
		return told(rc, &err, NAME);
	clock_wall(started, sizeof started);
	struct load_found found = { .job = job,
		.version = ONUS_VERSION,
		.libraries = http_versions(job->arena),
		.libcurl = http_libcurl_version(),
		.command = options->command_line,
		.started = started,
		.started_s = (double)time(NULL),
		.seed = seed };
	/* First of all, since it forks. */
	if (job->calibrate)
		load_null_drive(&job->arms[0].plan, signals_stop_fd(), job->arena, &found.null);
	rc = run_arms(&found, &err);
	int code = rc == RC_OK ? report(reports, &found) : told(rc, &err, NAME);
	load_reports_close(reports);
	for (size_t i = 0; i < LOAD_ARMS_MAX; i++) {
		load_result_free(found.arms[i].result);
		sample_free(found.arms[i].sample);
	}
	return code;
}

static int self_test(uint64_t seed)
{
	static const int CODES[] = { [LOAD_PROOF_HELD] = EXIT_HELD,
		[LOAD_PROOF_BROKEN] = EXIT_BROKEN,
		[LOAD_PROOF_REFUSED] = EXIT_INVALID };
	struct err err = { 0 };
	enum load_proof proof;
	enum rc rc = load_proof_run(seed, signals_stop_fd(), stdout, &proof, &err);
	return rc == RC_OK ? CODES[proof] : told(rc, &err, NAME);
}

static enum rc read_stdin(const struct options *options, struct buf *buf, struct err *err)
{
	char bytes[4096];
	ssize_t got;
	if (!load_job_wants_stdin(options))
		return RC_OK;
	while ((got = read(STDIN_FILENO, bytes, sizeof bytes)) > 0)
		if (buf_append(buf, slice_from(bytes, (size_t)got)) != RC_OK)
			return err_set(err, RC_USAGE, "standard input", "expected at most %d MiB",
				STDIN_BYTES_MAX >> 20);
	return got < 0 ? err_errno(err, RC_ENVIRONMENT, "standard input", "read") : RC_OK;
}

static int run(const struct options *options)
{
	struct load_job job;
	struct err err = { 0 };
	struct buf input;
	struct rng rng;
	uint64_t seed = options->seed;
	if (!options->has_seed) {
		rng_init(&rng, (uint64_t)clock_now_ns() ^ (uint64_t)getpid() << 32, NULL);
		seed = rng_next(&rng) & UINT32_MAX;
	}
	buf_init(&input, STDIN_BYTES_MAX);
	enum rc rc = read_stdin(options, &input, &err);
	if (rc == RC_OK && !options->load.self_test)
		rc = load_job_read(options, seed, buf_slice(&input), &job, &err);
	if (rc == RC_OK)
		rc = signals_catch(&err);
	if (rc == RC_OK)
		rc = http_init(&err);
	int code = rc != RC_OK               ? told(rc, &err, NAME)
		   : options->load.self_test ? self_test(seed)
		   : options->load.hold      ? hold_command(options, &job, seed)
					     : measure(options, &job, seed);
	buf_release(&input);
	return code;
}

const struct command cmd_load = {
	.name = NAME,
	.operands = "[WEIGHT*]URL…",
	.help = "drive load against a URL, without any file, and measure it",
	.set = OPTIONS_LOAD,
	.run = run,
	.manual =
		"Several URLs of one server are mixed by weight: 3*http://h/a http://h/b; - reads them from standard\n"
		"input, one a line. Without --rate it is a closed loop: each user waits for its answer, thinks, sends\n"
		"again, and the service time holds for that number of users only. With --rate it is an open loop:\n"
		"response time counts from when a request was due, service time from when it was sent, send lag is between.\n"
		"So it does with --burst, and with --stages whose N are rates: --rate is then where the first begins (0).\n"
		"Only the headers named are sent; redirects are not followed; HTTP 4xx and 5xx count as errors.\n"
		"\n"
		"Thresholds name response, service, send_lag, first, dns, connect, tls, first_byte or last_byte with\n"
		".min .mean .p50 .p90 .p99 .p99.9 .max .count, or rate, sent, coded_share, bytes.wire, bytes.decoded (of an\n"
		"answer, on average), or what is a number or a % of all: answered, unanswered, errors, errors.timeout and the like\n"
		"by kind, statuses.5xx and the like, censored. They compare with < <= > >= == != or a range a..b.\n"
		"`onus list expectations` tells what each is: a `load` step has the same.\n"
		"With --pid or --container also sut.cpu (of one core), sut.cpu_total, sut.cpu_per_request, sut.memory,\n"
		"sut.memory_growth, sut.descriptors and sut.threads; without them there is no such number.\n"
		"\n"
		"--hold N opens N event streams instead, --add of them each round, and holds them. A round has held once every\n"
		"stream of it and before is open and, with --trigger, has brought bytes since; -H may ask for gzip and sign in.\n"
		"Thresholds name streams.held, .failed, .bytes, .memory_each, .cap_each, .kernel_each, .onus_each, .buffers_each,\n"
		"each a slope over the rounds, and sut.*. Columns: time round opened open failed bytes onus_KiB sut_KiB cap_KiB\n"
		"sut_fds. It ends with 0 where all are held, or as many as --until says; with --until oom where the kernel has\n"
		"killed the SUT since its memory cap was full: then N or descriptors reached first is 3.\n"
		"\n"
		"While it runs: time conns tot_conn tot_req tot_bytes err cps rps bps ttfb, a line a second, on standard error.\n"
		"Exit status: 0; 1 a threshold is broken; 2 usage; 3 environment: a name, descriptors, nothing ever answered,\n"
		"interrupted; 5 a threshold's number may not be used, and why.",
};
