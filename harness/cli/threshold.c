#include "cli/threshold.h"

#include <string.h>

enum rc threshold_cut(const char *text, const char *example, char name[THRESHOLD_NAME_BYTES],
	struct comparison *comparison, struct err *err)
{
	size_t length = strcspn(text, " \t<>=!");
	const char *rest = text + length + strspn(text + length, " \t");
	if (!length || length >= THRESHOLD_NAME_BYTES || !*rest)
		return err_set(err, RC_USAGE, "",
			"expected a number, an operator and a bound, such as %s", example);
	memcpy(name, text, length);
	name[length] = '\0';
	return comparison_parse(rest, comparison, err) == RC_OK ? RC_OK : RC_USAGE;
}

enum rc threshold_check_unit(const struct comparison *comparison, enum unit unit, struct err *err)
{
	static const char *const units[] = { [UNIT_COUNT] = "a number without a unit",
		[UNIT_NS] = "a time such as 20ms",
		[UNIT_BYTES] = "a size such as 24KiB",
		[UNIT_PER_S] = "a rate such as 500/s",
		[UNIT_PERCENT] = "a share such as 1%" };
	if (comparison->unit == unit)
		return RC_OK;
	return err_set(
		err, RC_USAGE, "", "expected %s, found %s", units[unit], units[comparison->unit]);
}

struct load_verdict threshold_verdict(const struct comparison *comparison,
	const struct quantity *found, const struct spoil *spoil)
{
	bool holds = false;
	if (!found)
		return (struct load_verdict){ .kind = LOAD_INVALID,
			.reason = "there was nothing to take it from" };
	if (comparison_holds(comparison, *found, &holds, NULL) != RC_OK)
		BUG("a threshold of another unit than its number");
	struct load_verdict verdict = {
		.kind = holds ? LOAD_HELD : LOAD_BROKEN, .has_found = true, .found = *found
	};
	if (!spoil_leaves(spoil, comparison, holds)) {
		verdict.kind = LOAD_INVALID;
		verdict.reason = spoil->text;
	}
	return verdict;
}

const char *load_verdict_word(enum load_verdict_kind kind)
{
	static const char *const words[] = { "held", "broken", "invalid" };
	return words[kind];
}
