/*
 * large_testing: large documents made by arithmetic, the same in the words of 3.0 and of 3.1, with one place that can be
 * changed. For the tests of this folder only.
 *
 * Every component refers to others in circles (properties, items, allOf, oneOf, nullable ones); answers use components
 * S0 and on, requests R0 and on, so that a change in one of them is one change.
 */
#ifndef OPENAPI_LARGE_TESTING_H
#define OPENAPI_LARGE_TESTING_H

#include <check.h>

#include "base/buf.h"

struct large {
	unsigned minor; /* 0 or 1 */
	size_t operations, components, properties;
	/* The place: property p1 of component `at`, where `kind` says what is different. at SIZE_MAX: nothing. */
	size_t at;
	enum place_kind { PLACE_TYPE, PLACE_GONE, PLACE_ENUM, PLACE_TEXT } kind;
};

#define SAY(...) ck_assert(buf_print(buf, __VA_ARGS__) == RC_OK)

/* p1, the one that may change. */
static inline void say_place(struct buf *buf, const struct large *large, bool changed)
{
	if (changed && large->kind == PLACE_GONE)
		return;
	SAY("\"p1\":{\"type\":\"%s\",\"description\":\"%s\",\"enum\":[\"a\",\"b\"%s]},",
		changed && large->kind == PLACE_TYPE ? "integer" : "string",
		changed && large->kind == PLACE_TEXT ? "another" : "the place",
		changed && large->kind == PLACE_ENUM ? ",\"c\"" : "");
}

static inline void say_property(
	struct buf *buf, const struct large *large, char letter, size_t i, size_t p)
{
	size_t other = (i * 7 + p * 13 + 1) % large->components;
	bool old = large->minor == 0;
	SAY("\"p%zu\":", p);
	switch (p % 8) {
	case 0: SAY("{\"$ref\":\"#/components/schemas/%c%zu\"}", letter, other); break;
	case 1:
		SAY("{\"type\":\"array\",\"items\":{\"$ref\":\"#/components/schemas/%c%zu\"}}",
			letter, other);
		break;
	case 2:
		SAY(old ? "{\"type\":\"string\",\"nullable\":true,\"maxLength\":%zu}"
			: "{\"type\":[\"null\",\"string\"],\"maxLength\":%zu}",
			p + i % 5);
		break;
	case 3:
		SAY(old ? "{\"nullable\":true,\"allOf\":[{\"$ref\":\"#/components/schemas/%c%zu\"}]}"
			: "{\"anyOf\":[{\"$ref\":\"#/components/schemas/%c%zu\"},{\"type\":\"null\"}]}",
			letter, other);
		break;
	case 4:
		SAY("{\"oneOf\":[{\"$ref\":\"#/components/schemas/%c%zu\"},{\"type\":\"string\"},"
		    "{\"$ref\":\"#/components/schemas/%c%zu\"}]}",
			letter, other, letter, (other + 1) % large->components);
		break;
	case 5:
		SAY(old ? "{\"type\":\"number\",\"minimum\":%zu,\"exclusiveMinimum\":true}"
			: "{\"type\":\"number\",\"exclusiveMinimum\":%zu}",
			i % 10);
		break;
	case 6:
		SAY(old ? "{\"type\":\"string\",\"format\":\"binary\",\"title\":\"%c%zu\"}"
			: "{\"type\":\"string\",\"contentMediaType\":\"application/octet-stream\","
			  "\"title\":\"%c%zu\"}",
			letter, i);
		break;
	default:
		SAY("{\"type\":\"object\",\"required\":[\"x\",\"y\"],\"properties\":{\"x\":{\"type\":"
		    "\"integer\"},\"y\":{\"type\":\"boolean\",\"description\":\"of %c%zu\"}}}",
			letter, i);
	}
}

static inline void say_component(struct buf *buf, const struct large *large, char letter, size_t i)
{
	SAY("\"%c%zu\":{\"allOf\":[", letter, i);
	/* Chains of four: a circle of allOf would allow nothing. */
	if (i % 4 != 3 && i + 1 < large->components)
		SAY("{\"$ref\":\"#/components/schemas/%c%zu\"},", letter, i + 1);
	SAY("{\"type\":\"object\",\"required\":[\"p2\",\"p5\"],\"properties\":{");
	say_place(buf, large, letter == 'S' && i == large->at);
	for (size_t p = 2; p < large->properties; p++) {
		say_property(buf, large, letter, i, p);
		SAY(p + 1 < large->properties ? "," : "}}]}");
	}
}

static inline void say_operation(struct buf *buf, const struct large *large, size_t i)
{
	size_t component = i % large->components;
	SAY("%s\"/things/%zu/{id}\":{\"post\":{\"operationId\":\"op%zu\",\"tags\":[\"a\",\"b\"],"
	    "\"parameters\":[{\"in\":\"path\",\"name\":\"id\",\"required\":true,\"schema\":{\"type\":"
	    "\"integer\"}},{\"in\":\"query\",\"name\":\"limit\",\"schema\":{\"type\":\"integer\","
	    "\"maximum\":%zu}}],",
		i ? "," : "", i, i, 10 + i % 90);
	SAY("\"requestBody\":{\"required\":true,\"content\":{\"application/json\":{\"schema\":{\"$ref\":"
	    "\"#/components/schemas/R%zu\"}}}},",
		component);
	SAY("\"responses\":{\"200\":{\"description\":\"a thing\",\"content\":{\"application/json\":{"
	    "\"schema\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/components/schemas/S%zu\"}}}}},"
	    "\"422\":{\"description\":\"no\"}}}}",
		component);
}

/* The caller frees it. */
static inline char *large_text(const struct large *large)
{
	struct buf whole, *buf = &whole;
	buf_init(buf, 64 << 20);
	SAY("{\"openapi\":\"3.%u.0\",\"info\":{\"title\":\"large\",\"version\":\"1\"},\"paths\":{",
		large->minor);
	for (size_t i = 0; i < large->operations; i++)
		say_operation(buf, large, i);
	SAY("},\"components\":{\"schemas\":{");
	for (size_t i = 0; i < large->components; i++) {
		SAY(i ? "," : "");
		say_component(buf, large, 'S', i);
		SAY(",");
		say_component(buf, large, 'R', i);
	}
	SAY("}}}");
	return (char *)whole.data;
}

#endif
