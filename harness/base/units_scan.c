#include "base/units_scan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"

enum { NUMBER_BYTES = 64 };

/* Beyond 2^53 a double no longer holds every whole number; nanoseconds may go on to what int64_t holds (292 years). */
#define EXACT_MAX 0x1p53
#define NS_MAX    9.2e18

struct unit_name {
	const char *name;
	enum unit unit;
	/*
	 * One of the unit is 10^exponent * factor of the base unit. The exponent goes into the text before it is read,
	 * so that "83123.456us" is rounded once, to exactly 83123456.
	 */
	int exponent;
	double factor;
	double max;
};

static const struct unit_name names[] = {
	{ "us", UNIT_NS, 3, 1, NS_MAX },
	{ "ms", UNIT_NS, 6, 1, NS_MAX },
	{ "s", UNIT_NS, 9, 1, NS_MAX },
	{ "min", UNIT_NS, 10, 6, NS_MAX },
	{ "B", UNIT_BYTES, 0, 1, EXACT_MAX },
	{ "kB", UNIT_BYTES, 3, 1, EXACT_MAX },
	{ "MB", UNIT_BYTES, 6, 1, EXACT_MAX },
	{ "GB", UNIT_BYTES, 9, 1, EXACT_MAX },
	{ "KiB", UNIT_BYTES, 0, 1024.0, EXACT_MAX },
	{ "MiB", UNIT_BYTES, 0, 1024.0 * 1024, EXACT_MAX },
	{ "GiB", UNIT_BYTES, 0, 1024.0 * 1024 * 1024, EXACT_MAX },
	{ "/s", UNIT_PER_S, 0, 1, EXACT_MAX },
	{ "%", UNIT_PERCENT, 0, 1, EXACT_MAX },
};

static const struct unit_name bare = { "", UNIT_COUNT, 0, 1, EXACT_MAX };

enum { NAMES = sizeof names / sizeof *names };

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

void units_skip_spaces(struct units_scan *scan)
{
	while (*scan->at == ' ')
		scan->at++;
}

bool units_take(struct units_scan *scan, const char *word)
{
	size_t length = strlen(word);
	if (strncmp(scan->at, word, length) != 0)
		return false;
	scan->at += length;
	return true;
}

/* Steps over `${…}`, in which braces may nest; false where it does not end. */
static bool take_variable(struct units_scan *scan)
{
	int depth = 0;
	for (const char *at = scan->at + 1; *at; at++) {
		depth += (*at == '{') - (*at == '}');
		if (depth == 0) {
			scan->at = at + 1;
			return true;
		}
	}
	return false;
}

static enum rc no_number(const struct units_scan *scan, struct err *err)
{
	if (*scan->at == '-' || *scan->at == '+')
		return err_set(err, RC_INVALID, NULL,
			"expected a number without a sign, found \"%.80s\"", scan->at);
	return err_set(err, RC_INVALID, NULL,
		"expected a number with its unit such as \"20ms\" or \"64KiB\", found \"%.80s\"",
		scan->at);
}

/* Copies the digits to number, which has room for an exponent behind them. */
static enum rc take_digits(struct units_scan *scan, char *number, struct err *err)
{
	const char *start = scan->at, *at = start;
	while (is_digit(*at))
		at++;
	if (at == start)
		return no_number(scan, err);
	/* "1..2" is a range, not the number "1.". */
	if (at[0] == '.' && at[1] != '.') {
		if (!is_digit(at[1]))
			return err_set(err, RC_INVALID, NULL,
				"expected digits behind the point of \"%.80s\"", start);
		do
			at++;
		while (is_digit(*at));
	}
	size_t length = (size_t)(at - start);
	if (length > NUMBER_BYTES - 8)
		return err_set(err, RC_INVALID, NULL,
			"expected a number of at most %d digits, found %zu", NUMBER_BYTES - 8,
			length);
	memcpy(number, start, length);
	number[length] = 0;
	scan->at = at;
	return RC_OK;
}

/* "5x 12ms", "2x..3x 12ms": the x needs an end, so that "0x10" is not taken for no times ten. */
static bool take_times(struct units_scan *scan)
{
	if (scan->at[0] != 'x' || (scan->at[1] != ' ' && scan->at[1] != '.'))
		return false;
	scan->at++;
	return true;
}

static enum rc unknown_unit(const char *found, size_t length, struct err *err)
{
	char word[24];
	snprintf(word, sizeof word, "%.*s", (int)length, found);
	const char *list[NAMES];
	for (size_t i = 0; i < NAMES; i++)
		list[i] = names[i].name;
	const char *near = words_nearest(word, list, NAMES);
	return err_set(err, RC_INVALID, NULL,
		"expected one of the units us ms s min B kB MB GB KiB MiB GiB /s %%, found \"%s\"%s%s%s",
		word, near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

static enum rc take_unit(struct units_scan *scan, const struct unit_name **unit, struct err *err)
{
	const char *start = scan->at;
	units_skip_spaces(scan);
	const char *at = scan->at;
	if ((at[0] == 'e' || at[0] == 'E') && (is_digit(at[1]) || at[1] == '-' || at[1] == '+'))
		return err_set(err, RC_INVALID, NULL,
			"expected a number without exponent such as \"0.001\", found \"%.80s\"",
			scan->text);
	if (at[0] == 'x' && at == start)
		return err_set(err, RC_INVALID, NULL,
			"expected a space behind the \"x\" of a multiple such as \"5x 12ms\", found "
			"\"%.80s\" (hexadecimal numbers are not taken)",
			scan->text);
	size_t length = at[0] == '%' || at[0] == '/';
	while (is_letter(at[length]))
		length++;
	/* What follows a percent sign is no part of the unit: "50%..60%". */
	if (at[0] == '%')
		length = 1;
	*unit = &bare;
	/* "${share} of 12kB" */
	bool of = length == 2 && strncmp(at, "of", 2) == 0;
	if (!length || of) {
		scan->at = start;
		return RC_OK;
	}
	for (size_t i = 0; i < NAMES; i++)
		if (strlen(names[i].name) == length && strncmp(names[i].name, at, length) == 0)
			*unit = &names[i];
	if (*unit == &bare)
		return unknown_unit(at, length, err);
	scan->at += length;
	return RC_OK;
}

enum rc units_term(struct units_scan *scan, struct term *term, struct err *err)
{
	char number[NUMBER_BYTES + 8] = "1";
	const struct unit_name *unit = &bare;
	bool variable = scan->variables && scan->at[0] == '$' && scan->at[1] == '{';
	if (variable && !take_variable(scan))
		return err_set(err, RC_INVALID, NULL,
			"expected a \"}\" for the \"${\" in \"%.80s\"", scan->text);
	enum rc rc = variable ? RC_OK : take_digits(scan, number, err);
	if (rc != RC_OK)
		return rc;
	*term = (struct term){ .times = take_times(scan), .unknown = variable };
	if (!term->times)
		rc = take_unit(scan, &unit, err);
	if (rc != RC_OK)
		return rc;
	size_t length = strlen(number);
	snprintf(number + length, sizeof number - length, "e%d", unit->exponent);
	term->quantity.unit = unit->unit;
	term->quantity.value = strtod(number, NULL) * unit->factor;
	if (term->quantity.value > unit->max)
		return err_set(err, RC_INVALID, NULL,
			"expected a number that is held exactly (at most %s), found \"%.80s\"",
			unit->unit == UNIT_NS ? "292 years" : "2^53", scan->text);
	return RC_OK;
}
