#include "case/case_testing.h"

#define SUITE                                                                                      \
	"{ \"sut\": { \"command\": [\"x\"], \"ready\": { \"get\": \"/\" } }, \"profiles\": {\n"    \
	" \"h2\": { \"command\": [\"f\"], \"protocol\": \"h2\", \"tls\": {} },\n"                  \
	" \"h2c\": { \"command\": [\"f\"], \"protocol\": \"h2c\" } } }"
#define T   "{ \"title\": \"t\",\n"
#define RAW "`raw` sends bytes of HTTP/1.1, and HTTP/2 is spoken here"
#define CLOSED                                                                                     \
	"`connection: closed` is of HTTP/1.1: in HTTP/2 a stream ends, and its connection is kept"
#define TLS_FIRST "h2 goes over TLS: expected `tls` beside it, or h2c"

static const struct {
	const char *text, *errors, *why;
} cases[] = {
	{ T " \"steps\": [{ \"raw\": [\"x\"] }, { \"get\": \"/\", \"expect\": { \"connection\": \"closed\" } }] }",
		"", "HTTP/1.1 has both" },
	{ T " \"sut\": { \"profile\": \"h2\" }, \"steps\": [{ \"raw\": [\"x\"] }] }",
		"2:40: /steps/0: " RAW, "not HTTP/2 over TLS" },
	{ T " \"sut\": { \"profile\": \"h2c\" },\n \"steps\": [{ \"group\": [{ \"raw\": [\"x\"] }] }] }",
		"3:24: /steps/0/group/0: " RAW, "nor without, however deep" },
	{ T " \"sut\": { \"profile\": \"h2c\" },\n \"steps\": [{ \"get\": \"/\", \"expect\": [{ \"status\": 200 }, { \"connection\": \"closed\" }] },\n"
	    " { \"get\": \"/\", \"expect\": { \"connection\": \"reused\" } }] }",
		"3:12: /steps/0: " CLOSED, "in any group; reused is of both" },
	{ T " \"suts\": { \"a\": { \"profile\": \"h2\" }, \"b\": { \"profile\": \"h2c\", \"protocol\": \"http/1.1\" } },\n"
	    " \"steps\": [{ \"raw\": [\"x\"], \"to\": \"a\" }, { \"raw\": [\"x\"], \"to\": \"b\" }] }",
		"3:12: /steps/0: " RAW,
		"each by the SUT it speaks to; what the case says goes first" },
	{ T " \"sut\": { \"protocol\": \"h2\" }, \"steps\": [\"/\"] }", "2:9: /sut: " TLS_FIRST,
		"no TLS" },
	{ T " \"sut\": { \"profile\": \"h2\", \"protocol\": \"h2c\" }, \"steps\": [\"/\"] }",
		"2:9: /sut: h2c goes without TLS: expected no `tls` beside it, or h2",
		"TLS of the profile" },
	{ T " \"sut\": { \"tls\": { \"key\": \"k\" } }, \"steps\": [\"/\"] }",
		"2:9: /sut: tls: expected `cert` beside `key`", "a key of no certificate" },
	{ T " \"suts\": { \"a\": { \"tls\": {} } }, \"to\": \"a\", \"steps\": [\"/\"] }",
		"2:17: /suts/a: `ready.get` is asked by HTTP/1.1 without TLS: leave it out, or expected output or notify",
		"ready as the suite's SUT is" },
	{ T " \"sut\": { \"protocol\": \"http2\" }, \"steps\": [\"/\"] }",
		"2:23: /sut/protocol: expected \"http/1.1\", \"h2\" or \"h2c\", found \"http2\" (one of http/1.1, h2, h2c)",
		"no such word" },
};

START_TEST(checked)
{
	struct world w;
	struct errors errors = { 0 };
	world_open(&w, false);
	(void)!world_load(&w, SUITE, cases[_i].text, &errors);
	const char *text = world_told(&w, &errors);
	ck_assert_msg(strcmp(text, cases[_i].errors) == 0, "%s:\n%s\nexpected\n%s", cases[_i].why,
		text, cases[_i].errors);
	errors_release(&errors);
	world_close(&w);
}
END_TEST

START_TEST(of_a_suite)
{
	struct world w;
	struct errors errors = { 0 };
	world_open(&w, false);
	(void)!world_load(&w, "{ \"sut\": { \"command\": [\"x\"], \"protocol\": \"h2\" } }",
		T " \"steps\": [\"/\"] }", &errors);
	ck_assert_str_eq(world_told(&w, &errors), "1:10: /sut: " TLS_FIRST);
	errors_release(&errors);
	world_close(&w);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("speaking");
	tcase_add_loop_test(tests, checked, 0, COUNT(cases));
	tcase_add_test(tests, of_a_suite);
	Suite *suite = suite_create("case/speaking");
	suite_add_tcase(suite, tests);
	return run_tests(suite);
}
