#include "drive/driven.h"

#include "case/frames.h"
#include "drive/drive_testing.h"
#include "drive/suts.h"

/* Of the only step: its text, and what became of it: RC_OK with the plan, or why not. */
struct reading {
	void (*check)(
		const struct reading *r); /* while the step's scope is there, whose the texts are */
	int row;
	struct case_run c;
	struct running sut;
	struct driven driven;
	enum rc rc;
	struct err err;
};

static enum rc visit(void *self, const struct walk_step *at)
{
	struct reading *r = self;
	r->rc = driven_read(&r->c, at, case_run_scope(&r->c, at), &r->driven, &r->err);
	r->check(r);
	return RC_CLOSED;
}

static void read_step(const char *step, int row, void (*check)(const struct reading *r))
{
	struct bench b;
	struct reading r;
	bench_open(&b, NULL, 0);
	struct case_file *one = bench_load(&b,
		arena_print(b.arena,
			"{\"title\": \"t\", \"steps\": [{%s, \"expect\": {\"errors\": \"== 0\"}}]}",
			step),
		"driven");
	const struct walker walker = { .self = &r, .visit = visit };
	r = (struct reading){ .check = check,
		.row = row,
		.c = { .run = &b.run, .one = one, .arena = b.arena, .deadline_ns = CLOCK_NEVER } };
	r.c.root = (struct scope_root){
		.arena = b.arena, .lasting = b.arena, .rng = &r.c.rng, .unique = "u1"
	};
	rng_init(&r.c.rng, 42, "driven");
	struct scope *scope =
		scope_push(frames_outer(&r.c.root, b.run.suite, one, b.run.seed, false));
	r.sut.address = (struct client_options){ .scheme = "http", .host = "h", .port = 81 };
	r.sut.frame = scope;
	r.c.suts = &r.sut;
	r.c.sut_count = 1;
	ck_assert_int_eq(
		walk_steps(&walker, one->steps, one->step_count, scope, cell_text_none), RC_CLOSED);
	case_free(one);
	bench_close(&b);
}

#define LOAD "\"load\": \"/a\", \"for\": \"2s\""

static const struct {
	const char *step;
	enum load_model model;
	double rate_per_s;
	uint64_t users, most;
	int64_t warm_up_ns, tail_ns, think_ns, timeout_ns;
	size_t threads;
	const char *why;
} plans[] = {
	{ LOAD ", \"users\": 5", LOAD_CLOSED, 0, 5, 0, 200 * NS_PER_MS, 200 * NS_PER_MS, 0,
		10 * NS_PER_S, 1, "a tenth of it before and behind" },
	{ "\"load\": \"/a\", \"for\": \"20s\", \"users\": 5", LOAD_CLOSED, 0, 5, 0, 500 * NS_PER_MS,
		500 * NS_PER_MS, 0, 10 * NS_PER_S, 1, "at most half a second" },
	{ LOAD ", \"users\": 5, \"warm_up\": \"1s\", \"think\": \"30ms\", \"within\": \"3s\","
	       " \"threads\": 2",
		LOAD_CLOSED, 0, 5, 0, NS_PER_S, 200 * NS_PER_MS, 30 * NS_PER_MS, 3 * NS_PER_S, 2,
		"all that a closed loop takes" },
	{ LOAD ", \"rate\": \"50/s\"", LOAD_OPEN, 50, 0, 256, 200 * NS_PER_MS, 200 * NS_PER_MS, 0,
		10 * NS_PER_S, 1, "an open loop has 256 in flight at most" },
	{ LOAD ", \"rate\": \"1/s\", \"users\": 3", LOAD_OPEN, 1, 0, 3, 200 * NS_PER_MS,
		200 * NS_PER_MS, 0, 10 * NS_PER_S, 1, "or as many as it has users" },
};

static void check_plan(const struct reading *r)
{
	const struct load_plan *plan = &r->driven.plan;
	ck_assert_msg(r->rc == RC_OK, "%s: %s", plans[r->row].why, r->err.text);
	ck_assert_msg(plan->model == plans[r->row].model, "%s", plans[r->row].why);
	ck_assert_msg(plan->warm_up_ns == plans[r->row].warm_up_ns, "%s", plans[r->row].why);
	ck_assert_msg(plan->tail_ns == plans[r->row].tail_ns, "%s", plans[r->row].why);
	ck_assert_msg(plan->timeout_ns == plans[r->row].timeout_ns, "%s", plans[r->row].why);
	ck_assert_int_eq(plan->drain_ns, plan->timeout_ns);
	ck_assert_uint_eq(plan->threads, plans[r->row].threads);
	ck_assert_uint_eq(plan->users.users, plans[r->row].users);
	ck_assert_int_eq(plan->users.think_ns, plans[r->row].think_ns);
	ck_assert_uint_eq(plan->max_in_flight, plans[r->row].most);
	ck_assert(plan->arrival.rate_per_s == plans[r->row].rate_per_s);
	ck_assert_str_eq(plan->address.host, "h");
	ck_assert_uint_eq(plan->request_count, 1);
	ck_assert_str_eq(plan->requests[0].method, "GET");
	ck_assert_str_eq(plan->requests[0].target, "/a");
	ck_assert(plan->requests[0].expected_status == 2 && plan->requests[0].weight == 1);
	ck_assert_str_eq(r->driven.label, "load of GET /a");
}

START_TEST(a_plan)
{
	read_step(plans[_i].step, _i, check_plan);
}
END_TEST

static void check_mix(const struct reading *r)
{
	const struct load_request *requests = r->driven.plan.requests;
	ck_assert_msg(r->rc == RC_OK, "%s", r->err.text);
	ck_assert_uint_eq(r->driven.plan.request_count, 2);
	ck_assert(requests[0].weight == 3 && requests[1].weight == 2);
	ck_assert(requests[0].expected_status == 304 && requests[1].expected_status == 4);
	ck_assert_ptr_null(requests[0].expected_coding);
	ck_assert_str_eq(requests[1].expected_coding, "identity");
	ck_assert_str_eq(requests[1].method, "POST");
	ck_assert_uint_eq(requests[1].body.len, 2);
	ck_assert_str_eq(r->driven.label, "load of 2 requests");
	/* The ramp is before the warm-up, and measured in neither. */
	ck_assert(r->driven.plan.users.kind == USERS_RAMP);
	ck_assert_int_eq(r->driven.plan.users.ramp_ns, NS_PER_S);
	ck_assert_int_eq(r->driven.plan.warm_up_ns, 1200 * NS_PER_MS);
}

START_TEST(a_mix)
{
	read_step(
		"\"load\": [{\"request\": {\"get\": \"/a\", \"expect\": {\"status\": 304}}, \"weight\": 3},"
		" {\"request\": {\"post\": \"/b\", \"json\": {}, \"expect\": {\"status\": \"4xx\", \"coding\": \"none\"}}, \"weight\": 2}],"
		" \"for\": \"2s\", \"users\": 1, \"ramp\": \"1s\"",
		0, check_mix);
}
END_TEST

static const struct {
	const char *step, *text, *why;
} refusals[] = {
	{ LOAD ", \"users\": 1, \"threads\": 257", "threads: expected 1 to 256", "too many" },
	{ LOAD ", \"rate\": \"5/s\", \"threads\": 100000", "threads: expected 1 to 256",
		"of an open loop as well" },
};

static void check_refusal(const struct reading *r)
{
	ck_assert_msg(r->rc == RC_USAGE, "%s: %d", refusals[r->row].why, r->rc);
	ck_assert_msg(strstr(r->err.text, refusals[r->row].text) != NULL, "%s: %s",
		refusals[r->row].why, r->err.text);
}

START_TEST(a_refusal)
{
	read_step(refusals[_i].step, _i, check_refusal);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("driven");
	tcase_set_timeout(tests, 60);
	tcase_add_loop_test(tests, a_plan, 0, COUNT(plans));
	tcase_add_test(tests, a_mix);
	tcase_add_loop_test(tests, a_refusal, 0, COUNT(refusals));
	Suite *suite = suite_create("drive/driven");
	suite_add_tcase(suite, tests);
	return run_tests(suite);
}
