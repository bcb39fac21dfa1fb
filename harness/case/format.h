/*
 * format: the case format and the suite format as shapes: what check, messages and `onus schema` are made from.
 *
 * To add a key: a row in format_case.c or format_suite.c. To add a verb: see steps.h.
 *
 * Literal are the shapes of what is taken apart before any variable is known: a variable could not stand for them.
 */
#ifndef CASE_FORMAT_H
#define CASE_FORMAT_H

#include "base/shape.h"

extern const struct shape case_shape;
extern const struct shape suite_shape;

/* Common to several tables. */
extern const struct shape format_text;    /* any string */
extern const struct shape format_literal; /* a string in which `${` is not taken */
extern const struct shape format_any;     /* any JSON */
extern const struct shape format_bool;
extern const struct shape format_count;
extern const struct shape format_duration;  /* "150ms" */
extern const struct shape format_texts;     /* a list of strings */
extern const struct shape format_command;   /* the same, not empty */
extern const struct shape format_headers;   /* name to text, number, null or a list of texts */
extern const struct shape format_variables; /* name to any JSON */
extern const struct shape format_matrix;
extern const struct shape
	format_env; /* name to text, number, bool, null, or JSON handed over as text */
extern const struct shape format_files;    /* name in the run directory to path of a template */
extern const struct shape format_sut;      /* a case's `sut` */
extern const struct shape format_settings; /* what `refuses` and `control` set */

#endif
