#include "cli/load_threshold.h"

#include <stdio.h>
#include <string.h>

enum { NAME_BYTES = 64 };

/* A closed loop has no schedule: nothing is early or late there. */
static enum rc check_model(
	const struct load_threshold *threshold, enum load_model model, struct err *err)
{
	const struct load_number *number = &threshold->number;
	bool of_schedule = number->hist == LOAD_RESPONSE || number->hist == LOAD_SEND_LAG;
	if (model == LOAD_OPEN || number->kind != LOAD_NUMBER_TIME || !of_schedule)
		return RC_OK;
	return err_set(err, RC_USAGE, "",
		"only an open loop (--rate) has %s; a closed one has service.*, at its number of users",
		load_hist_name(number->hist));
}

static enum rc check_unit(const struct load_threshold *threshold, struct err *err)
{
	static const char *const units[] = { [UNIT_COUNT] = "a number without a unit",
		[UNIT_NS] = "a time such as 20ms",
		[UNIT_BYTES] = "a size such as 2kB",
		[UNIT_PER_S] = "a rate such as 500/s",
		[UNIT_PERCENT] = "a share such as 1%" };
	enum unit unit = load_number_unit(&threshold->number);
	if (threshold->comparison.unit == unit)
		return RC_OK;
	return err_set(err, RC_USAGE, "", "expected %s, found %s", units[unit],
		units[threshold->comparison.unit]);
}

static enum rc parse(
	const char *text, enum load_model model, struct load_threshold *threshold, struct err *err)
{
	char name[NAME_BYTES];
	size_t length = strcspn(text, " \t<>=!");
	*threshold = (struct load_threshold){ .text = text };
	if (!length || length >= sizeof name || !text[length + strspn(text + length, " \t")])
		return err_set(err, RC_USAGE, "",
			"expected a number, an operator and a bound, such as service.p99 <= 20ms");
	snprintf(name, sizeof name, "%.*s", (int)length, text);
	enum rc rc = load_number_parse(name, &threshold->number, err);
	if (rc == RC_OK)
		rc = comparison_parse(
			text + length + strspn(text + length, " \t"), &threshold->comparison, err);
	if (rc != RC_OK)
		return rc;
	threshold->number.as_share = load_number_is_part(&threshold->number) &&
				     threshold->comparison.unit == UNIT_PERCENT;
	rc = check_unit(threshold, err);
	return rc == RC_OK ? check_model(threshold, model, err) : rc;
}

enum rc load_threshold_parse(
	const char *text, enum load_model model, struct load_threshold *threshold, struct err *err)
{
	struct err inner = { 0 };
	if (parse(text, model, threshold, &inner) == RC_OK)
		return RC_OK;
	return err_set(err, RC_USAGE, "--threshold", "\"%s\": %s", text, inner.text);
}

struct load_verdict load_threshold_judge(const struct load_threshold *threshold,
	const struct load_result *result, bool decoded, const struct load_reasons *reasons)
{
	struct load_verdict verdict = { .kind = LOAD_INVALID };
	bool holds = false;
	verdict.has_found = load_number_take(&threshold->number, result, decoded, &verdict.found);
	verdict.reason = verdict.has_found ? load_reasons_against(reasons, threshold->number.family)
					   : "there was nothing to take it from";
	if (verdict.reason)
		return verdict;
	if (comparison_holds(&threshold->comparison, verdict.found, &holds, NULL) != RC_OK)
		BUG("a threshold of another unit: %s", threshold->text);
	verdict.kind = holds ? LOAD_HELD : LOAD_BROKEN;
	return verdict;
}

const char *load_verdict_word(enum load_verdict_kind kind)
{
	static const char *const words[] = { "held", "broken", "invalid" };
	return words[kind];
}
