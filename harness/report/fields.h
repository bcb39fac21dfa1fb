/*
 * fields: the form of a result as JSON, schema "onus-result/1": one table a struct of model/result.h, which the json and
 * ndjson reports write by and result_read reads by, so that the two can't disagree.
 *
 * To add a field: a row in the table of its struct. A stored result without it stays readable where the row is
 * TEXT_OR_NULL or LIST_OR_NONE; any other kind needs a new schema number.
 *
 *	fputs("{", out);
 *	fields_write(&form_case, one, FIELDS_ONE_LINE, false, out);
 *	fputs("}", out);
 */
#ifndef REPORT_FIELDS_H
#define REPORT_FIELDS_H

#include <stdio.h>

#include "model/result.h"

#define FIELDS_SCHEMA "onus-result/1"

enum field_kind {
	FIELD_TEXT,         /* const char *: written as "" where NULL */
	FIELD_TEXT_OR_NULL, /* const char * */
	FIELD_COUNT,        /* size_t, at most FIELD_MOST */
	FIELD_NS,           /* int64_t, 0 to FIELD_MOST */
	FIELD_LINE,         /* int, 0 or more */
	FIELD_SEED,         /* uint64_t as "0x9a1f", since JSON's numbers end at 2^53 */
	FIELD_NUMBER,       /* double, between -CHART_MOST and CHART_MOST */
	FIELD_OUTCOME,      /* enum outcome by its word */
	FIELD_PROBLEM,      /* enum problem_kind by its word */
	FIELD_UNIT,         /* enum unit, enum chart_scale by theirs */
	FIELD_SCALE,
	FIELD_POINTS, /* a pointer to struct chart_point, and their count: [x, y], y null where absent */
	FIELD_OBJECT,       /* a struct of form `of` */
	FIELD_LIST,         /* a pointer to structs of form `of`, and their count at `count` */
	FIELD_LIST_OR_NONE, /* the same, which older results lack */
};

#define FIELD_MOST (INT64_C(1) << 53)

struct form;

struct field {
	const char *name;
	enum field_kind kind;
	size_t offset, count;
	const struct form *of;
};

struct form {
	size_t size;
	const struct field *fields; /* until one without name */
	const char *const
		*derived; /* members that are written from the others and not read, until NULL */
};

extern const struct form form_run, form_case;

enum { FIELDS_ONE_LINE = -1 };

/*
 * The members of an object, without its braces; behind others where follows is set. indent: of each member's line, or
 * FIELDS_ONE_LINE.
 */
void fields_write(const struct form *form, const void *object, int indent, bool follows, FILE *out);
/* The members that are derived: "totals" and "exit" of a run. */
void fields_write_derived(const struct run_result *result, int indent, FILE *out);

#endif
