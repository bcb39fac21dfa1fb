#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units_scan.h"

/* Which side of the bound an operator leaves, and whether without the bound itself. */
struct relation {
	const char *text;
	bool low, high, open, not_equal;
};

/* The longer ones first: "<=" starts with "<". */
static const struct relation relations[] = {
	{ "<=", .high = true },
	{ "<", .high = true, .open = true },
	{ ">=", .low = true },
	{ ">", .low = true, .open = true },
	{ "==", .low = true, .high = true },
	{ "!=", .low = true, .high = true, .not_equal = true },
};

enum { RELATIONS = sizeof relations / sizeof *relations };

/* A bound as it is written: a quantity, "5x" or "98%", and what the latter two are of where that is said. */
struct bound {
	struct term term, base;
	bool has_base;
};

static const char *const unit_words[] = {
	[UNIT_COUNT] = "a count",
	[UNIT_NS] = "a time",
	[UNIT_BYTES] = "a size",
	[UNIT_PER_S] = "a rate",
	[UNIT_PERCENT] = "a share",
};

static enum rc take_bound(struct units_scan *scan, struct bound *bound, struct err *err)
{
	*bound = (struct bound){ 0 };
	units_skip_spaces(scan);
	enum rc rc = units_term(scan, &bound->term, err);
	if (rc != RC_OK)
		return rc;
	units_skip_spaces(scan);
	enum unit unit = bound->term.quantity.unit;
	bool may_share = unit == UNIT_PERCENT || (unit == UNIT_COUNT && bound->term.unknown);
	bool share = may_share && units_take(scan, "of ");
	bool times = bound->term.times && scan->at[0] != '.';
	bound->has_base = share || times;
	if (!bound->has_base)
		return RC_OK;
	units_skip_spaces(scan);
	rc = units_term(scan, &bound->base, err);
	if (rc == RC_OK && bound->base.times)
		rc = err_set(err, RC_INVALID, NULL,
			"expected a quantity behind a share or multiple, found \"%.80s\"",
			scan->text);
	units_skip_spaces(scan);
	return rc;
}

/* "98%..102% of 12kB": what stands behind the second bound counts for the first too. */
static void share_base(struct bound *low, const struct bound *high)
{
	bool factor = low->term.times || low->term.quantity.unit == UNIT_PERCENT;
	if (!factor || low->has_base || !high->has_base)
		return;
	low->base = high->base;
	low->has_base = true;
}

static enum rc work_out(
	const struct bound *bound, const char *text, struct term *term, struct err *err)
{
	*term = bound->term;
	if (!bound->has_base && bound->term.times)
		return err_set(err, RC_INVALID, NULL,
			"expected what the multiple is of, such as \"5x 12ms\", found \"%.80s\"",
			text);
	if (!bound->has_base)
		return RC_OK;
	/* Multiplied before it is divided, so that whole percents of whole bytes are exact where the result is. */
	double value = bound->base.quantity.value * bound->term.quantity.value;
	term->quantity.value = bound->term.times ? value : value / 100;
	term->quantity.unit = bound->base.quantity.unit;
	term->unknown = bound->term.unknown || bound->base.unknown;
	term->times = false;
	return RC_OK;
}

/* A `${…}` without a unit behind it may bring any. */
static bool unit_unknown(const struct bound *bound)
{
	const struct term *term = bound->has_base ? &bound->base : &bound->term;
	return term->unknown && term->quantity.unit == UNIT_COUNT;
}

static enum rc take_range(
	struct units_scan *scan, struct bound *low, struct comparison *comparison, struct err *err)
{
	struct bound high;
	struct term from, to;
	enum rc rc = take_bound(scan, &high, err);
	if (rc != RC_OK)
		return rc;
	share_base(low, &high);
	rc = work_out(low, scan->text, &from, err);
	if (rc == RC_OK)
		rc = work_out(&high, scan->text, &to, err);
	if (rc != RC_OK)
		return rc;
	if (from.quantity.unit != to.quantity.unit && !unit_unknown(low) && !unit_unknown(&high))
		return err_set(err, RC_INVALID, NULL,
			"expected both ends of the range in one kind of unit, found %s and %s in \"%.80s\"",
			unit_words[from.quantity.unit], unit_words[to.quantity.unit], scan->text);
	if (from.quantity.value > to.quantity.value && !from.unknown && !to.unknown)
		return err_set(err, RC_INVALID, NULL,
			"expected a range from its lower to its higher end, found \"%.80s\"",
			scan->text);
	*comparison = (struct comparison){
		.unit = to.quantity.unit, .low = from.quantity.value, .high = to.quantity.value
	};
	return RC_OK;
}

static enum rc take_comparison(
	struct units_scan *scan, struct comparison *comparison, struct err *err)
{
	struct bound bound;
	struct term term;
	const struct relation *relation = NULL;
	units_skip_spaces(scan);
	for (size_t i = 0; i < RELATIONS && !relation; i++)
		if (units_take(scan, relations[i].text))
			relation = &relations[i];
	if (!relation && *scan->at && strchr("=!~", *scan->at))
		return err_set(err, RC_INVALID, NULL,
			"expected one of the operators < <= > >= == !=, found \"%.80s\"",
			scan->text);
	enum rc rc = take_bound(scan, &bound, err);
	if (rc != RC_OK)
		return rc;
	if (units_take(scan, "..")) {
		if (relation)
			return err_set(err, RC_INVALID, NULL,
				"expected a range without operator, found \"%.80s\"", scan->text);
		return take_range(scan, &bound, comparison, err);
	}
	rc = work_out(&bound, scan->text, &term, err);
	if (rc != RC_OK)
		return rc;
	*comparison = (struct comparison){ .unit = term.quantity.unit,
		.low = !relation || relation->low ? term.quantity.value : -HUGE_VAL,
		.high = !relation || relation->high ? term.quantity.value : HUGE_VAL,
		.low_open = relation && relation->low && relation->open,
		.high_open = relation && relation->high && relation->open,
		.not_equal = relation && relation->not_equal };
	return RC_OK;
}

static enum rc take_all(struct units_scan *scan, struct comparison *comparison, struct err *err)
{
	enum rc rc = take_comparison(scan, comparison, err);
	if (rc == RC_OK && *scan->at)
		rc = err_set(err, RC_INVALID, NULL,
			"expected the end of the comparison \"%.80s\", found \"%.80s\"", scan->text,
			scan->at);
	return rc;
}

enum rc comparison_parse(const char *text, struct comparison *comparison, struct err *err)
{
	struct units_scan scan = { .text = text, .at = text };
	return take_all(&scan, comparison, err);
}

bool comparison_valid(const char *text, struct err *err)
{
	struct units_scan scan = { .text = text, .at = text, .variables = true };
	struct comparison comparison;
	return take_all(&scan, &comparison, err) == RC_OK;
}

enum rc comparison_holds(
	const struct comparison *comparison, struct quantity found, bool *holds, struct err *err)
{
	if (comparison->unit != found.unit)
		return err_set(err, RC_INVALID, NULL, "expected %s, found %s",
			unit_words[comparison->unit], unit_words[found.unit]);
	double x = found.value;
	bool above = comparison->low_open ? x > comparison->low : x >= comparison->low;
	bool below = comparison->high_open ? x < comparison->high : x <= comparison->high;
	*holds = comparison->not_equal ? x != comparison->low : above && below;
	return RC_OK;
}

bool comparison_holds_of_less(const struct comparison *comparison)
{
	return !comparison->not_equal && comparison->low == -HUGE_VAL;
}

bool comparison_holds_of_more(const struct comparison *comparison)
{
	return !comparison->not_equal && comparison->high == HUGE_VAL;
}

void comparison_print(const struct comparison *comparison, char *text, size_t size)
{
	char low[64], high[64];
	bool above = comparison->low > -HUGE_VAL, below = comparison->high < HUGE_VAL;
	quantity_print((struct quantity){ comparison->unit, comparison->low }, low, sizeof low);
	quantity_print((struct quantity){ comparison->unit, comparison->high }, high, sizeof high);
	if (!above)
		snprintf(text, size, "%s %s", comparison->high_open ? "<" : "<=", high);
	else if (!below)
		snprintf(text, size, "%s %s", comparison->low_open ? ">" : ">=", low);
	else if (comparison->low == comparison->high)
		snprintf(text, size, "%s %s", comparison->not_equal ? "!=" : "==", low);
	else
		snprintf(text, size, "%s .. %s", low, high);
}
