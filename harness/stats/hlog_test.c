#include "stats/hlog.h"

#include <check.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/rng.h"
#include "stats/base64.h"

/* Histograms that other implementations wrote. */
#define JAVA_LINE                                                                                  \
	"0.127,1.007,2.769,HISTFAAAAEV42pNpmSzMwMCgyAABTBDKT4GBgdnNYMcCBvsPEBEJISEuATEZMQ4uASkhIR" \
	"4nrxg9v2lMaxhvMekILGZkKmcCAEf2CsI="
#define JS_README "HISTFAAAAB542pNpmSzMwMDAxAABzFCaEUoz2X+AMIKZAEARAtM="
#define JS_OURS                                                                                    \
	"HISTFAAAAEN4nJNpmSzMwMAgzcDAwMjAwMDMAAbMLxgYmN0MdixggAJGJmamC/yPvZlmCjP9FWU6zMx0lpPpKCPT" \
	"2m+MbAAzhgwN"
#define JS_EMPTY "HISTFAAAACN4nJNpmSzMwMDACMXMDGDA/IKBgdnNYMcCBihgZAAAWYYECQ=="
#define V1                                                                                         \
	"HISTIgAAAFd42pNpmazIwMAYxgABTBDKT4GBgdnNYMcCBvsPUBkeBkYGZqA8MwMbAzsDC5DFBCTZgJCDQY1BjkGLQZRBlUEPCB8zWDCYMxgDZZkZhgJgHDibAY8JB/A="

enum { MAX_SEEN = 16 };

struct seen {
	size_t count;
	struct hist *hists[MAX_SEEN];
	struct hlog_interval intervals[MAX_SEEN];
	char tags[MAX_SEEN][HLOG_MAX_TAG_BYTES + 1];
	struct hist *all;
};

static void keep(void *to, const struct hlog_interval *interval)
{
	struct seen *seen = to;
	ck_assert_uint_lt(seen->count, MAX_SEEN);
	seen->intervals[seen->count] = *interval;
	memcpy(seen->tags[seen->count], interval->tag, strlen(interval->tag) + 1);
	seen->hists[seen->count] = hist_new();
	hist_add(seen->hists[seen->count++], interval->hist);
	hist_add(seen->all, interval->hist);
}

static void seen_release(struct seen *seen)
{
	for (size_t i = 0; i < seen->count; i++)
		hist_free(seen->hists[i]);
	hist_free(seen->all);
}

static enum rc parse(const char *text, struct seen *seen, struct err *err)
{
	*seen = (struct seen){ .all = hist_new() };
	return hlog_parse(slice_of(text), "x.hlog", keep, seen, err);
}

/*
 * Right values: hdr-histogram-js 3.0.1 for each text. Those of the line that HdrHistogram's Java version wrote (20 us to
 * 1 h, 2 digits) are right to half of its buckets of 16 us.
 */
static const struct {
	const char *why, *text;
	uint64_t count;
	double p50_ns, p90_ns, max_ns, mean_ns, within;
	bool exact;
} known[] = {
	{ "jHiccup's first line", JAVA_LINE, 741, 344063, 376831, 2768895, 301998.4669365722, 0.025,
		false },
	{ "the example of a manual", "0,1,0.000042," JS_README, 1, 42, 42, 42, 42, 0, false },
	{ "our layout, its top bucket above an hour", "0,1,3600000," JS_OURS, 1011, 2559, 2559,
		3600000000000, 10683531659.014837, 1e-4, true },
	{ "nothing", "0,1,0," JS_EMPTY, 0, 0, 0, 0, 0, 0, true },
};

START_TEST(reads_what_others_wrote)
{
	struct seen seen;
	struct err err = { 0 };
	double within = known[_i].within;
	ck_assert_msg(parse(known[_i].text, &seen, &err) == RC_OK, "%s", err.text);
	ck_assert_uint_eq(seen.count, 1);
	ck_assert_uint_eq(hist_count(seen.all), known[_i].count);
	const double found[] = { (double)hist_quantile(seen.all, 0.5),
		(double)hist_quantile(seen.all, 0.9), (double)hist_max(seen.all),
		hist_mean(seen.all) };
	const double want[] = { known[_i].p50_ns, known[_i].p90_ns, known[_i].max_ns,
		known[_i].mean_ns };
	for (size_t i = 0; i < 4; i++)
		ck_assert_msg(fabs(found[i] - want[i]) <= want[i] * within, "%s: number %zu: %f",
			known[_i].why, i, found[i]);
	ck_assert_int_eq(seen.intervals[0].exact, known[_i].exact);
	seen_release(&seen);
}
END_TEST

static const struct {
	const char *why, *head;
	double start_s;
} times[] = {
	{ "without a head, times are what they are", "", 0.127 },
	{ "a year before the start: from the start",
		"#[StartTime: 1441812279.474 (seconds since epoch), Wed Sep 09 08:24:39 PDT 2015]\n",
		1441812279.601 },
	{ "a base says it", "#[StartTime: 5 (seconds since epoch)]\n#[BaseTime: 100.5 (s)]\n",
		100.627 },
	{ "a start within a year: absolute", "#[StartTime: 1000 (seconds since epoch)]\n", 0.127 },
};

START_TEST(times_as_the_reference_reads_them)
{
	struct seen seen;
	struct err err = { 0 };
	char text[1024];
	snprintf(text, sizeof text,
		"%s\"StartTimestamp\",\"Interval_Length\"\r\n\r\nTag=A," JAVA_LINE " \r\n",
		times[_i].head);
	ck_assert_msg(parse(text, &seen, &err) == RC_OK, "%s", err.text);
	ck_assert_uint_eq(seen.count, 1);
	ck_assert_double_eq_tol(seen.intervals[0].start_s, times[_i].start_s, 1e-6);
	ck_assert_double_eq_tol(seen.intervals[0].length_s, 1.007, 1e-9);
	ck_assert_str_eq(seen.tags[0], "A");
	seen_release(&seen);
}
END_TEST

static void assert_same(const struct hist *a, const struct hist *b)
{
	struct hist_bucket left, right;
	size_t at_left = 0, at_right = 0;
	ck_assert_uint_eq(hist_count(a), hist_count(b));
	ck_assert_int_eq(hist_max(a), hist_max(b));
	while (hist_next(a, &at_left, &left)) {
		ck_assert(hist_next(b, &at_right, &right));
		ck_assert_int_eq(left.low_ns, right.low_ns);
		ck_assert_uint_eq(left.count, right.count);
	}
	ck_assert(!hist_next(b, &at_right, &right));
	for (int i = 1; i <= 1000; i++)
		ck_assert_int_eq(hist_quantile(a, i / 1000.0), hist_quantile(b, i / 1000.0));
}

static int64_t draw(struct rng *rng)
{
	return (int64_t)exp(rng_share(rng) * log((double)HIST_HIGHEST_NS));
}

START_TEST(what_was_written_is_read)
{
	struct hist *hists[3] = { hist_new(), hist_new(), hist_new() };
	struct seen seen = { .all = hist_new() };
	struct err err = { 0 };
	struct rng rng;
	char *text = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);
	rng_init(&rng, 51, "hlog");
	for (size_t i = 0; i < 20000; i++)
		hist_record(hists[0], draw(&rng));
	/* Counts of each length in bytes, and single zeros between. */
	for (int i = 0; i < 60; i++)
		hist_record_many(hists[1], INT64_C(1024) * i, UINT64_C(1) << i);
	hlog_begin(file, 1441812279.5, 0, "two\nlines\x01here\n");
	hlog_write(file, "response, of GET\t/", 0, 1, hists[0]);
	hlog_write(file, NULL, 1.5, 0.25, hists[1]);
	hlog_write(file, "", 2, 1, hists[2]);
	ck_assert_int_eq(fclose(file), 0);
	ck_assert_msg(hlog_parse(slice_from(text, size), "x", keep, &seen, &err) == RC_OK, "%s: %s",
		err.where, err.text);
	ck_assert_uint_eq(seen.count, 3);
	for (size_t i = 0; i < 3; i++) {
		assert_same(hists[i], seen.hists[i]);
		ck_assert(seen.intervals[i].exact);
		hist_free(hists[i]);
	}
	ck_assert_str_eq(seen.tags[0], "response__of_GET_/");
	ck_assert_str_eq(seen.tags[1], "");
	ck_assert_double_eq_tol(seen.intervals[1].start_s, 1441812281.0, 1e-6);
	ck_assert_double_eq_tol(seen.intervals[1].length_s, 0.25, 1e-9);
	ck_assert(slice_starts(slice_from(text, size),
		"#[Histogram log format version 1.3]\n# two\n# lines here\n#[StartTime: "));
	ck_assert(strstr(text,
		"\n#[StartTime: 1441812279.500 (seconds since epoch), 2015-09-09T15:24:39Z]\n"));
	seen_release(&seen);
	free(text);
}
END_TEST

static void write_file(const char *path, const struct hist *hist)
{
	FILE *file = fopen(path, "w");
	ck_assert(file != NULL);
	hlog_begin(file, 1e9, 1, NULL);
	hlog_write(file, "response", 0, 10, hist);
	ck_assert_int_eq(fclose(file), 0);
}

START_TEST(files_add_up_to_the_whole)
{
	char folder[] = "/tmp/hlog_test.XXXXXX", path[64];
	struct hist *all = hist_new(), *part[3];
	struct seen seen = { .all = hist_new() };
	struct err err = { 0 };
	struct rng rng;
	ck_assert(mkdtemp(folder) != NULL);
	rng_init(&rng, 52, "files");
	for (size_t i = 0; i < 3; i++)
		part[i] = hist_new();
	for (size_t i = 0; i < 60000; i++) {
		int64_t ns = draw(&rng);
		hist_record(all, ns);
		hist_record(part[rng_below(&rng, 3)], ns);
	}
	for (size_t i = 0; i < 3; i++) {
		snprintf(path, sizeof path, "%s/%zu.hlog", folder, i);
		write_file(path, part[i]);
		ck_assert_msg(hlog_read(path, keep, &seen, &err) == RC_OK, "%s", err.text);
		unlink(path);
		hist_free(part[i]);
	}
	assert_same(all, seen.all);
	ck_assert(hlog_read(path, keep, &seen, &err) == RC_ENVIRONMENT);
	rmdir(folder);
	hist_free(all);
	seen_release(&seen);
}
END_TEST

static const struct {
	const char *text, *error;
	enum rc rc;
} refused[] = {
	{ "nonsense", "found 1 fields", RC_INVALID },
	{ "1,2,3", "found 3 fields", RC_INVALID },
	{ "1,2,3," JS_README ",5", "found 5 fields", RC_INVALID },
	{ "x,2,3," JS_README, "a number for the start", RC_INVALID },
	{ "0x10,2,3," JS_README, "a number for the start", RC_INVALID },
	{ "nan,2,3," JS_README, "a number for the start", RC_INVALID },
	{ "1e999,2,3," JS_README, "a number for the start", RC_INVALID },
	{ "1,-2,3," JS_README, "a number for the length", RC_INVALID },
	{ "1,2,," JS_README, "a number for the maximum", RC_INVALID },
	{ "1,2,3,HISTF%", "as base64", RC_INVALID },
	{ "1,2,3,HIST", "HISTF...", RC_INVALID },
	{ "1,2,3," V1, "HISTF...", RC_INVALID },
	{ "1,2,3,HISTFAAAAAA=", "the head of a histogram", RC_INVALID },
	{ "1,2,3,HISTFAAAAAB4", "of 0 bytes, found 1", RC_INVALID },
	{ "1,2,3,HISTFP////8=", "bytes, found 0", RC_INVALID },
	{ "1,2,3,HISTEwAAAAA=", "HISTF...", RC_INVALID },
	{ "1,2,3,HISTFAAAAAQAAAAA", "the head of a histogram", RC_INVALID },
	{ "#[StartTime: soon]", "a number behind #[StartTime:", RC_INVALID },
	{ "#[BaseTime: inf (s)]", "a number behind #[BaseTime:", RC_INVALID },
	{ "Tag=a\x01,1,2,3," JS_README, "found byte 0x01", RC_INVALID },
};

START_TEST(refuses)
{
	struct seen seen;
	struct err err = { 0 };
	char text[1024];
	snprintf(text, sizeof text, "# first\n0,1,2," JS_README "\n%s\n", refused[_i].text);
	enum rc rc = parse(text, &seen, &err);
	ck_assert_msg(rc == refused[_i].rc && strstr(err.text, refused[_i].error), "%s: %s",
		refused[_i].text, err.text);
	ck_assert_str_eq(err.where, "x.hlog:3");
	ck_assert_uint_eq(seen.count, 1);
	seen_release(&seen);
}
END_TEST

/* Heads say how many lines follow; logs may stand one behind another. */
static const struct {
	const char *text, *where; /* NULL: whole */
	const char *why;
} cut[] = {
	{ "#[Histograms: 1]\n1,2,3," JS_README "\n", NULL, "whole" },
	{ "#[Histograms: 2]\n1,2,3," JS_README "\n", "x.hlog:2", "one is missing" },
	{ "#[Histograms: 1]\n", "x.hlog:1", "all are" },
	{ "#[Histograms: 1]\n#[Histograms: 1]\n1,2,3," JS_README "\n", "x.hlog:2",
		"those of the first" },
	{ "#[Histograms: 1]\n1,2,3," JS_README "\n#[Histograms: 1]\n1,2,3," JS_README "\n", NULL,
		"two" },
	{ "1,2,3," JS_README "\n", NULL, "other writers do not say" },
};

START_TEST(notices_what_is_missing)
{
	struct seen seen;
	struct err err = { 0 };
	enum rc rc = parse(cut[_i].text, &seen, &err);
	ck_assert_msg(rc == (cut[_i].where ? RC_INVALID : RC_OK), "%s: %s", cut[_i].why, err.text);
	ck_assert_str_eq(err.where, cut[_i].where ? cut[_i].where : "");
	ck_assert(!cut[_i].where || strstr(err.text, "the log was cut"));
	seen_release(&seen);
}
END_TEST

/* What stands deflated in a line, by fields, so that each can be wrong on its own. */
struct plain {
	uint32_t cookie, length, digits;
	uint64_t lowest, highest;
	struct slice counts;
	size_t surplus; /* bytes behind the counts */
};

static void put(struct buf *to, uint64_t value, size_t bytes)
{
	while (bytes--) {
		uint8_t byte = (uint8_t)(value >> 8 * bytes);
		ck_assert(buf_append(to, slice_from(&byte, 1)) == RC_OK);
	}
}

static void write_line(struct buf *line, const struct plain *plain)
{
	struct buf head, outer;
	uint8_t deflated[8192];
	uLongf size = sizeof deflated;
	buf_init(&head, 8192);
	buf_init(&outer, 8192);
	put(&head, plain->cookie, 4);
	put(&head, plain->length, 4);
	put(&head, 0, 4);
	put(&head, plain->digits, 4);
	put(&head, plain->lowest, 8);
	put(&head, plain->highest, 8);
	put(&head, 0, 8);
	ck_assert(buf_append(&head, plain->counts) == RC_OK);
	put(&head, 0, plain->surplus);
	ck_assert_int_eq(compress(deflated, &size, head.data, head.len), Z_OK);
	put(&outer, 0x1c849314, 4);
	put(&outer, size, 4);
	ck_assert(buf_append(&outer, slice_from(deflated, size)) == RC_OK);
	ck_assert(buf_text(line, "0,1,2,") == RC_OK);
	ck_assert(base64_write(line, buf_slice(&outer)) == RC_OK);
	buf_release(&head);
	buf_release(&outer);
}

#define COUNTS(text)                                                                               \
	(sizeof(text) - 1), 3, 1000, 3600000000000,                                                \
	{                                                                                          \
		(const uint8_t *)(text), sizeof(text) - 1                                          \
	}
#define HALF_OF_ALL "\xfe\xff\xff\xff\xff\xff\xff\xff\x7f"

/* Of a word, the ninth byte has 8 bits: 2^62 - 1 and more needs it. */
static const struct {
	const char *why;
	struct plain plain;
	const char *error; /* NULL: it is read */
	enum rc rc;
} plains[] = {
	{ "one value", { 0x1c849313, COUNTS("\x02"), 0 }, NULL, RC_OK },
	{ "no count at all", { 0x1c849313, COUNTS(""), 0 }, NULL, RC_OK },
	{ "all buckets but one empty", { 0x1c849313, COUNTS("\xfd\xff\x02\x02"), 0 }, NULL, RC_OK },
	{ "a wrong cookie", { 0x1c849301, COUNTS("\x02"), 0 }, "found 0x1c849301", RC_INVALID },
	{ "a count without end", { 0x1c849313, COUNTS("\x82"), 0 }, "a whole count", RC_INVALID },
	{ "nine bytes of which eight are there",
		{ 0x1c849313, COUNTS("\xff\xff\xff\xff\xff\xff\xff\xff"), 0 }, "a whole count",
		RC_INVALID },
	{ "more zeros than buckets", { 0x1c849313, COUNTS("\xff\xff\xff\x7f"), 0 },
		"at most 24576 counts", RC_INVALID },
	{ "as many zeros as there are numbers",
		{ 0x1c849313, COUNTS("\xff\xff\xff\xff\xff\xff\xff\xff\xff"), 0 },
		"at most 24576 counts", RC_INVALID },
	{ "half of what can be counted", { 0x1c849313, COUNTS(HALF_OF_ALL), 0 }, NULL, RC_OK },
	{ "three halves of it", { 0x1c849313, COUNTS(HALF_OF_ALL HALF_OF_ALL HALF_OF_ALL), 0 },
		"below 2^63", RC_INVALID },
	{ "bytes behind the counts", { 0x1c849313, COUNTS("\x02"), 1 }, "1 bytes of counts",
		RC_INVALID },
	{ "fewer bytes than it says",
		{ 0x1c849313, 7, 3, 1000, 3600000000000, { (const uint8_t *)"\x02", 1 }, 0 },
		"7 bytes of counts", RC_INVALID },
	{ "as many bytes as can be said",
		{ 0x1c849313, UINT32_MAX, 3, 1000, 3600000000000, { (const uint8_t *)"\x02", 1 },
			0 },
		"at most 4194304 bytes", RC_LIMIT },
	{ "six digits",
		{ 0x1c849313, 1, 6, 1000, 3600000000000, { (const uint8_t *)"\x02", 1 }, 0 },
		"at most 5 significant digits", RC_INVALID },
	{ "a lowest value of 0",
		{ 0x1c849313, 1, 3, 0, 3600000000000, { (const uint8_t *)"\x02", 1 }, 0 },
		"found 0 to", RC_INVALID },
	{ "a highest below the lowest",
		{ 0x1c849313, 1, 3, 1000, 1000, { (const uint8_t *)"\x02", 1 }, 0 },
		"found 1000 to 1000", RC_INVALID },
	{ "a highest that is negative",
		{ 0x1c849313, 1, 3, 1000, UINT64_MAX, { (const uint8_t *)"\x02", 1 }, 0 },
		"to 18446744073709551615", RC_INVALID },
	{ "units that leave no room for digits",
		{ 0x1c849313, 1, 5, UINT64_C(1) << 61, INT64_MAX, { (const uint8_t *)"\x02", 1 },
			0 },
		"with 5 digits", RC_INVALID },
	{ "a value beyond 2^62",
		{ 0x1c849313, 3, 0, 1, INT64_MAX, { (const uint8_t *)"\x7d\x02", 2 }, 1 },
		"below 2^62", RC_INVALID },
	{ "five digits, above an hour",
		{ 0x1c849313, 4, 5, 1, INT64_MAX, { (const uint8_t *)"\xff\x89\x7a\x02", 4 }, 0 },
		NULL, RC_OK },
};

START_TEST(hostile_counts)
{
	struct seen seen;
	struct err err = { 0 };
	struct buf line;
	buf_init(&line, 16384);
	write_line(&line, &plains[_i].plain);
	enum rc rc = parse((const char *)line.data, &seen, &err);
	ck_assert_msg(rc == plains[_i].rc, "%s: %d %s", plains[_i].why, (int)rc, err.text);
	ck_assert_msg(rc == RC_OK || strstr(err.text, plains[_i].error), "%s: %s", plains[_i].why,
		err.text);
	ck_assert_uint_eq(seen.count, rc == RC_OK);
	if (rc == RC_OK)
		ck_assert_int_le(hist_quantile(seen.all, 0.5), hist_max(seen.all));
	buf_release(&line);
	seen_release(&seen);
}
END_TEST

START_TEST(caps)
{
	struct seen seen = { .all = hist_new() };
	struct err err = { 0 };
	struct buf line;
	buf_init(&line, (size_t)4 * HLOG_MAX_LINE_BYTES);
	ck_assert(buf_text(&line, "0,1,2,") == RC_OK);
	while (line.len <= HLOG_MAX_LINE_BYTES)
		ck_assert(buf_text(&line, "AAAAAAAAAAAAAAAA") == RC_OK);
	ck_assert(hlog_parse(buf_slice(&line), "x", keep, &seen, &err) == RC_LIMIT);
	buf_clear(&line);
	ck_assert(buf_text(&line, "Tag=") == RC_OK);
	while (line.len <= HLOG_MAX_TAG_BYTES + 4)
		ck_assert(buf_text(&line, "t") == RC_OK);
	ck_assert(buf_text(&line, ",0,1,2," JS_README) == RC_OK);
	ck_assert(hlog_parse(buf_slice(&line), "x", keep, &seen, &err) == RC_LIMIT);
	ck_assert_uint_eq(seen.count, 0);
	buf_release(&line);
	seen_release(&seen);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("hlog");
	tcase_add_loop_test(tests, reads_what_others_wrote, 0, sizeof known / sizeof *known);
	tcase_add_loop_test(
		tests, times_as_the_reference_reads_them, 0, sizeof times / sizeof *times);
	tcase_add_test(tests, what_was_written_is_read);
	tcase_add_test(tests, files_add_up_to_the_whole);
	tcase_add_loop_test(tests, notices_what_is_missing, 0, (int)(sizeof cut / sizeof *cut));
	tcase_add_loop_test(tests, refuses, 0, sizeof refused / sizeof *refused);
	tcase_add_loop_test(tests, hostile_counts, 0, sizeof plains / sizeof *plains);
	tcase_add_test(tests, caps);
	Suite *suite = suite_create("stats/hlog");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
