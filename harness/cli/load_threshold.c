#include "cli/load_threshold.h"

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

static enum rc parse(
	const char *text, enum load_model model, struct load_threshold *threshold, struct err *err)
{
	char name[THRESHOLD_NAME_BYTES];
	struct load_number *number = &threshold->number;
	*threshold = (struct load_threshold){ .text = text };
	enum rc rc = threshold_cut(text, "service.p99 <= 20ms", name, &threshold->comparison, err);
	if (rc == RC_OK)
		rc = load_number_parse(name, number, err);
	if (rc != RC_OK)
		return rc;
	number->as_share =
		load_number_is_part(number) && threshold->comparison.unit == UNIT_PERCENT;
	rc = threshold_check_unit(&threshold->comparison, load_number_unit(number), err);
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
	struct quantity found;
	bool there = load_number_take(&threshold->number, result, decoded, &found);
	const struct spoil spoil = load_reasons_against(reasons, threshold->number.family);
	return threshold_verdict(&threshold->comparison, there ? &found : NULL, &spoil);
}
