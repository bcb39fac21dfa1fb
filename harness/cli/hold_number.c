#include "cli/hold_number.h"

#include <string.h>

#include "base/words.h"
#include "model/load_numbers.h"

#define ROW(word, kind, index, family, of, how, words) { (word), (of), (words) },
static const struct hold_number ROWS[] = {
	{ "streams.held", UNIT_COUNT,
		"open, and proven alive, in the last round of which all were" },
	{ "streams.failed", UNIT_COUNT, "that could not be opened, or ended by themselves" },
	{ "streams.bytes", UNIT_BYTES, "that have come, heads included, of all" },
	{ "streams.memory_each", UNIT_BYTES, "the SUT's resident memory for one more stream" },
	{ "streams.cap_each", UNIT_BYTES, "of its memory cgroup, the kernel's part included" },
	{ "streams.kernel_each", UNIT_BYTES,
		"of that, the kernel's part: sockets and descriptors" },
	{ "streams.onus_each", UNIT_BYTES, "onus's own resident memory for one more" },
	{ "streams.buffers_each", UNIT_BYTES,
		"buffers of TCP and UDP in the kernel, the whole machine's, for one more" },
	LOAD_SUT_NUMBERS(ROW)
};
enum { ROW_COUNT = sizeof ROWS / sizeof *ROWS };

const struct hold_number *hold_number_at(size_t index)
{
	return index < ROW_COUNT ? &ROWS[index] : NULL;
}

static const struct hold_number *find(const char *name)
{
	for (size_t i = 0; i < ROW_COUNT; i++)
		if (strcmp(name, ROWS[i].name) == 0)
			return &ROWS[i];
	return NULL;
}

static enum rc unknown(const char *name, struct err *err)
{
	const char *names[ROW_COUNT];
	for (size_t i = 0; i < ROW_COUNT; i++)
		names[i] = ROWS[i].name;
	const char *nearest = words_nearest(name, names, ROW_COUNT);
	return err_set(err, RC_USAGE, "", "held streams have no number \"%s\"%s%s%s", name,
		nearest ? "; did you mean \"" : "; `onus load --help` names them",
		nearest ? nearest : "", nearest ? "\"?" : "");
}

static enum rc parse(const char *text, struct hold_threshold *threshold, struct err *err)
{
	char name[THRESHOLD_NAME_BYTES];
	*threshold = (struct hold_threshold){ .text = text };
	enum rc rc = threshold_cut(text, "streams.held >= 1000", name, &threshold->comparison, err);
	if (rc != RC_OK)
		return rc;
	const struct hold_number *number = find(name);
	if (!number)
		return unknown(name, err);
	threshold->name = number->name;
	return threshold_check_unit(&threshold->comparison, number->unit, err);
}

enum rc hold_threshold_parse(const char *text, struct hold_threshold *threshold, struct err *err)
{
	struct err inner = { 0 };
	if (parse(text, threshold, &inner) == RC_OK)
		return RC_OK;
	return err_set(err, RC_USAGE, "--threshold", "\"%s\": %s", text, inner.text);
}

struct load_verdict hold_threshold_judge(
	const struct hold_threshold *threshold, const struct measures *measures)
{
	const struct measure *found = measures_find(measures, threshold->name);
	static const struct spoil none;
	return threshold_verdict(&threshold->comparison, found ? &found->quantity : NULL, &none);
}
