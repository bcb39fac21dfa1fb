#include "sut/proc.h"

#include <check.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"

#define COUNT(table) (int)(sizeof(table) / sizeof *(table))
/* Fields 5 to 13, and 15 to 22, as proc(5) counts them. */
#define MIDDLE " 10 10 0 -1 4194560 1 2 3 4"

static const struct {
	const char *text;
	bool valid;
	struct proc_stat stat;
	const char *why;
} stats[] = {
	{ "11 (gateway) S 7" MIDDLE " 100 50 20 5 20 0 3 0 4711 99 88", true,
		{ 7, 1500 * NS_PER_MS, 250 * NS_PER_MS, 3, 4711 }, "ticks of 10 ms" },
	{ "11 (a) b) R (c) R 7" MIDDLE " 1 0 0 0 20 0 1 0 4711", true,
		{ 7, 10 * NS_PER_MS, 0, 1, 4711 },
		"a name with brackets; nothing behind field 22" },
	{ "11 (x\ny) Z 7" MIDDLE " 1 0 0 0 20 0 1 0 4711", true, { 7, 10 * NS_PER_MS, 0, 1, 4711 },
		"a name with a line feed; a zombie" },
	{ "11 (x) S 7" MIDDLE " 1 0 0 0 20 0 1 0", false, { 0 }, "cut short" },
	{ "11 (x)", false, { 0 }, "cut behind the name" },
	{ "11 (x", false, { 0 }, "cut in the name" },
	{ "", false, { 0 }, "empty" },
};

START_TEST(stat_is_parsed)
{
	struct proc_stat stat = { 0 };
	ck_assert_msg(proc_parse_stat(stats[_i].text, 100, &stat) == stats[_i].valid, "%s",
		stats[_i].why);
	ck_assert_int_eq(stat.parent, stats[_i].stat.parent);
	ck_assert_int_eq(stat.own_ns, stats[_i].stat.own_ns);
	ck_assert_int_eq(stat.reaped_ns, stats[_i].stat.reaped_ns);
	ck_assert_int_eq(stat.threads, stats[_i].stat.threads);
	ck_assert_uint_eq(stat.started, stats[_i].stat.started);
}
END_TEST

static const struct {
	const char *text;
	bool valid;
	int64_t bytes;
	const char *why;
} sockets[] = {
	{ "sockets: used 290\nTCP: inuse 5 orphan 0 tw 12 alloc 7 mem 3\nUDP: inuse 1 mem 2\n"
	  "UDPLITE: inuse 0\nRAW: inuse 0\nFRAG: inuse 0 memory 0\n",
		true, 20480, "both" },
	{ "sockets: used 290\nTCP: inuse 5 orphan 0 tw 12 alloc 7 mem 3\n", true, 12288, "no UDP" },
	{ "sockets: used 290\nTCP: inuse 5\nUDP: inuse 1 mem 2\n", false, 0,
		"the next line's is another's" },
	{ "", false, 0, "empty" },
};

START_TEST(sockets_are_parsed)
{
	int64_t bytes = 0;
	ck_assert_msg(proc_parse_sockets(sockets[_i].text, 4096, &bytes) == sockets[_i].valid, "%s",
		sockets[_i].why);
	ck_assert_int_eq(bytes, sockets[_i].bytes);
}
END_TEST

START_TEST(this_process)
{
	struct proc_stat stat;
	int64_t descriptors, bytes, cpu_ns;
	int dir = proc_open((int)getpid());
	ck_assert_int_ge(dir, 0);
	ck_assert(proc_stat(dir, &stat));
	ck_assert_int_eq(stat.parent, (int)getppid());
	ck_assert_uint_eq(stat.started, proc_started((int)getpid()));
	ck_assert(proc_descriptors(dir, &descriptors));
	int more = dup(dir);
	int64_t then;
	ck_assert(proc_descriptors(dir, &then));
	ck_assert_int_eq(then, descriptors + 1);
	ck_assert(proc_resident(dir, &bytes));
	ck_assert_int_gt(bytes, 100000);
	ck_assert(proc_cpu((int)getpid(), &cpu_ns));
	close(more);
	close(dir);
	ck_assert_uint_eq(proc_started(INT32_MAX), 0);
	ck_assert_int_eq(proc_open(INT32_MAX), -1);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("proc");
	tcase_add_loop_test(tests, stat_is_parsed, 0, COUNT(stats));
	tcase_add_loop_test(tests, sockets_are_parsed, 0, COUNT(sockets));
	tcase_add_test(tests, this_process);
	Suite *suite = suite_create("sut/proc");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
