#include "base/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units_scan.h"

enum { DECIMALS_MAX = 12 };

/* What one unit of a printed scale is in base units; the first whose limit the value stays below is used. */
struct scale {
	const char *suffix;
	double size, below;
};

static const struct scale time_scales[] = {
	{ " us", 1e3, 999.95e3 },
	{ " ms", 1e6, 999.95e6 },
	{ " s", 1e9, 600e9 },
	{ " min", 60e9, HUGE_VAL },
};

static const struct scale size_scales[] = {
	{ " B", 1, 999.95 },
	{ " kB", 1e3, 999.95e3 },
	{ " MB", 1e6, 999.95e6 },
	{ " GB", 1e9, HUGE_VAL },
};

static const struct scale count_scales[] = { { "", 1, HUGE_VAL } };
static const struct scale rate_scales[] = { { "/s", 1, HUGE_VAL } };
static const struct scale percent_scales[] = { { "%", 1, HUGE_VAL } };

static const struct scale *const scales[] = {
	[UNIT_COUNT] = count_scales,
	[UNIT_NS] = time_scales,
	[UNIT_BYTES] = size_scales,
	[UNIT_PER_S] = rate_scales,
	[UNIT_PERCENT] = percent_scales,
};

enum rc quantity_parse(const char *text, struct quantity *quantity, struct err *err)
{
	struct units_scan scan = { .text = text, .at = text };
	struct term term;
	units_skip_spaces(&scan);
	enum rc rc = units_term(&scan, &term, err);
	if (rc != RC_OK)
		return rc;
	units_skip_spaces(&scan);
	if (*scan.at || term.times)
		return err_set(err, RC_INVALID, NULL,
			"expected one number with its unit such as \"20ms\", found \"%.80s\"",
			text);
	*quantity = term.quantity;
	return RC_OK;
}

/* Zeros at the end are kept where they say that the value was rounded: 3000000 is "3", 3000123 is "3.000". */
static void print_number(double value, char *text, size_t size)
{
	char scientific[32];
	/* The exponent after rounding, so that 0.99996 counts as 1.000. */
	snprintf(scientific, sizeof scientific, "%.3e", fabs(value));
	int exponent = (int)strtol(strchr(scientific, 'e') + 1, NULL, 10);
	int decimals = exponent >= 3 ? 0 : 3 - exponent;
	if (decimals > DECIMALS_MAX)
		decimals = DECIMALS_MAX;
	snprintf(text, size, "%.*f", decimals, value);
	if (!decimals || strtod(text, NULL) != value)
		return;
	size_t length = strlen(text);
	while (text[length - 1] == '0')
		length--;
	if (text[length - 1] == '.')
		length--;
	text[length] = 0;
}

void quantity_print(struct quantity quantity, char *text, size_t size)
{
	char number[512];
	const struct scale *scale = scales[quantity.unit];
	if (!isfinite(quantity.value)) {
		snprintf(text, size, "unknown");
		return;
	}
	while (fabs(quantity.value) >= scale->below)
		scale++;
	print_number(quantity.value / scale->size, number, sizeof number);
	snprintf(text, size, "%.40s%s", number, scale->suffix);
}

/* Writes 0.DIGITS * 10^point without an exponent; point is at most 30. */
static void lay_out(const char *digits, int point, char *text, size_t size)
{
	static const char zeros[] = "000000000000000000000000000000";
	int count = (int)strlen(digits);
	if (point <= 0)
		snprintf(text, size, "0.%.*s%s", -point, zeros, digits);
	else if (point >= count)
		snprintf(text, size, "%s%.*s", digits, point - count, zeros);
	else
		snprintf(text, size, "%.*s.%s", point, digits, digits + point);
}

void quantity_exact(struct quantity quantity, char *text, size_t size)
{
	static const char *const suffixes[] = {
		[UNIT_COUNT] = "",
		[UNIT_NS] = "us",
		[UNIT_BYTES] = "B",
		[UNIT_PER_S] = "/s",
		[UNIT_PERCENT] = "%",
	};
	double value = fabs(quantity.value);
	if (!isfinite(value) || value < 1e-9 || value > 1e21) {
		snprintf(text, size, "%g%s", value < 1e-9 ? 0.0 : quantity.value,
			suffixes[quantity.unit]);
		return;
	}
	/* The fewest digits that read back as the same double; 17 always do. */
	char scientific[32];
	int precision = 0;
	do
		snprintf(scientific, sizeof scientific, "%.*e", precision, value);
	while (strtod(scientific, NULL) != value && ++precision <= 16);
	char digits[24] = { scientific[0] };
	size_t count = 1;
	for (const char *at = scientific + 2; precision && *at != 'e'; at++)
		digits[count++] = *at;
	int exponent = (int)strtol(strchr(scientific, 'e') + 1, NULL, 10);
	char number[64];
	lay_out(digits, exponent + 1 - (quantity.unit == UNIT_NS ? 3 : 0), number, sizeof number);
	snprintf(text, size, "%s%s%s", quantity.value < 0 ? "-" : "", number,
		suffixes[quantity.unit]);
}

enum rc duration_parse(const char *text, int64_t *ns, struct err *err)
{
	struct quantity quantity = { 0 };
	enum rc rc = quantity_parse(text, &quantity, err);
	if (rc != RC_OK)
		return rc;
	if (quantity.unit != UNIT_NS)
		return err_set(err, RC_INVALID, NULL,
			"expected a duration such as \"150ms\", found \"%.80s\"", text);
	*ns = (int64_t)llround(quantity.value);
	return RC_OK;
}

enum rc size_parse(const char *text, uint64_t *bytes, struct err *err)
{
	struct quantity quantity = { 0 };
	enum rc rc = quantity_parse(text, &quantity, err);
	if (rc != RC_OK)
		return rc;
	if (quantity.unit != UNIT_BYTES)
		return err_set(err, RC_INVALID, NULL,
			"expected a size such as \"64MiB\", found \"%.80s\"", text);
	if (quantity.value != floor(quantity.value))
		return err_set(err, RC_INVALID, NULL,
			"expected a size of whole bytes, found \"%.80s\"", text);
	*bytes = (uint64_t)quantity.value;
	return RC_OK;
}

bool duration_valid(const char *text, struct err *err)
{
	int64_t ns;
	return duration_parse(text, &ns, err) == RC_OK;
}

bool size_valid(const char *text, struct err *err)
{
	uint64_t bytes;
	return size_parse(text, &bytes, err) == RC_OK;
}
