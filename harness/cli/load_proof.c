#include "cli/load_proof.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

#include "base/units.h"
#include "http/load.h"
#include "http/load_held_up.h"
#include "http/null_server.h"
#include "sut/proc.h"

/* So few that catching up takes next to no time, and so long that a late wake-up is small beside it. */
#define RATE_PER_S 200
#define WARM_UP_NS (NS_PER_S / 2)
#define LENGTH_NS  (5 * NS_PER_S)
#define STOP_AT_NS (3 * NS_PER_S / 2) /* since the start of the warm-up */
#define STOP_NS    (2 * NS_PER_S)
#define WATCH_NS   (2 * NS_PER_MS)
enum { ROOM = 1000, LITTLE_ROOM = 16 };

struct stopper {
	pid_t pid;
	int64_t start_ns, stopped_ns; /* when to begin from; how long it stood still */
	int64_t late_ns; /* the longest that it woke late itself, and that the server waited for a processor */
	bool failed;
};

static void sleep_until(int64_t then_ns)
{
	struct timespec then = { .tv_sec = then_ns / NS_PER_S, .tv_nsec = then_ns % NS_PER_S };
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &then, NULL) == EINTR)
		;
}

/* Sleeps in short steps: how late it wakes is what the machine does to any thread of onus. */
static void watch_until(struct stopper *s, int64_t then_ns)
{
	for (int64_t now_ns = clock_now_ns(); now_ns < then_ns;) {
		int64_t wake_ns = now_ns + WATCH_NS < then_ns ? now_ns + WATCH_NS : then_ns;
		sleep_until(wake_ns);
		now_ns = clock_now_ns();
		s->late_ns = now_ns - wake_ns > s->late_ns ? now_ns - wake_ns : s->late_ns;
	}
}

/* How long a process was ready and had no processor, proc(5); 0: the kernel does not tell. */
static int64_t waited_ns(pid_t pid)
{
	char path[64], text[96];
	snprintf(path, sizeof path, "/proc/%d/schedstat", (int)pid);
	proc_read_text(AT_FDCWD, path, text, sizeof text);
	return load_held_up_parse(slice_of(text));
}

static void *stop(void *self)
{
	struct stopper *s = self;
	int status = 0;
	watch_until(s, s->start_ns + STOP_AT_NS);
	s->failed = kill(s->pid, SIGSTOP) != 0 || waitpid(s->pid, &status, WUNTRACED) != s->pid ||
		    !WIFSTOPPED(status);
	int64_t begin_ns = clock_now_ns();
	if (!s->failed)
		watch_until(s, begin_ns + STOP_NS);
	int64_t before_ns = waited_ns(s->pid);
	s->stopped_ns = clock_now_ns() - begin_ns;
	kill(s->pid, SIGCONT);
	watch_until(s, s->start_ns + WARM_UP_NS + LENGTH_NS);
	int64_t server_ns = waited_ns(s->pid) - before_ns;
	s->late_ns = server_ns > s->late_ns ? server_ns : s->late_ns;
	return NULL;
}

int64_t load_proof_expected(double q, int64_t stop_ns, int64_t length_ns)
{
	double share = (double)stop_ns / (double)length_ns;
	return q <= 1 - share ? 0 : (int64_t)((double)stop_ns * (1 - (1 - q) / share));
}

static void print_ns(const char *before, int64_t ns, FILE *out)
{
	char text[32];
	quantity_print((struct quantity){ UNIT_NS, (double)ns }, text, sizeof text);
	fprintf(out, "%s%-10s", before, text);
}

/* Of requests that were not due during the stop nothing can be computed, but that they weren't held up by it. */
static bool compare(const struct hist *response, int64_t stopped_ns, FILE *out)
{
	static const struct {
		const char *name;
		double q;
	} rows[] = { { "p50", 0.5 }, { "p90", 0.9 }, { "p99", 0.99 }, { "p99.9", 0.999 },
		{ "max", 1 } };
	bool all = true;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		int64_t expected = load_proof_expected(rows[i].q, stopped_ns, LENGTH_NS);
		int64_t found = hist_quantile(response, rows[i].q);
		double limit = LOAD_PROOF_TOLERANCE * (double)(expected ? expected : stopped_ns);
		bool held = fabs((double)(found - expected)) <= limit;
		fprintf(out, "  %-6s %-6s", held ? "ok" : "FAIL", rows[i].name);
		print_ns(expected ? "computed " : "at most  ", expected ? expected : (int64_t)limit,
			out);
		print_ns("   found ", found, out);
		if (expected)
			fprintf(out, "%+.2f%%", 100 * ((double)found / (double)expected - 1));
		fputc('\n', out);
		all = all && held;
	}
	return all;
}

/* The bound that is hit must make the send lag, and nothing else, and no request may be missing. */
static bool check_counts(const struct load_result *r, size_t room, FILE *out)
{
	uint64_t due = RATE_PER_S * (uint64_t)(LENGTH_NS / NS_PER_S);
	bool whole = load_counts_add_up(&r->all) && r->measured.answered == due && !r->unsent;
	bool bound = room == LITTLE_ROOM ? r->bound_hits > 0 : r->bound_hits == 0;
	fprintf(out, "  %-6s %llu of %llu requests answered, %llu waited for the bound\n",
		whole && bound ? "ok" : "FAIL", (unsigned long long)r->measured.answered,
		(unsigned long long)due, (unsigned long long)r->bound_hits);
	return whole && bound;
}

enum load_proof load_proof_judge(bool within, int64_t late_ns)
{
	/* Several such waits add up: half of what is allowed may be all of it. */
	double much_ns = LOAD_PROOF_TOLERANCE * (double)STOP_NS / 2;
	if (within)
		return LOAD_PROOF_HELD;
	return (double)late_ns > much_ns ? LOAD_PROOF_REFUSED : LOAD_PROOF_BROKEN;
}

static void tell_refused(int64_t late_ns, FILE *out)
{
	print_ns("  refused: this machine let onus or the server wait ", late_ns, out);
	fputs("for a processor, so that nothing is proven\n", out);
}

static enum rc run_one(const struct load_plan *plan, const struct null_server *server, FILE *out,
	enum load_proof *proof, struct err *err)
{
	struct stopper stopper = { .pid = server->pid, .start_ns = clock_now_ns() };
	struct load_result *result;
	pthread_t thread;
	errno = pthread_create(&thread, NULL, stop, &stopper);
	if (errno)
		return err_errno(err, RC_ENVIRONMENT, "--self-test", "pthread_create");
	enum rc rc = load_run(plan, &result, err);
	pthread_join(thread, NULL);
	if (rc != RC_OK)
		return rc;
	if (stopper.failed)
		rc = err_set(err, RC_ENVIRONMENT, "--self-test",
			"the null server could not be stopped by SIGSTOP");
	else if (result->partial)
		rc = err_set(err, RC_ENVIRONMENT, "--self-test", "it was interrupted");
	else {
		bool times = compare(result->hists[LOAD_RESPONSE], stopper.stopped_ns, out);
		bool counts = check_counts(result, plan->max_in_flight, out);
		*proof = load_proof_judge(times && counts, stopper.late_ns);
		if (*proof == LOAD_PROOF_REFUSED)
			tell_refused(stopper.late_ns, out);
	}
	load_result_free(result);
	return rc;
}

enum rc load_proof_run(
	uint64_t seed, int stop_fd, FILE *out, enum load_proof *proof, struct err *err)
{
	static const size_t rooms[] = { ROOM, LITTLE_ROOM };
	const struct load_request request = { .method = "GET", .target = "/", .weight = 1 };
	struct load_plan plan = { .requests = &request,
		.request_count = 1,
		.model = LOAD_OPEN,
		.arrival = { .kind = ARRIVAL_CONSTANT,
			.rate_per_s = RATE_PER_S,
			.length_ns = CLOCK_NEVER },
		.warm_up_ns = WARM_UP_NS,
		.measure_ns = LENGTH_NS,
		.timeout_ns = 10 * NS_PER_S,
		.drain_ns = 10 * NS_PER_S,
		.threads = 1,
		.streams = 1,
		.seed = seed,
		.stop_fd = stop_fd };
	enum rc rc = RC_OK;
	*proof = LOAD_PROOF_HELD;
	for (size_t i = 0; rc == RC_OK && i < sizeof rooms / sizeof *rooms; i++) {
		struct null_server server;
		enum load_proof one = LOAD_PROOF_HELD;
		rc = null_server_start(&server, err);
		if (rc != RC_OK)
			return rc;
		plan.address = (struct client_options){
			.scheme = "http", .host = "127.0.0.1", .port = server.port
		};
		plan.max_in_flight = rooms[i];
		fprintf(out,
			"%d requests/s for %d s, the server stopped for %d s, at most %zu in flight\n",
			RATE_PER_S, (int)(LENGTH_NS / NS_PER_S), (int)(STOP_NS / NS_PER_S),
			rooms[i]);
		fflush(out);
		rc = run_one(&plan, &server, out, &one, err);
		if (*proof != LOAD_PROOF_BROKEN && one != LOAD_PROOF_HELD)
			*proof = one;
		null_server_stop(&server);
	}
	return rc;
}
