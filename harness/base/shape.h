/*
 * shape: which JSON a place in a case file may hold: one table that checks files, words their errors and prints the
 * JSON Schema, so that the three can't disagree.
 *
 * A shape checks form only. A string that holds `${` is taken wherever any scalar, list or object could stand, unless
 * the shape is literal: what the variable brings is checked again when it is known (shape_check with places of the
 * string it came from).
 *
 * The shape of a whole file should be literal: no variable can stand for that. A template that can be checked before its
 * variables are known (comparison_valid) belongs to a shape that is literal, too.
 *
 * To add a key: one row in the table of its object. See case/steps.c and expect/expect.h for the two tables that make up
 * most of the format.
 */
#ifndef BASE_SHAPE_H
#define BASE_SHAPE_H

#include <stdbool.h>

#include "base/json.h"

enum shape_kind {
	SHAPE_ANY,
	SHAPE_NULL,
	SHAPE_BOOL,
	SHAPE_COUNT, /* a whole number, 0 or more */
	SHAPE_NUMBER,
	SHAPE_STRING,
	SHAPE_LIST,   /* of items, at least min_items */
	SHAPE_OBJECT, /* of keys, and no others */
	SHAPE_MAP,    /* of any names; values are items, but for names that have a row in keys */
	SHAPE_CHOICE, /* the first of choices that takes the value's JSON type (a LIST choice wants a list, ...) */
	/*
	 * An object with exactly one of the variants' verbs, which decides its keys. Where a verb is also the name of
	 * another verb's option, that verb counts whose keys include all verbs that are there.
	 */
	SHAPE_VARIANT,
};

struct shape_key {
	const char *name;
	const struct shape *shape;
	const char *help; /* one sentence for the schema and the manual, without a full stop */
	bool required;
};

struct shape_variant {
	const char *verb;
	const struct shape *shape; /* SHAPE_OBJECT whose keys include the verb itself */
};

struct shape {
	enum shape_kind kind;
	const char *name; /* completes "expected ...": "a duration such as \"150ms\"" */
	const char *
		schema_name; /* where set: the schema refers to it by name, which also allows recursion */
	bool literal;        /* `${` is not taken */
	bool (*valid)(const char *text,
		struct err *err); /* STRING: NULL or says more than `words` can; MAP: of names */
	const char *pattern;      /* STRING: ECMA 262 pattern for the schema, or NULL */
	const char *const *words; /* STRING: the allowed words, ended by NULL, or NULL */
	const struct shape *items;
	size_t min_items;
	unsigned least, most; /* COUNT: what it may be; most 0: no end */
	/* OBJECT: rows until one without name; then key_at(0), key_at(1)... until NULL, where set. */
	const struct shape_key *keys;
	const struct shape_key *(*key_at)(size_t index);
	const struct shape *const *choices;                      /* ended by NULL */
	const struct shape_variant *(*variant_at)(size_t index); /* until NULL */
	const char *variant_word; /* VARIANT: what decides is called so in errors; NULL: "verb" */
};

/* Adds every fault of value to errors; true where there was none. value must be of the tree of json. */
bool shape_check(const struct shape *shape, const struct json *json, const cJSON *value,
	struct errors *errors);

/*
 * For a value that came out of variables: there is no tree of places, so all faults name `place`. err holds the first,
 * with where it is inside the value: "expected ... (at /0/name)". `${` has no meaning here.
 */
bool shape_check_resolved(const struct shape *shape, const cJSON *value, struct err *err);

/* JSON Schema (draft 2020-12) with $defs for the shapes that have a schema_name. The caller frees the tree. */
cJSON *shape_schema(const struct shape *shape, const char *title) MUST_USE;

/* True where the text holds a `${` that is not escaped as `$${`. */
bool shape_has_variable(const char *text);

#endif
