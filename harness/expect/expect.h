/*
 * expect: the registry of expectations: everything that may stand in an `expect` object.
 *
 * To add one: a file expect_NAME.c with its row, a line in the table of expect.c, and the pair of self-tests
 * cases/selftest/NAME.json (passes) and cases/selftest/NAME-fails.json (`must_fail`). `onus list expectations`, the
 * schema and the manual's table come from the row; expect_test.c fails where help, source or a self-test is missing.
 */
#ifndef EXPECT_EXPECT_H
#define EXPECT_EXPECT_H

#include "base/shape.h"
#include "expect/judgement.h"

enum expect_subject { EXPECT_EXCHANGE = 1, EXPECT_PROCESS = 2 };

struct expectation {
	const char *name;   /* the key: "body.dechunked" */
	const char *help;   /* one sentence */
	const char *source; /* "RFC 9110 section 8.6", or "onus" */
	unsigned subjects;  /* where it may stand */
	bool judges_time;   /* its step runs alone */
	const struct shape *shape;
	/* value is resolved and of the shape; pointer is "/name". */
	void (*check)(const struct expectation *row, struct judgement *j, const cJSON *value,
		const char *pointer);
};

/* Row by index, NULL behind the last; row by key, NULL where unknown. */
const struct expectation *expectation_at(size_t index);
const struct expectation *expectation_find(const char *name);

/*
 * Shapes of the value of `expect`: one object or a list of groups, with `when` and `any_of`, of the expectations
 * that may judge an exchange or a process.
 */
extern const struct shape expect_exchange_shape;
extern const struct shape expect_process_shape;

/*
 * Judges one group (an object, resolved; `when` is ignored, `any_of` is judged). Pointers in j are relative to the
 * group. RC_INVALID where a value that came out of a variable has the wrong form: err says which.
 */
enum rc expect_check(const cJSON *group, struct judgement *j, struct err *err) MUST_USE;

/* Does a value that is not from an answer (a matrix variable) match? For `when`. NULL value: absent. */
bool expect_matches(const cJSON *value, const cJSON *matcher, struct arena *arena);

/* True where some expectation of the (unresolved) expect value judges time. */
bool expect_judges_time(const cJSON *expect);
/* True where json or body text is read from the decoded body: the cap is 64 MiB then. */
bool expect_reads_json(const cJSON *expect);

#endif
