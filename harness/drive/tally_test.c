#include "drive/drive_testing.h"
#include "drive/tally.h"

#define CASE                                                                                       \
	"{ \"title\": \"t\",\n \"steps\": [\"/\",\n  { \"get\": \"/\", \"expect\": [{},\n"         \
	"   { \"headers\": { \"A/B\": \"1\", \"${seed}\": \"2\" } }] }] }"

struct setting {
	struct bench bench;
	struct case_file *one;
	struct scope_root root;
	struct tally tally;
};

static void open_setting(struct setting *w)
{
	*w = (struct setting){ 0 };
	bench_open(&w->bench, NULL, 0);
	w->one = bench_load(&w->bench, CASE, "x");
	w->root = (struct scope_root){ .arena = w->bench.arena, .lasting = w->bench.arena };
	w->tally = (struct tally){ .arena = w->bench.arena, .one = w->one, .root = &w->root };
}

static void close_setting(struct setting *w)
{
	case_free(w->one);
	bench_close(&w->bench);
}

static const struct finding FINDING = { .request = "GET /hush",
	.details = "",
	.what = "status",
	.expected = "hush",
	.found = "not hush",
	.cell = "a=hush",
	.exchange = "/tmp/x",
	.again = "onus run hush" };

/* Counted by hand in CASE. */
static const struct {
	const char *pointer;
	int line, col;
	const char *why;
} places[] = {
	{ "/steps/0", 2, 12, "a step" },
	{ "/steps/1/within", 3, 3, "what is not in the file stands at what is" },
	{ "/steps/1/expect/1/headers/A~1B", 4, 26, "an escaped segment" },
	{ "/steps/1/expect/1/headers/0x2a", 4, 17, "a key that a variable has brought" },
	{ "/steps/1/expect/0/status", 3, 28, "in a list" },
	{ "/sut", 1, 1, "the case" },
	{ "", 1, 1, "all of it" },
};

START_TEST(placed)
{
	struct setting w;
	open_setting(&w);
	tally_finding(&w.tally, places[_i].pointer, &FINDING);
	const struct place *place = &w.tally.findings[0].place;
	ck_assert_str_eq(place->pointer, places[_i].pointer);
	ck_assert_msg(place->line == places[_i].line && place->col == places[_i].col, "%s: %d:%d",
		places[_i].why, place->line, place->col);
	close_setting(&w);
}
END_TEST

START_TEST(masked)
{
	struct setting w;
	open_setting(&w);
	scope_add_secret(&w.root, "hush");
	tally_finding(&w.tally, "/steps/0", &FINDING);
	const struct finding *f = &w.tally.findings[0];
	ck_assert_str_eq(f->request, "GET /****");
	ck_assert_str_eq(f->details, "");
	ck_assert_str_eq(f->expected, "****");
	ck_assert_str_eq(f->found, "not ****");
	ck_assert_str_eq(f->cell, "a=****");
	ck_assert_str_eq(f->again, "onus run ****");
	ck_assert_str_eq(f->exchange, "/tmp/x");
	tally_problem(&w.tally, PROBLEM_USAGE, (struct place){ 0 }, "no %s", "hush");
	ck_assert_str_eq(w.tally.problems[0].text, "no ****");
	struct chart *chart = chart_new(w.tally.arena, "load of GET /hush", "what hush took");
	tally_chart(&w.tally, "/steps/0", "a=hush", chart);
	ck_assert_str_eq(w.tally.charts[0].title, "load of GET /****");
	ck_assert_str_eq(w.tally.charts[0].description, "what **** took");
	ck_assert_str_eq(w.tally.charts[0].cell, "a=****");
	ck_assert_ptr_null(tally_mask(&w.tally, NULL));
	close_setting(&w);
}
END_TEST

/* A try that is rolled back leaves nothing; those before it stay, however often the lists have grown. */
START_TEST(rolled_back)
{
	struct setting w;
	open_setting(&w);
	for (int i = 0; i < 5; i++)
		tally_finding(&w.tally, "/steps/0", &FINDING);
	w.tally.checks = 7;
	struct tally_mark mark = tally_mark(&w.tally);
	ck_assert(!tally_changed(&w.tally, &mark));
	for (int try = 0; try < 3; try++) {
		w.tally.checks += 2;
		w.tally.cells++;
		w.tally.requests++;
		tally_chart(&w.tally, "/steps/1", "", chart_new(w.tally.arena, "t", "d"));
		for (int i = 0; i < 50; i++)
			tally_finding(&w.tally, "/steps/1", &FINDING);
		ck_assert(tally_changed(&w.tally, &mark));
		ck_assert(!tally_hopeless(&w.tally, &mark));
		tally_problem(&w.tally, PROBLEM_ENVIRONMENT, (struct place){ 0 }, "x");
		ck_assert(!tally_hopeless(&w.tally, &mark));
		tally_problem(&w.tally, PROBLEM_USAGE, (struct place){ 0 }, "x");
		ck_assert(tally_hopeless(&w.tally, &mark));
		tally_back(&w.tally, &mark);
		ck_assert(!tally_changed(&w.tally, &mark) && !tally_hopeless(&w.tally, &mark));
	}
	ck_assert_uint_eq(w.tally.finding_count, 5);
	ck_assert_uint_eq(w.tally.problem_count, 0);
	ck_assert_uint_eq(w.tally.checks, 7);
	ck_assert_uint_eq(w.tally.cells, 0);
	ck_assert_uint_eq(w.tally.requests, 0);
	ck_assert_uint_eq(w.tally.chart_count, 0);
	for (int i = 0; i < 5; i++)
		ck_assert_str_eq(w.tally.findings[i].place.pointer, "/steps/0");
	close_setting(&w);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("tally");
	tcase_add_loop_test(tests, placed, 0, COUNT(places));
	tcase_add_test(tests, masked);
	tcase_add_test(tests, rolled_back);
	Suite *suite = suite_create("drive/tally");
	suite_add_tcase(suite, tests);
	return run_tests(suite);
}
