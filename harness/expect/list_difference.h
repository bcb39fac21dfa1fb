/*
 * list_difference: where two JSON lists part, told so that a person can use it however long they are.
 *
 * Not for bodies, which are bytes: difference.h. Items are compared by place: what answers a list of requests must
 * stand where its request stood.
 *
 *	struct list_difference d = list_difference_find(asked, found);
 *	if (d.differs)
 *		m->found = list_difference_words(j, &d);
 */
#ifndef EXPECT_LIST_DIFFERENCE_H
#define EXPECT_LIST_DIFFERENCE_H

#include "base/json.h"
#include "expect/judgement.h"

struct list_difference {
	bool differs;
	size_t asked_count, found_count; /* values of either list */
	size_t index;                    /* of the first that differs, or that only one has */
	const cJSON *asked, *found;      /* it; NULL where the list has ended */
	size_t more; /* how many of those behind it differ; 0 where the lengths do, since then most would */
};

/* Both are lists. */
struct list_difference list_difference_find(const cJSON *asked, const cJSON *found);

/* "40000 values, index 17: expected 4711, found null (3 more differ)", of j's arena. */
const char *list_difference_words(struct judgement *j, const struct list_difference *difference);

#endif
