#include "cli/report_merge.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "stats/hlog.h"

/*
 * Three logs that hdr-histogram-js 3.0.1 wrote: 12 values of Lehmer's generator (48271, 2^31 - 1) from 1 for each line,
 * one line behind another. What it found of all 36 values of a tag in one histogram is below.
 */
static const char *const LOGS[] = {
	"Tag=response,0.000,1.000,2078.669552,"
	"HISTFAAAAE54nJNpmSzMwMCgysDAwMjAwMDMAAbMLxgYmN0MdixggALG3YxMi6cwMk1kZFopyHSYg+kiB9Nf"
	"NqbtjExLGZkOszDdZWHaysQEALbnDek=\n"
	"Tag=service,0.000,1.000,2136.928305,"
	"HISTFAAAAEp4nJNpmSzMwMCgxMDAwMjAwMDMAAbMLxgYmN0MdixggALG/5sYmeZzMHWyMs1nYlJl+s7ItJKJ"
	"6SIT00QmpmimfiamQiYAihsMVQ==\n",
	"Tag=response,1.000,1.000,2064.877139,"
	"HISTFAAAAEl4nJNpmSzMwMCgyMDAwMjAwMDMAAbMLxgYmN0MdixggALGzqWMTLd5mYqZjrIyzWZk+srK9JiD"
	"aSoT03pGJmGmUqZUJgB//QxK\n"
	"Tag=service,1.000,1.000,1814.468368,"
	"HISTFAAAAEt4nJNpmSzMwMCgzMDAwMjAwMDMAAbMLxgYmN0MdixggALG1ZMYmc6yMh0XYOoWZnrJzPSRkekw"
	"I5MkkzrTYSamy0xMS5mYAJu4DOs=\n",
	"Tag=response,2.000,1.000,2130.960268,"
	"HISTFAAAAE54nJNpmSzMwMCgysDAwMjAwMDMAAbMLxgYmN0MdixggALGvVMZmW4KMm1kZdrNzjSfjekmI9N2"
	"NqapjExfmZmWMjJ1szBdZmICAL05Dc4=\n"
	"Tag=service,2.000,1.000,1500.064166,"
	"HISTFAAAAEt4nJNpmSzMwMCgzMDAwMjAwMDMAAbMLxgYmN0MdixggALG7mZGpo0CTL95mHazMK1mZOrkZ3rJ"
	"xpTPFMs0k4lpORPTe2YmAJdLDQ4=\n",
};
enum { LOG_COUNT = 3 };

static const struct {
	const char *tag;
	uint64_t count;
	int64_t p50_ns, p90_ns, p99_ns, max_ns;
} all[] = {
	{ "response", 36, 1106247679, 2011168767, 2131755007, 2130960268 },
	{ "service", 36, 1098907647, 1883242495, 2136997887, 2136928305 },
};

struct files {
	char folder[64];
	char paths[LOG_COUNT + 1][96];
	const char *list[LOG_COUNT + 1];
};

static void write_text(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	ck_assert_int_eq(fclose(file), 0);
}

static void files_make(struct files *f)
{
	snprintf(f->folder, sizeof f->folder, "/tmp/onus-merge-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(f->folder));
	for (size_t i = 0; i <= LOG_COUNT; i++) {
		snprintf(f->paths[i], sizeof f->paths[i], "%s/%zu.hlog", f->folder, i);
		f->list[i] = f->paths[i];
	}
	for (size_t i = 0; i < LOG_COUNT; i++)
		write_text(f->paths[i], LOGS[i]);
}

static void files_remove(const struct files *f)
{
	for (size_t i = 0; i <= LOG_COUNT; i++)
		unlink(f->paths[i]);
	rmdir(f->folder);
}

/* What is printed is another test's. */
static int merge(const struct files *f, size_t count, const char *out)
{
	struct options options = {
		.arena = arena_new(), .paths = { (const char **)f->list, count }, .load.hlog = out
	};
	FILE *kept = stdout;
	stdout = fopen("/dev/null", "w");
	ck_assert_ptr_nonnull(stdout);
	int code = report_merge(&options);
	fclose(stdout);
	stdout = kept;
	arena_free(options.arena);
	return code;
}

static void compare(void *to, const struct hlog_interval *interval)
{
	size_t at = (*(size_t *)to)++;
	ck_assert_uint_lt(at, sizeof all / sizeof *all);
	ck_assert_str_eq(interval->tag, all[at].tag);
	ck_assert_uint_eq(hist_count(interval->hist), all[at].count);
	ck_assert_int_eq(hist_quantile(interval->hist, 0.5), all[at].p50_ns);
	ck_assert_int_eq(hist_quantile(interval->hist, 0.9), all[at].p90_ns);
	/* Of 36 the last is above p99: its bucket ends above the maximum, which a percentile never is. */
	ck_assert_int_eq(hist_quantile(interval->hist, 0.99), all[at].max_ns);
	ck_assert_int_ge(all[at].p99_ns, all[at].max_ns);
	ck_assert_int_eq(hist_max(interval->hist), all[at].max_ns);
	ck_assert_double_eq_tol(interval->start_s, 0, 1e-6);
	ck_assert_double_eq_tol(interval->length_s, 3, 1e-6);
}

START_TEST(three_files_are_all_values)
{
	struct files f;
	struct err err = { 0 };
	size_t lines = 0;
	files_make(&f);
	ck_assert_int_eq(merge(&f, LOG_COUNT, f.paths[LOG_COUNT]), 0);
	enum rc rc = hlog_read(f.paths[LOG_COUNT], compare, &lines, &err);
	ck_assert_msg(rc == RC_OK, "%s: %s", err.where, err.text);
	ck_assert_uint_eq(lines, 2);
	files_remove(&f);
}
END_TEST

/* The text of the second file in the place of its own, cut behind so many bytes; 0: whole. */
static const struct {
	const char *text;
	size_t bytes;
	int code;
	const char *why;
} refused[] = {
	{ NULL, 0, 0, "as it is" },
	{ NULL, 60, 2, "cut in a histogram" },
	{ "", 0, 2, "empty" },
	{ "hello\n", 0, 2, "text" },
	{ "{\"cases\": []}\n", 0, 2, "another of our results" },
	{ "#[Histogram log format version 1.3]\n#[Histograms: 3]\n", 0, 2, "lines are missing" },
	{ "0.127,1.007,2.769,HISTFAAAAEV42pNpmSzMwMCgyAABTBDKT4GBgdnNYMcCBvsPEBEJISEuATEZMQ4uASkhIR4nrxg9v2lMaxhvMekILGZkKmcCAEf2CsI=\n",
		0, 2,
		"of 2 digits from 20 us on, by HdrHistogram's Java version: not without loss" },
};

START_TEST(others_are_refused)
{
	struct files f;
	files_make(&f);
	const char *text = refused[_i].text ? refused[_i].text : LOGS[1];
	char *copy = strndup(text, refused[_i].bytes ? refused[_i].bytes : strlen(text));
	write_text(f.paths[1], copy);
	ck_assert_msg(merge(&f, LOG_COUNT, NULL) == refused[_i].code, "%s", refused[_i].why);
	free(copy);
	files_remove(&f);
}
END_TEST

START_TEST(each_file_once)
{
	struct files f;
	files_make(&f);
	f.list[1] = f.paths[0];
	ck_assert_int_eq(merge(&f, LOG_COUNT, NULL), 2);
	f.list[1] = "/no/such/file.hlog";
	ck_assert_int_eq(merge(&f, LOG_COUNT, NULL), 3);
	ck_assert_int_eq(merge(&f, 1, "/no/such/folder/out.hlog"), 3);
	ck_assert_int_eq(merge(&f, 0, NULL), 2);
	files_remove(&f);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("report_merge");
	tcase_add_test(tests, three_files_are_all_values);
	tcase_add_loop_test(tests, others_are_refused, 0, sizeof refused / sizeof *refused);
	tcase_add_test(tests, each_file_once);
	Suite *suite = suite_create("cli/report_merge");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
