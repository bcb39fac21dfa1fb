/*
 * pattern: PCRE2 over bytes, for `matches`.
 *
 * Bytes are taken as they are, not as UTF-8, so that any body can be searched; `(?i)` and its like work as usual. A
 * pattern that backtracks more than a million times from one start is ended with an error instead of an answer.
 */
#ifndef EXPECT_PATTERN_H
#define EXPECT_PATTERN_H

#include <stdbool.h>

#include "base/err.h"
#include "base/slice.h"

/* False with err set where the text is not a pattern; for shapes. */
bool pattern_valid(const char *text, struct err *err);

/*
 * *found tells whether the pattern matches anywhere in bytes; then *whole (where not NULL) is that part and *group
 * (where not NULL) its first group, with ptr NULL where it took no part. RC_INVALID for what is not a pattern,
 * RC_LIMIT where it backtracks too much.
 */
enum rc pattern_find(const char *pattern, struct slice bytes, bool *found, struct slice *whole,
	struct slice *group, struct err *err) MUST_USE;

/*
 * The same with patterns that are tried again and again, each compiled once: for the items of a list. A pattern is known
 * again by where its text lies, which must outlive the patterns.
 *
 *	struct patterns patterns = { 0 };
 *	for each item: rc = patterns_find(&patterns, argument->valuestring, item, &found, &err);
 *	patterns_release(&patterns);
 */
struct patterns {
	struct compiled *first;
};
enum rc patterns_find(struct patterns *patterns, const char *pattern, struct slice bytes,
	bool *found, struct err *err) MUST_USE;
void patterns_release(struct patterns *patterns);

#endif
