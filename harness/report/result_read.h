/*
 * result_read: a stored json report back into a struct run_result, for `onus report FILE`.
 *
 * It reads what report_json.c writes and nothing else: an unknown member, a wrong type, a number that is not whole or
 * out of range, or a case whose outcome and findings contradict each other is RC_INVALID. "totals" and "exit" are
 * worked out again from the cases. Writing what was read gives the same bytes. The text may be hostile: what it costs
 * is linear in its length.
 *
 *	struct run_result result;
 *	struct err err = { 0 };
 *	enum rc rc = result_read_file("result.json", arena, &result, &err);
 */
#ifndef REPORT_RESULT_READ_H
#define REPORT_RESULT_READ_H

#include "base/slice.h"
#include "model/result.h"

enum { RESULT_READ_MIB = 16 };

/*
 * Everything in *result is of arena, which result->arena then names. err.where is a JSON pointer into the text
 * ("/cases/3/outcome"), or empty where it is no JSON.
 */
enum rc result_read(struct slice text, struct arena *arena, struct run_result *result,
	struct err *err) MUST_USE;

/* The same for a file of at most RESULT_READ_MIB: RC_ENVIRONMENT or RC_LIMIT where it cannot be read. */
enum rc result_read_file(
	const char *path, struct arena *arena, struct run_result *result, struct err *err) MUST_USE;

#endif
