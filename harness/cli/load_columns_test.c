#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "cli/load_columns.h"

#define COUNT(table) (int)(sizeof(table) / sizeof *(table))

static const struct {
	double value;
	const char *text;
} numbers[] = { { 0, "0" }, { 7, "7" }, { 9999, "9999" }, { 9999.6, "10.0k" }, { 12345, "12.3k" },
	{ 99949, "99.9k" }, { 99951, "100k" }, { 999400, "999k" }, { 999600, "1.00M" },
	{ 1234567, "1.23M" }, { 5e9, "5.00G" }, { 1e14, "100T" }, { 1e18, "1.00E" } };

START_TEST(short_numbers)
{
	char text[16];
	load_columns_short(numbers[_i].value, text, sizeof text);
	ck_assert_str_eq(text, numbers[_i].text);
	ck_assert_uint_le(strlen(text), 5);
}
END_TEST

static const struct {
	int64_t ns;
	const char *text;
} times[] = { { 0, "-" }, { 1, "0.00us" }, { 52360, "52.4us" }, { 999400, "999us" },
	{ 999600, "1.00ms" }, { 36900000, "36.9ms" }, { 999600000, "1.00s" },
	{ 12300000000, "12.3s" } };

START_TEST(short_times)
{
	char text[16];
	load_columns_time(times[_i].ns, text, sizeof text);
	ck_assert_str_eq(text, times[_i].text);
	ck_assert_uint_le(strlen(text), 6);
}
END_TEST

static const struct load_second SECONDS[] = {
	{ .at_s = 0,
		.sent = 4353,
		.answered = 4350,
		.failed = 3,
		.wire_bytes = 1109461,
		.connections = 200,
		.connections_opened = 203,
		.in_flight = 3,
		.p50_ns = 180300,
		.p99_ns = 2000000,
		.first_byte_mean_ns = 180300 },
	{ .at_s = 1, .connections = 200, .in_flight = 200 },
	{ .at_s = 2,
		.answered = 1109461,
		.wire_bytes = 230767888,
		.connections = 200,
		.p50_ns = 52360,
		.p99_ns = 52360,
		.first_byte_mean_ns = 52360 },
};

static void print_all(FILE *out)
{
	struct load_columns columns = { 0 };
	load_columns_head(out);
	for (size_t i = 0; i < 3; i++)
		load_columns_line(&columns, &SECONDS[i], out);
}

static char *printed(void (*print)(FILE *out))
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	print(out);
	fclose(out);
	return text;
}

START_TEST(lines)
{
	static const char expected[] =
		"#    time  conns tot_conn    tot_req      tot_bytes     err   cps   rps   bps   ttfb\n"
		"        1    200      203       4350        1109461       3   203  4350 8.88M  180us\n"
		"        2    200      203       4350        1109461       3     0     0     0      -\n"
		"        3    200      203    1113811      231877349       3     0 1.11M 1.85G 52.4us\n";
	char *text = printed(print_all);
	ck_assert_str_eq(text, expected);
	free(text);
}
END_TEST

static const struct {
	const struct load_second *second;
	int64_t length_ns;
	uint64_t wanted;
	int width;
	const char *text, *why;
} lives[] = {
	{ NULL, 4 * NS_PER_S, 0, 100,
		"[........................................]     4 s left      0/s  p50      -  p99      -  errors 0",
		"before the first second" },
	{ &SECONDS[0], 4 * NS_PER_S, 0, 100,
		"[##########..............................]     3 s left   4350/s  p50  180us  p99 2.00ms  errors 3",
		"a quarter" },
	{ &SECONDS[0], 2 * NS_PER_S, 0, 66,
		"    1 s left   4350/s  p50  180us  p99 2.00ms  errors 3", "no room for a bar" },
	{ &SECONDS[0], 2 * NS_PER_S, 0, 20, "    1 s left   4350", "hardly any room" },
	{ &SECONDS[0], CLOCK_NEVER, 8706, 100,
		"[####################....................]     1 s left   4350/s  p50  180us  p99 2.00ms  errors 3",
		"half of what is counted" },
	{ &SECONDS[0], CLOCK_NEVER, 0, 100,
		"[........................................]            ?   4350/s  p50  180us  p99 2.00ms  errors 3",
		"no end is known" },
	{ &SECONDS[0], 3601 * NS_PER_S, 0, 100,
		"[........................................]  60 min left   4350/s  p50  180us  p99 2.00ms  errors 3",
		"long" },
	{ &SECONDS[2], 2 * NS_PER_S, 0, 100,
		"[########################################]     0 s left  1.11M/s  p50 52.4us  p99 52.4us  errors 0",
		"in the drain" },
};

START_TEST(live)
{
	struct load_columns columns = { 0 };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	if (lives[_i].second)
		load_columns_line(&columns, lives[_i].second, NULL);
	load_columns_live(&columns, lives[_i].second, lives[_i].length_ns, lives[_i].wanted,
		lives[_i].width, out);
	fclose(out);
	ck_assert_msg(strcmp(text, lives[_i].text) == 0, "%s:\n%s\n%s", lives[_i].why, text,
		lives[_i].text);
	ck_assert_int_lt((int)strlen(text), lives[_i].width);
	free(text);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("load_columns");
	tcase_add_loop_test(tests, short_numbers, 0, COUNT(numbers));
	tcase_add_loop_test(tests, short_times, 0, COUNT(times));
	tcase_add_test(tests, lines);
	tcase_add_loop_test(tests, live, 0, COUNT(lives));
	Suite *suite = suite_create("cli/load_columns");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
