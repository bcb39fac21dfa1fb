/*
 * rules: how each keyword of OpenAPI compares and what its changes mean: the table.
 *
 * A rule says which function compares the keyword's two values and what it is when the keyword goes, comes or changes:
 * an effect. Effect and direction give the class:
 *
 *	            in requests    in answers
 *	narrowed    breaking       additive        fewer values are valid: a bound is tighter, an enum value gone
 *	widened     additive       breaking        more values are valid: clients meet what they don't know
 *	changed     breaking       breaking        neither can be told
 *	lost        breaking       breaking        a name clients may use is gone: a property, an operation, a status
 *	gained      additive       additive        a new one; a required one in a request is narrowed
 *	presumed    breaking       documentation   what is assumed where nothing is sent: default
 *	noted       documentation  documentation   for people: texts, examples, deprecated, operationId
 *
 * So a value added to an answer's enum is breaking, like every other widening of an answer. `deprecated` that is lost is
 * documentation but always told. Unknown keywords are compared as data and are changed; x-* are noted.
 *
 * To add a keyword: one row in rules.c, and where none of the functions of comparison.h fits, one more there.
 */
#ifndef OPENAPI_RULES_H
#define OPENAPI_RULES_H

#include <stdbool.h>
#include <stddef.h>

#include "openapi/changes.h"

enum direction { IN_REQUEST, IN_RESPONSE };

enum effect {
	EFFECT_NARROWED,
	EFFECT_WIDENED,
	EFFECT_CHANGED,
	EFFECT_LOST,
	EFFECT_GAINED,
	EFFECT_PRESUMED,
	EFFECT_NOTED,
};

enum object_kind {
	OBJECT_SCHEMA,
	OBJECT_ROOT,
	OBJECT_INFO,
	OBJECT_PATH_ITEM,
	OBJECT_CALLBACK,
	OBJECT_OPERATION,
	OBJECT_PARAMETER,
	OBJECT_HEADER,
	OBJECT_BODY,
	OBJECT_RESPONSE,
	OBJECT_MEDIA,
	OBJECT_ENCODING,
	OBJECT_LINK,
	OBJECT_SCHEME,
	OBJECT_EXAMPLE,
};

struct comparison;
struct sides;
struct spot;
struct rule;

struct rule {
	enum object_kind in;
	const char *keyword;
	void (*compare)(struct comparison *c, const struct rule *rule, const struct sides *sides,
		struct spot spot);
	enum effect removed, added, changed;
	enum object_kind of; /* what the value or its members are, for those functions that go on */
	bool hidden; /* the keyword is no part of `where`: "GET /x 200", not "GET /x responses 200" */
	bool aside; /* a schema that has nothing else is one that allows everything */
};

/* Never NULL: unknown keywords have a rule, too. */
const struct rule *rules_find(enum object_kind kind, const char *keyword);
enum change_class rules_class(enum effect effect, enum direction direction);

#endif
