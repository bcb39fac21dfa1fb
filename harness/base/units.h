/*
 * units: quantities with units as people write them, and comparisons of them.
 *
 *	duration	"150ms" "2s" "1.5min"		-> nanoseconds
 *	size		"64MiB" "1MB" "47B"		-> bytes (kB MB GB are 1000-based, KiB MiB GiB 1024-based)
 *	comparison	"<= 20ms" "1..2" "<= 5x 12ms" "< 50% of 1000B" "98%..102% of 12kB" "== 3"
 *
 * A unit is compulsory but on counts: UNIT_COUNT is a bare number, and only a bare number.
 */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

enum unit { UNIT_COUNT, UNIT_NS, UNIT_BYTES, UNIT_PER_S, UNIT_PERCENT };

struct quantity {
	enum unit unit;
	double value; /* count, nanoseconds, bytes, per second, percent */
};

/* "20ms", "3", "64 KiB", "500/s", "25%"; RC_INVALID with what was expected. */
enum rc quantity_parse(const char *text, struct quantity *quantity, struct err *err) MUST_USE;
/*
 * In the unit that reads best, at most 4 significant digits before the whole number ends: "83 ms", "5.12 kB", "25%". Zeros
 * at the end say that the value was rounded: "3 MB" is exact, "3.000 MB" is not. text of at least 32 bytes.
 */
void quantity_print(struct quantity quantity, char *text, size_t size);
/*
 * In the smallest unit, without rounding, so that quantity_parse gives the same double back: 83123456 ns is
 * "83123.456us". text of at least 64 bytes. Less than 1e-9 is "0"; negative values print, but do not parse.
 */
void quantity_exact(struct quantity quantity, char *text, size_t size);

enum rc duration_parse(const char *text, int64_t *ns, struct err *err) MUST_USE;
enum rc size_parse(const char *text, uint64_t *bytes, struct err *err) MUST_USE;
/* For shapes: */
bool duration_valid(const char *text, struct err *err);
bool size_valid(const char *text, struct err *err);

/* low <= x <= high, either end open or closed; the bounds have one unit. */
struct comparison {
	enum unit unit;
	double low, high;
	bool low_open, high_open;
	bool not_equal; /* "!= 3": holds where x is not low */
};

/*
 * Operators: < <= > >= == != and a range a..b (both ends included). A bound is a quantity, or a share or a multiple of
 * one: "50% of Q", "5x Q" (in a range, what stands behind the second bound counts for both). A bare quantity means ==.
 */
enum rc comparison_parse(const char *text, struct comparison *comparison, struct err *err) MUST_USE;
/* Also true where a `${…}` stands for a number ("<= ${n}ms"), a bound or a part of one, or for all of the text. */
bool comparison_valid(const char *text, struct err *err);
/* RC_INVALID where the units differ: "expected a time, found a size". */
enum rc comparison_holds(const struct comparison *comparison, struct quantity found, bool *holds,
	struct err *err) MUST_USE;
/* Whether it holds of all that is less, or more, than what it holds of. */
bool comparison_holds_of_less(const struct comparison *comparison);
bool comparison_holds_of_more(const struct comparison *comparison);
/* What was asked for, with shares and multiples worked out: "< 5.12 kB". */
void comparison_print(const struct comparison *comparison, char *text, size_t size);

#endif
