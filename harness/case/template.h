/*
 * template: `${name.path}` in JSON values.
 *
 * Alone in a string a variable keeps its type; inside text it becomes text (null, lists and objects are errors there).
 * Keys are resolved too: a key that starts with `/` takes it as one escaped segment of a JSON pointer. Inside `matches`
 * it is taken literally. `$${` stands for `${`.
 *
 *	{ "id": "${account}", "/changed/${account}": "..." }
 */
#ifndef CASE_TEMPLATE_H
#define CASE_TEMPLATE_H

#include "case/scope.h"

/*
 * value with its variables in place, of the root's arena. It is there to be read: lists and objects that a generator or
 * an answer has brought are not copied but referred to, and their bindings must outlive it. RC_USAGE with err.text set:
 * an unknown name with the nearest one, a path that leads nowhere, a circle, more than 16 MiB on the way beyond what
 * was brought. In a lenient scope a string whose variables are not known yet stays as it is.
 */
enum rc template_resolve(
	struct scope *scope, const cJSON *value, cJSON **resolved, struct err *err) MUST_USE;

/* Does a resolved value still wait for something that is not known yet? In a lenient scope only. */
bool template_waits(const struct scope *scope, const cJSON *value);

/* The same for a text; the result is of the root's arena. */
enum rc template_text(
	struct scope *scope, const char *text, const char **resolved, struct err *err) MUST_USE;

/*
 * Names the next `${...}` of text from *offset on: its name and path as slices, *at where the `${` stands; *offset moves
 * behind it. false at the end. RC for malformed ones: name is empty and err set.
 */
struct reference {
	size_t at;         /* of `${` */
	size_t end;        /* behind `}` */
	struct slice name; /* up to the first dot */
	struct slice path; /* behind it, or empty */
};
enum rc template_next(const char *text, size_t *offset, struct reference *reference, bool *found,
	struct err *err) MUST_USE;

#endif
