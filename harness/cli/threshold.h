/*
 * threshold: what thresholds on a load and on held streams share: how they are written, "NAME <= BOUND", and their verdicts.
 */
#ifndef CLI_THRESHOLD_H
#define CLI_THRESHOLD_H

#include "model/measure.h"

enum { THRESHOLD_NAME_BYTES = 64 };

/* Takes it apart: RC_USAGE, with `example` where it is none. */
enum rc threshold_cut(const char *text, const char *example, char name[THRESHOLD_NAME_BYTES],
	struct comparison *comparison, struct err *err) MUST_USE;
/* RC_USAGE where the bound has another unit than the number. */
enum rc threshold_check_unit(
	const struct comparison *comparison, enum unit unit, struct err *err) MUST_USE;

enum load_verdict_kind {
	LOAD_HELD,
	LOAD_BROKEN,
	LOAD_INVALID, /* the number is absent, or a circumstance has spoiled it */
};

struct load_verdict {
	enum load_verdict_kind kind;
	bool has_found;
	struct quantity found;
	const char *reason; /* of LOAD_INVALID, else NULL */
};

/* found NULL: it is absent. What the spoil leaves no verdict of is LOAD_INVALID whichever way it would have gone. */
struct load_verdict threshold_verdict(const struct comparison *comparison,
	const struct quantity *found, const struct spoil *spoil);

const char *load_verdict_word(enum load_verdict_kind kind); /* "held", "broken", "invalid" */

#endif
