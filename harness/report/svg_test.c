#include "report/svg.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct bench {
	struct arena *arena;
	struct chart *chart;
};

static void open_bench(struct bench *b)
{
	b->arena = arena_new();
	b->chart = chart_new(b->arena, "A title", "What is to be seen.");
	b->chart->x = (struct chart_axis){ "time", UNIT_NS, CHART_LINEAR };
}

static struct chart_series *add_series(struct bench *b, enum chart_scale scale, const char *name)
{
	struct chart_panel *panel =
		chart_panel(b->chart, (struct chart_axis){ "an axis", UNIT_NS, scale });
	return chart_series(b->chart, panel, name);
}

static char *drawn(const struct bench *b, bool narrow)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	svg_draw(b->chart, &(struct svg_style){ .id = "c1", .narrow = narrow }, out);
	ck_assert_int_eq(fclose(out), 0);
	ck_assert_ptr_null(strstr(text, "nan"));
	ck_assert_ptr_null(strstr(text, "inf"));
	return text;
}

static size_t times(const char *text, const char *part)
{
	size_t count = 0;
	while ((text = strstr(text, part))) {
		text += strlen(part);
		count++;
	}
	return count;
}

/* What is drawn of points, by how often it has a word. */
static const struct {
	struct chart_point points[4];
	size_t count;
	enum chart_scale scale;
	const char *word;
	size_t times;
	const char *why;
} few[] = {
	{ { { 0, 0 } }, 0, CHART_LINEAR, "nothing was measured", 1, "no point" },
	{ { { 0, 0 } }, 0, CHART_LINEAR, "<path", 0, "no point has no line" },
	{ { { 0, 0 } }, 0, CHART_LINEAR, "an axis, s: nothing.", 1, "also in words" },
	{ { { 5, 7 } }, 1, CHART_LINEAR, "<circle", 1, "one point is a dot" },
	{ { { 5, 7 } }, 1, CHART_LINEAR, "h0\"/>", 1, "and a line without length" },
	{ { { 0, 0 }, { 0, 0 } }, 2, CHART_LINEAR, "<circle", 2, "all the same" },
	{ { { 1, (double)NAN } }, 1, CHART_LINEAR, "nothing was measured", 1, "an absent one" },
	{ { { 1, 1 }, { 2, (double)NAN }, { 3, 2 }, { 4, 2 } }, 4, CHART_LINEAR, "h0", 2,
		"a gap begins a line anew" },
	{ { { 1, 0 }, { 2, 10 }, { 3, 20 } }, 3, CHART_LOG, "<circle", 2, "0 has no logarithm" },
	{ { { 1, -1 }, { 2, 0 } }, 2, CHART_LOG, "nothing was measured", 1, "nothing above 0" },
	{ { { 1, 2e6 }, { 2, 9e6 } }, 2, CHART_LINEAR, "an axis, s: 2 ms to 9 ms.", 1, "in words" },
};

START_TEST(few_points)
{
	for (int narrow = 0; narrow < 2; narrow++) {
		struct bench b;
		open_bench(&b);
		struct chart_series *series = add_series(&b, few[_i].scale, "s");
		for (size_t i = 0; i < few[_i].count; i++)
			chart_point(b.chart, series, few[_i].points[i].x, few[_i].points[i].y);
		char *text = drawn(&b, narrow);
		ck_assert_msg(
			times(text, few[_i].word) == few[_i].times, "%s: %s", few[_i].why, text);
		free(text);
		arena_free(b.arena);
	}
}
END_TEST

/* As large as a picture, whatever the data; and the one peak of a million is on it. */
START_TEST(a_million_points)
{
	enum { MILLION = 1000 * 1000, LARGEST = 40 * 1000 };
	struct bench b;
	open_bench(&b);
	struct chart_series *series = add_series(&b, CHART_LINEAR, "s");
	for (int i = 0; i < MILLION; i++)
		chart_point(b.chart, series, i, i == 777777 ? 100 : i % 10);
	char *text = drawn(&b, false);
	ck_assert_uint_lt(strlen(text), LARGEST);
	/* The axis ends at 100, so that the peak is as high as the plot is. */
	char *path = strstr(text, "<path");
	char *top = strstr(text, "<line class=\"axis\"");
	ck_assert(path && top);
	double y2 = strtod(strstr(strstr(top + 1, "<line class=\"axis\""), "y2=\"") + 4, NULL);
	char peak[32];
	snprintf(peak, sizeof peak, " %.1fL", y2);
	ck_assert_msg(times(path, peak) == 1, "%s in %s", peak, path);
	free(text);
	arena_free(b.arena);
}
END_TEST

/* Texts from elsewhere are texts: in titles, names, marks; and no more of them than there is room for. */
START_TEST(hostile)
{
	static const char bad[] =
		"</title></svg><script>alert('x')</script>\"&\x01\x1b[31m\xff\xc3";
	struct bench b;
	open_bench(&b);
	b.chart->title = b.chart->description = b.chart->x.title = bad;
	for (int i = 0; i < 50; i++) {
		struct chart_panel *panel =
			chart_panel(b.chart, (struct chart_axis){ bad, UNIT_BYTES, CHART_LOG });
		for (int k = 0; k < 50; k++)
			chart_point(b.chart, chart_series(b.chart, panel, bad), k, 1 + k);
		chart_mark(b.chart, i, bad);
	}
	char *text = drawn(&b, true);
	ck_assert_ptr_null(strstr(text, "<script"));
	ck_assert_uint_eq(times(text, "</svg>"), 1);
	ck_assert_uint_eq(
		times(text, "class=\"line s"), (size_t)2 * SVG_PANELS_MOST * SVG_SERIES_MOST);
	ck_assert_uint_eq(
		times(text, "class=\"mark\""), (size_t)(SVG_PANELS_MOST + 1) * SVG_MARKS_MOST);
	for (const char *at = text; *at; at++)
		ck_assert((unsigned char)*at >= ' ' || *at == '\n');
	free(text);
	arena_free(b.arena);
}
END_TEST

/* All text that has a place is within the picture: estimated, as its letters are at most. */
START_TEST(inside)
{
	struct bench b;
	open_bench(&b);
	struct chart_series *series = add_series(&b, CHART_LINEAR, "a name");
	chart_point(b.chart, series, 0, 1e6);
	chart_point(b.chart, series, 4e9, 987e6);
	chart_mark(b.chart, 0,
		"at the beginning of it, with more words than there is room for, by far");
	chart_mark(b.chart, 4e9,
		"at the end of it, with more words than there is room for, again by far");
	char *text = drawn(&b, true), *at = text, *end;
	double width = strtod(strstr(text, "viewBox=\"0 0 ") + 13, &end),
	       height = strtod(end, NULL);
	size_t texts = 0;
	while ((at = strstr(at, "<text class=\""))) {
		char class[32];
		at += 13;
		snprintf(class, sizeof class, "%.*s", (int)strcspn(at, "\""), at);
		double x = strtod(strstr(at, "x=\"") + 3, NULL),
		       y = strtod(strstr(at, "y=\"") + 3, NULL);
		const char *content = strchr(at, '>') + 1;
		double wide = 6.0 * (double)strcspn(content, "<");
		bool ends = strstr(class, "end") || strstr(class, " y"),
		     middle = strstr(class, " x");
		double from = ends ? x - wide : middle ? x - wide / 2 : x;
		ck_assert_msg(from >= 0 && from + wide <= width && y > 8 && y <= height,
			"%.40s at %g, %g to %g of %g", content, y, from, from + wide, width);
		texts++;
	}
	ck_assert_uint_gt(texts, 8);
	free(text);
	arena_free(b.arena);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("svg");
	tcase_add_loop_test(tests, few_points, 0, sizeof few / sizeof *few);
	tcase_add_test(tests, a_million_points);
	tcase_add_test(tests, hostile);
	tcase_add_test(tests, inside);
	Suite *suite = suite_create("report/svg");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
