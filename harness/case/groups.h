/*
 * groups: which groups of an `expect` apply to a cell: those without `when`, those whose `when` holds, and `otherwise`
 * where no other `when` did.
 */
#ifndef CASE_GROUPS_H
#define CASE_GROUPS_H

#include "case/scope.h"

struct group_choice {
	const cJSON *group; /* as written */
	bool conditional;   /* it has a `when` */
	bool applies;
	bool unknown; /* lenient scope only: it may apply, since a variable of some `when` has no value yet */
};

struct group_choices {
	struct group_choice
		*list; /* one entry a group, in the order of the file; of the root's arena */
	size_t count;
	bool conditional; /* some group has a `when` */
	bool covered;     /* some `when` holds here, or might */
};

/* expect may be NULL: no groups. */
enum rc groups_choose(struct scope *scope, const cJSON *expect, struct group_choices *choices,
	struct err *err) MUST_USE;

#endif
