/*
 * compare_testing: documents made of fragments, the same in another order, and what a comparison says, as text. For the
 * tests of this folder only.
 */
#ifndef OPENAPI_COMPARE_TESTING_H
#define OPENAPI_COMPARE_TESTING_H

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "openapi/compare.h"
#include "openapi/shuffle_testing.h"

enum fragment {
	ANSWER,    /* the schema of GET /x 200 application/json */
	REQUEST,   /* the schema of POST /x request application/json */
	OPERATION, /* members of GET /x, whose answers stay */
	PATHS,     /* members of paths */
	DOCUMENT,  /* members of the document beside openapi */
};

struct row {
	const char *why;
	enum fragment fragment;
	const char *old, *new;
	const char *changes; /* "breaking GET /x ... removed\n", one a line; "" for none */
	const char *old_version, *new_version; /* 3.1.0 where NULL */
};

/* Components that fragments may refer to. */
#define COMPONENTS                                                                                               \
	"\"components\":{\"schemas\":{"                                                                          \
	"\"Cat\":{\"type\":\"object\",\"required\":[\"meow\"],\"properties\":{\"meow\":{\"type\":\"string\"}}}," \
	"\"Dog\":{\"type\":\"object\",\"properties\":{\"bark\":{\"type\":\"integer\"}}},"                        \
	"\"Tree\":{\"type\":\"object\",\"properties\":{\"next\":{\"$ref\":\"#/components/schemas/Tree\"}}}}}"

static inline char *whole(enum fragment fragment, const char *text, const char *version)
{
	static const char *const FORMS[] = {
		[ANSWER] =
			"{\"openapi\":\"%s\",\"paths\":{\"/x\":{\"get\":{\"responses\":{\"200\":"
			"{\"content\":{\"application/json\":{\"schema\":%s}}}}}}}," COMPONENTS "}",
		[REQUEST] =
			"{\"openapi\":\"%s\",\"paths\":{\"/x\":{\"post\":{\"requestBody\":"
			"{\"content\":{\"application/json\":{\"schema\":%s}}}}}}," COMPONENTS "}",
		[OPERATION] =
			"{\"openapi\":\"%s\",\"paths\":{\"/x\":{\"get\":{%s}}}," COMPONENTS "}",
		[PATHS] = "{\"openapi\":\"%s\",\"paths\":{%s}," COMPONENTS "}",
		[DOCUMENT] = "{\"openapi\":\"%s\",%s}",
	};
	struct buf buf;
	buf_init(&buf, 1 << 20);
	for (const char *at = FORMS[fragment]; *at; at++) {
		bool first = at == strstr(FORMS[fragment], "%s"), hole = at[0] == '%';
		enum rc rc = hole ? buf_text(&buf, first ? version ? version : "3.1.0" : text)
				  : buf_print(&buf, "%c", *at);
		ck_assert(rc == RC_OK);
		at += hole;
	}
	return (char *)buf.data;
}

static inline struct document *read_text(const char *text)
{
	struct err err = { 0 };
	struct document *document;
	enum rc rc = document_read(slice_of(text), "test", &document, &err);
	ck_assert_msg(rc == RC_OK, "%s\n%.2000s", err.text, text);
	return document;
}

static inline struct document *read_shuffled(const char *text, uint64_t seed)
{
	struct rng rng;
	struct err err = { 0 };
	rng_init(&rng, seed, "shuffle");
	cJSON *tree = json_parse(slice_of(text), &err);
	ck_assert_msg(tree != NULL, "%s", err.text);
	shuffle(tree, &rng);
	char *shuffled = json_print(tree);
	struct document *document = read_text(shuffled);
	free(shuffled);
	cJSON_Delete(tree);
	return document;
}

static inline char *changes_text(const struct document *old, const struct document *new)
{
	struct changes changes;
	struct buf buf;
	buf_init(&buf, 1 << 22);
	compare_documents(old, new, &changes);
	ck_assert(buf_text(&buf, "") == RC_OK);
	for (size_t i = 0; i < changes.count; i++)
		ck_assert(buf_print(&buf, "%s %s %s\n", change_class_name(changes.list[i].class),
				  changes.list[i].where, changes.list[i].what) == RC_OK);
	changes_release(&changes);
	char *text = mem_text(buf.data ? (const char *)buf.data : "");
	buf_release(&buf);
	return text;
}

/* Nothing changes between a document, itself and the same in another order. */
static inline void check_same(const char *text, const char *why)
{
	struct document *one = read_text(text), *two = read_text(text);
	struct document *other = read_shuffled(text, 7);
	const struct document *pairs[][2] = { { one, two }, { one, other }, { other, one } };
	for (size_t i = 0; i < 3; i++) {
		char *found = changes_text(pairs[i][0], pairs[i][1]);
		ck_assert_msg(!*found, "%s: pair %zu differs from itself:\n%s%.2000s", why, i,
			found, text);
		free(found);
	}
	document_free(one);
	document_free(two);
	document_free(other);
}

static inline void check_row(const struct row *row)
{
	char *old_text = whole(row->fragment, row->old, row->old_version);
	char *new_text = whole(row->fragment, row->new, row->new_version);
	struct document *old = read_text(old_text), *new = read_text(new_text);
	struct document *shuffled = read_shuffled(new_text, 3);
	char *found = changes_text(old, new), *again = changes_text(old, shuffled);
	ck_assert_msg(strcmp(found, row->changes) == 0, "%s: expected\n%sfound\n%s", row->why,
		row->changes, found);
	ck_assert_msg(strlen(again) == strlen(found), "%s: in another order\n%s", row->why, again);
	check_same(old_text, row->why);
	check_same(new_text, row->why);
	free(found);
	free(again);
	free(old_text);
	free(new_text);
	document_free(old);
	document_free(new);
	document_free(shuffled);
}

#endif
