#include "report/axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Percentiles end at as many nines. */
enum { NINES_MOST = 10, ROUND_TICKS = 5 };

#define SECOND       1e9
#define LENGTH_LEAST 1e-9

void axis_init(struct axis *axis, const struct chart_axis *of, double from_px, double to_px)
{
	*axis = (struct axis){
		.scale = of->scale, .unit = of->unit, .from_px = from_px, .to_px = to_px
	};
}

/* What the scale makes of a value; false where it can't show it. */
static bool scaled(const struct axis *axis, double value, double *at)
{
	if (!chart_holds(value))
		return false;
	*at = value;
	if (axis->scale == CHART_LOG) {
		if (value <= 0)
			return false;
		*at = log10(value);
	} else if (axis->scale == CHART_PERCENT) {
		if (value < 0 || value >= 100)
			return false;
		*at = fmin(2 - log10(100 - value), NINES_MOST);
	}
	return true;
}

void axis_reach(struct axis *axis, double value)
{
	double at;
	if (!scaled(axis, value, &at))
		return;
	axis->low = axis->reached ? fmin(axis->low, at) : at;
	axis->high = axis->reached ? fmax(axis->high, at) : at;
	axis->reached = true;
}

/* 1, 2 or 5 times a power of ten: the least that is not below `least`. */
static double nice(double least)
{
	static const double digits[] = { 1, 2, 5 };
	double power = pow(10, floor(log10(least)));
	for (size_t i = 0; i < sizeof digits / sizeof *digits; i++)
		if (digits[i] * power >= least * (1 - 1e-9))
			return digits[i] * power;
	return 10 * power;
}

static double nice_time(double least)
{
	static const double seconds[] = { 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200,
		14400, 21600, 43200, 86400 };
	if (least <= 5 * SECOND)
		return nice(least);
	for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++)
		if (seconds[i] * SECOND >= least)
			return seconds[i] * SECOND;
	return nice(least / (86400 * SECOND)) * 86400 * SECOND;
}

static double step_of(const struct axis *axis, size_t most)
{
	double least = (axis->high - axis->low) / (double)(most - 1);
	if (axis->unit == UNIT_NS)
		return nice_time(least);
	return axis->unit == UNIT_COUNT ? fmax(1, nice(least)) : nice(least);
}

static void settle_linear(struct axis *axis, bool round)
{
	axis->low = fmin(axis->low, 0);
	axis->high = fmax(axis->high, 0);
	if (axis->high - axis->low < LENGTH_LEAST)
		axis->high = axis->low + (axis->unit == UNIT_NS ? SECOND : 1);
	if (!round)
		return;
	double step = step_of(axis, ROUND_TICKS);
	axis->low = floor(axis->low / step * (1 + 1e-12)) * step;
	axis->high = ceil(axis->high / step * (1 - 1e-12)) * step;
}

/* The logarithm of 1, 2, 5 times a power of ten that is next below or above. */
static double nice_below(double at)
{
	double power = floor(at + 1e-9), rest = at - power + 1e-9;
	return power + (rest >= log10(5) ? log10(5) : rest >= log10(2) ? log10(2) : 0);
}

static double nice_above(double at)
{
	double below = nice_below(at);
	if (at - below < 1e-9)
		return below;
	double rest = below - floor(below + 1e-9);
	return below + (rest > log10(2) - 1e-9 && rest < log10(5) - 1e-9 ? log10(2.5) : log10(2));
}

static void settle_log(struct axis *axis, bool round)
{
	if (round) {
		axis->low = nice_below(axis->low);
		axis->high = nice_above(axis->high);
	}
	if (axis->high - axis->low < LENGTH_LEAST)
		axis->high = axis->low + 1;
}

void axis_settle(struct axis *axis, bool round)
{
	switch (axis->scale) {
	case CHART_LINEAR: settle_linear(axis, round); break;
	case CHART_LOG: settle_log(axis, round); break;
	case CHART_PERCENT:
		axis->low = 0;
		axis->high = fmax(axis->high, 1);
		break;
	}
}

static double px_of(const struct axis *axis, double at)
{
	double share = (at - axis->low) / (axis->high - axis->low);
	return axis->from_px + fmin(fmax(share, 0), 1) * (axis->to_px - axis->from_px);
}

bool axis_place(const struct axis *axis, double value, double *px)
{
	double at;
	if (!scaled(axis, value, &at))
		return false;
	*px = px_of(axis, at);
	return true;
}

/* As many digits as it takes to tell it from 100. */
static void label_nines(double value, char *text, size_t size)
{
	snprintf(text, size, "%.*f", (int)ceil(-log10(100 - value)) + 1, value);
	size_t length = strlen(text);
	while (text[length - 1] == '0')
		length--;
	snprintf(text + length, size - length, "%%");
}

void axis_label(enum unit unit, double value, char *text, size_t size)
{
	if (value == 0)
		snprintf(text, size, "0");
	else if (unit == UNIT_PERCENT && value > 99 && value < 100)
		label_nines(value, text, size);
	else
		quantity_print((struct quantity){ unit, value }, text, size);
}

struct ticking {
	const struct axis *axis;
	struct axis_tick *ticks;
	size_t count;
};

static void add(struct ticking *t, double at, bool labelled, double value)
{
	const struct axis *axis = t->axis;
	double slack = (axis->high - axis->low) * 1e-6;
	if (t->count == AXIS_TICKS_MOST || at < axis->low - slack || at > axis->high + slack)
		return;
	struct axis_tick *tick = &t->ticks[t->count++];
	tick->px = px_of(axis, at);
	tick->label[0] = '\0';
	if (labelled)
		axis_label(axis->unit, value, tick->label, sizeof tick->label);
}

static void linear_ticks(struct ticking *t, size_t most)
{
	double step = step_of(t->axis, most), first = ceil(t->axis->low / step - 1e-9);
	for (size_t i = 0; i < most; i++) {
		/* Three times 0.2 is not 0.6, but three fifths are. */
		double nth = first + (double)i,
		       value = step < 1 ? nth / round(1 / step) : nth * step;
		add(t, value, true, value);
	}
}

/* Powers of ten, some left out where there are many; 2 and 5 times between, which have a label where there is room. */
static void log_ticks(struct ticking *t, size_t most)
{
	static const double digits[] = { 1, 2, 5 };
	double first = floor(t->axis->low + 1e-9), decades = t->axis->high - t->axis->low;
	bool all = 3 * decades <= (double)most + 1 + 1e-6;
	double apart = fmax(1, ceil((decades + 1) / (double)most));
	for (double power = first; power <= t->axis->high + 1e-9; power += apart)
		for (size_t i = 0; i < sizeof digits / sizeof *digits; i++)
			if (i == 0 || apart == 1)
				add(t, power + log10(digits[i]), i == 0 || all,
					digits[i] * pow(10, power));
}

static void percent_ticks(struct ticking *t, size_t most)
{
	double apart = fmax(1, ceil((t->axis->high + 1) / (double)(most - 1)));
	add(t, 0, true, 0);
	if (most > (size_t)t->axis->high + 2)
		add(t, log10(2), true, 50);
	for (double nines = 1; nines <= t->axis->high + 1e-6; nines += apart)
		add(t, nines, true, 100 - pow(10, 2 - nines));
}

size_t axis_ticks(const struct axis *axis, size_t most, struct axis_tick *ticks)
{
	static void (*const kinds[])(struct ticking * t, size_t most) = {
		[CHART_LINEAR] = linear_ticks,
		[CHART_LOG] = log_ticks,
		[CHART_PERCENT] = percent_ticks,
	};
	struct ticking t = { .axis = axis, .ticks = ticks };
	kinds[axis->scale](&t, most);
	return t.count;
}
