/*
 * sanitizer: finds the report of a sanitizer in what a program writes, as it passes, so that no flood before it and no
 * full disk hides it.
 *
 *	struct sanitizer_search search = { 0 };
 *	sanitizer_push(&search, bytes);		any chunking finds the same
 *	sanitizer_tell(&search, text, sizeof text);
 */
#ifndef SUT_SANITIZER_H
#define SUT_SANITIZER_H

#include <stddef.h>

#include "base/slice.h"

enum { SANITIZER_LINE_BYTES = 4096, SANITIZER_TOLD_BYTES = 512 };

struct sanitizer_search {
	char found
		[SANITIZER_TOLD_BYTES]; /* the start of the first line that is a report, or empty */
	size_t len;                     /* of the start of a line whose end has not come yet */
	char line[SANITIZER_LINE_BYTES];
};

/* Whether a line (without its LF) begins a report of ASan, LSan, MSan, TSan or UBSan. */
bool sanitizer_report(struct slice line);

void sanitizer_push(struct sanitizer_search *search, struct slice bytes);
/* The first line of the report, cut to size, or "". A line that has no end yet counts. */
void sanitizer_tell(const struct sanitizer_search *search, char *text, size_t size);

#endif
