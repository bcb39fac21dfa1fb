#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/load_job.h"

#define COUNT(table) (int)(sizeof(table) / sizeof *(table))
#define U            "http://h/"

enum { WORDS_MAX = 16 };

/* Splits the line at spaces; `_` in a word stands for a space. */
static enum rc read_line(const char *line, const char *input, struct options *options,
	struct load_job *job, struct err *err)
{
	char *argv[WORDS_MAX + 2] = { NULL };
	int argc = 0;
	struct slice rest = slice_of(line), part;
	*options = (struct options){ .arena = arena_new() };
	argv[argc++] = arena_text(options->arena, "load");
	while (argc <= WORDS_MAX && slice_next(&rest, ' ', &part)) {
		char *word = argv[argc++] = arena_slice(options->arena, part);
		for (; (word = strchr(word, '_')); word++)
			*word = ' ';
	}
	enum rc rc = options_parse(argc, argv, OPTIONS_LOAD, options, err);
	if (rc == RC_OK)
		rc = load_job_read(options, 42, slice_of(input), job, err);
	return rc;
}

static const char *ms(struct arena *arena, int64_t ns)
{
	return arena_print(arena, "%gms", (double)ns / (double)NS_PER_MS);
}

/* All that a plan is, as one line. */
static const char *line_of(const struct load_arm *arm, struct arena *arena)
{
	static const char *const protocols[] = { "", " http2", " http2c" };
	static const char *const kinds[] = { "constant", "poisson", "ramp" };
	const struct load_plan *p = &arm->plan;
	const struct client_options *a = &p->address;
	const char *text = arena_print(arena, "%s %s:%d%s%s%s%s", a->scheme, a->host, a->port,
		protocols[a->protocol], a->proxy_line ? " proxy" : "", a->unix_path ? " unix " : "",
		a->unix_path ? a->unix_path : "");
	if (p->model == LOAD_CLOSED)
		text = arena_print(arena, "%s | %llu users%s think %s", text,
			(unsigned long long)p->users.users,
			p->users.kind == USERS_RAMP
				? arena_print(arena, " ramp %s", ms(arena, p->users.ramp_ns))
				: "",
			ms(arena, p->users.think_ns));
	else
		text = arena_print(arena, "%s | %s %g/s to %g/s, %zu in flight", text,
			kinds[p->arrival.kind], p->arrival.rate_per_s, p->arrival.to_per_s,
			p->max_in_flight);
	text = arena_print(arena, "%s | %s %s %s timeout %s x%llu t%zu s%zu%s |", text,
		ms(arena, p->warm_up_ns), ms(arena, p->measure_ns), ms(arena, p->tail_ns),
		ms(arena, p->timeout_ns), (unsigned long long)p->measure_requests, p->threads,
		p->streams, p->decode ? " decode" : "");
	for (size_t i = 0; i < p->request_count; i++) {
		const struct load_request *r = &p->requests[i];
		text = arena_print(arena, "%s %g*%s %s", text, r->weight, r->method, r->target);
		for (size_t k = 0; k < r->header_count; k++)
			text = arena_print(arena, "%s [%s: %s]", text, r->headers[k].name,
				r->headers[k].value);
		if (r->body.ptr)
			text = arena_print(arena, "%s {%.*s}", text, SLICE_PRINT(r->body));
	}
	return text;
}

#define HTTP   "http h:80"
#define CLOSED " | 10 users think 0ms"
#define TIMES  " | 500ms 10000ms 500ms timeout 10000ms x0 t1 s1"
#define GET    " | 1*GET /"

static const struct {
	const char *line, *plan, *why;
} plans[] = {
	{ U, HTTP CLOSED TIMES GET, "nothing else" },
	{ "-c 50 -d 2s " U,
		HTTP " | 50 users think 0ms | 200ms 2000ms 200ms timeout 10000ms x0 t1 s1" GET,
		"warm-up and tail are a tenth" },
	{ "-c50 -d2 " U,
		HTTP " | 50 users think 0ms | 200ms 2000ms 200ms timeout 10000ms x0 t1 s1" GET,
		"as wrk has it" },
	{ "-n 200 " U, HTTP CLOSED " | 0ms 8.64e+07ms 0ms timeout 10000ms x200 t1 s1" GET,
		"exactly 200 are sent: no warm-up, no tail" },
	{ "-n 200 -d 1s " U, HTTP CLOSED " | 0ms 1000ms 0ms timeout 10000ms x200 t1 s1" GET,
		"whichever ends first" },
	{ "-n 200 --warm-up 1s " U,
		HTTP CLOSED " | 1000ms 8.64e+07ms 0ms timeout 10000ms x200 t1 s1" GET,
		"a warm-up" },
	{ "-s 4 -d 12 " U,
		HTTP
		" | 10 users ramp 4000ms think 0ms | 4500ms 12000ms 500ms timeout 10000ms x0 t1 s1" GET,
		"a ramp is not measured" },
	{ "--warm-up 0 --timeout 1s --think 20ms -t 3 " U,
		HTTP " | 10 users think 20ms | 0ms 10000ms 500ms timeout 1000ms x0 t3 s1" GET,
		NULL },
	{ "-r 2000 " U, HTTP " | constant 2000/s to 0/s, 256 in flight" TIMES GET, "an open loop" },
	{ "-r 2000/s -c 100 " U, HTTP " | constant 2000/s to 0/s, 100 in flight" TIMES GET,
		"as wrk2 has it" },
	{ "-r 20 --max-in-flight 9 --arrival poisson " U,
		HTTP " | poisson 20/s to 0/s, 9 in flight" TIMES GET, NULL },
	{ "-r 20 -s 1 " U,
		HTTP
		" | ramp 0/s to 20/s, 256 in flight | 1500ms 10000ms 500ms timeout 10000ms x0 t1 s1" GET,
		"the rate goes up in a line" },
	{ "-H Accept:_a -H X: " U, HTTP CLOSED TIMES GET " [Accept: a] [X: ]", "headers" },
	{ "-X PUT --body a_b " U, HTTP CLOSED TIMES " | 1*PUT / {a b}", NULL },
	{ "--body x " U, HTTP CLOSED TIMES " | 1*POST / {x}", "POST where there is a body" },
	{ "--body= " U, HTTP CLOSED TIMES " | 1*POST / {}", "an empty one is one" },
	{ "--body @- " U, HTTP CLOSED TIMES " | 1*POST / {http://in/}", "of standard input" },
	{ "-", "http in:80" CLOSED TIMES GET, "URLs of standard input" },
	{ "3*http://h/a http://h/b", HTTP CLOSED TIMES " | 3*GET /a 1*GET /b", "a mix" },
	{ "--accept gzip " U, HTTP CLOSED TIMES GET " [Accept-Encoding: gzip]", NULL },
	{ "--accept none " U, HTTP CLOSED TIMES GET, NULL },
	{ "--http2c --streams 8 " U,
		HTTP " http2c" CLOSED " | 500ms 10000ms 500ms timeout 10000ms x0 t1 s8" GET, NULL },
	{ "--http2 --insecure https://h/", "https h:443 http2" CLOSED TIMES GET, NULL },
	{ "--unix-socket /run/x --proxy-protocol --decode " U,
		HTTP " proxy unix /run/x" CLOSED
		     " | 500ms 10000ms 500ms timeout 10000ms x0 t1 s1 decode" GET,
		NULL },
};

START_TEST(planned)
{
	struct options options;
	struct load_job job;
	struct err err = { 0 };
	enum rc rc = read_line(plans[_i].line, "http://in/", &options, &job, &err);
	ck_assert_msg(rc == RC_OK, "%s: %s: %s", plans[_i].line, err.where, err.text);
	ck_assert_uint_eq(job.arm_count, 1);
	ck_assert_str_eq(job.arms[0].name, "load");
	const char *found = line_of(&job.arms[0], options.arena);
	ck_assert_msg(strcmp(found, plans[_i].plan) == 0, "%s: %s\nfound    %s\nexpected %s",
		plans[_i].line, plans[_i].why ? plans[_i].why : "", found, plans[_i].plan);
	ck_assert_uint_eq(job.arms[0].plan.seed, 42);
	ck_assert_int_eq(job.arms[0].plan.stop_fd, -1);
	ck_assert_int_eq(job.arms[0].plan.drain_ns, job.arms[0].plan.timeout_ns);
	ck_assert(job.calibrate);
	arena_free(options.arena);
}
END_TEST

START_TEST(both)
{
	struct options options;
	struct load_job job;
	struct err err = { 0 };
	enum rc rc = read_line(
		"--accept both -H X:_y --no-calibration -c 1 " U, "", &options, &job, &err);
	ck_assert_msg(rc == RC_OK, "%s", err.text);
	ck_assert_uint_eq(job.arm_count, 2);
	ck_assert_str_eq(job.arms[0].name, "none");
	ck_assert_str_eq(job.arms[1].name, "gzip");
	ck_assert_ptr_null(job.arms[0].asks_for);
	ck_assert_str_eq(job.arms[1].asks_for, "gzip");
	ck_assert_ptr_nonnull(strstr(line_of(&job.arms[0], options.arena), "GET / [X: y]"));
	ck_assert_ptr_null(strstr(line_of(&job.arms[0], options.arena), "Accept-Encoding"));
	ck_assert_ptr_nonnull(strstr(
		line_of(&job.arms[1], options.arena), "GET / [X: y] [Accept-Encoding: gzip]"));
	ck_assert_str_eq(job.shape, "closed loop, 1 user");
	ck_assert(!job.calibrate);
	arena_free(options.arena);
}
END_TEST

START_TEST(asked_by_header)
{
	struct options options;
	struct load_job job;
	struct err err = { 0 };
	ck_assert(read_line("-H accept-encoding:_br " U, "", &options, &job, &err) == RC_OK);
	ck_assert_str_eq(job.arms[0].asks_for, "br");
	arena_free(options.arena);
}
END_TEST

START_TEST(body_of_a_file)
{
	char path[] = "/tmp/onus-load-job-XXXXXX";
	struct options options;
	struct load_job job;
	struct err err = { 0 };
	int fd = mkstemp(path);
	ck_assert(fd >= 0 && write(fd, "a\0b", 3) == 3);
	close(fd);
	/* mkstemp's letters have no `_` in them. */
	struct arena *arena = arena_new();
	enum rc rc = read_line(arena_print(arena, "--body @%s " U, path), "", &options, &job, &err);
	unlink(path);
	ck_assert_msg(rc == RC_OK, "%s", err.text);
	struct slice body = job.arms[0].plan.requests[0].body;
	ck_assert(slice_equal(body, slice_from("a\0b", 3)));
	arena_free(options.arena);
	arena_free(arena);
}
END_TEST

static const struct {
	const char *line, *where, *text;
} errors[] = {
	{ "", "", "expected a URL such as http://127.0.0.1:8080/; `onus load --help` tells more" },
	{ "-c 0 " U, "--users", "expected a whole number from 1 to 1000000, found \"0\"" },
	{ "-t 257 " U, "--threads", "expected a whole number from 0 to 256, found \"257\"" },
	{ "-d 1ms " U, "--duration", "expected 10ms to 24 hours" },
	{ "-d 25h " U, "--duration", "expected a time such as 500ms or 10s, found \"25h\"" },
	{ "-n 0 " U, "--requests", "expected a whole number from 1 to 1099511627776, found \"0\"" },
	{ "--timeout 0 " U, "--timeout", "expected 1ms to an hour" },
	{ "--arrival poisson " U, "--arrival", "only an open loop has it: --rate" },
	{ "--max-in-flight 3 " U, "--max-in-flight", "only an open loop has it: --rate" },
	{ "-r 3 --think 1s " U, "--think", "only a closed loop has users that think: no --rate" },
	{ "-r 3 -c 1 --max-in-flight 1 " U, "--users",
		"with --rate it is the same as --max-in-flight" },
	{ "-r 3 -s 1 --arrival poisson " U, "--ramp",
		"arrivals that ramp are constant, not poisson" },
	{ "-r 3 --arrival random " U, "--arrival",
		"expected constant or poisson, found \"random\"" },
	{ "--accept br " U, "--accept", "expected none, gzip or both, found \"br\"" },
	{ "--accept gzip -H Accept-Encoding:_br " U, "--accept",
		"expected no Accept-Encoding beside it in --header" },
	{ "-X G/T " U, "--method", "expected a word such as PUT" },
	{ "--http2 " U, "--http2", "expected an https URL; --http2c goes without TLS" },
	{ "--http2c https://h/", "--http2c", "expected an http URL; --http2 goes over TLS" },
	{ "--http2 --http2c https://h/", "--http2c", "expected one of --http2 and --http2c" },
	{ "--streams 2 " U, "--streams", "only HTTP/2 has streams: --http2 or --http2c" },
	{ "--insecure " U, "--insecure", "expected an https URL" },
	{ "--key k https://h/", "--key", "expected --cert beside it" },
	{ "--resolve h:80 " U, "--resolve", "expected HOST:PORT:ADDRESS, found \"h:80\"" },
	{ "--body @- -", "", "expected standard input to be read once" },
	{ "- -", "", "expected standard input to be read once" },
	{ "--threshold bytes.decoded<1kB " U, "--threshold", "bytes.decoded needs --decode" },
	{ "--body @/no/such/file " U, "/no/such/file",
		"cannot be opened: No such file or directory" },
	{ "--cert /no/such/file https://h/", "/no/such/file",
		"expected the client's certificate: No such file or directory" },
};

START_TEST(refused)
{
	struct options options;
	struct load_job job;
	struct err err = { 0 };
	ck_assert_msg(read_line(errors[_i].line, "", &options, &job, &err) != RC_OK, "%s",
		errors[_i].line);
	ck_assert_str_eq(err.where, errors[_i].where);
	ck_assert_str_eq(err.text, errors[_i].text);
	arena_free(options.arena);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("load_job");
	tcase_add_loop_test(tests, planned, 0, COUNT(plans));
	tcase_add_test(tests, both);
	tcase_add_test(tests, asked_by_header);
	tcase_add_test(tests, body_of_a_file);
	tcase_add_loop_test(tests, refused, 0, COUNT(errors));
	Suite *suite = suite_create("cli/load_job");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
