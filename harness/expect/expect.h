/*
 * expect: the registry of expectations: everything that may stand in an `expect` object.
 *
 * To add one: a file expect_NAME.c with its row, a line in the table of expect.c, and the pair of self-tests
 * cases/selftest/NAME.json (passes) and cases/selftest/NAME-fails.json (`must_fail`; a dot of the name is written `-`).
 * `onus list expectations`, the schema and the manual's table come from the row; expect_test.c fails where help, source
 * or a self-test is missing.
 *
 *	judgement_init(&j, arena, &world);
 *	j.exchange = exchange;
 *	if (expect_answer(&j)) {
 *		for each group that applies: rc = expect_check(group, &j, &err);
 *		where no group expect_names() "status": expect_status_default(&j); the same for "framing"
 *	}
 */
#ifndef EXPECT_EXPECT_H
#define EXPECT_EXPECT_H

#include "base/shape.h"
#include "base/units.h"
#include "expect/judgement.h"

struct expectation {
	/* The row is its own key in the shape of `expect`: the two views have the same members in the same order. */
	union {
		struct shape_key key;
		struct {
			const char *name; /* the key: "body.dechunked" */
			const struct shape *shape;
			const char *help; /* one sentence */
		};
	};
	const char *source; /* "RFC 9110 section 8.6", or "onus" */
	unsigned subjects;  /* where it may stand */
	bool quantity;      /* a number of this unit: `${NAME}` in comparisons of the same step */
	enum unit unit;
	const char
		*selftest; /* the pair of self-tests that names it, where several rows share one */
	bool judges_time;  /* its step runs alone */
	/* value is resolved and of the shape; pointer is "/name". */
	void (*check)(const struct expectation *row, struct judgement *j, const cJSON *value,
		const char *pointer);
	/* True where judging value takes the whole text of the decoded body; NULL stands for never. */
	bool (*reads_text)(const cJSON *value);
};

/*
 * Row by index, NULL behind the last; row by key, of one of these subjects (enum expect_subject as bits), NULL where
 * there is none. A name may mean one thing of an answer and another of a load: bytes.wire.
 */
const struct expectation *expectation_at(size_t index);
const struct expectation *expectation_find(const char *name, unsigned subjects);

/*
 * Shapes of the value of `expect`: one object or a list of groups, with `when` and `any_of`, of the expectations
 * that may judge the subject.
 */
extern const struct shape expect_exchange_shape;
extern const struct shape expect_process_shape;
extern const struct shape expect_probe_shape;
extern const struct shape expect_openapi_shape;
extern const struct shape expect_load_shape;
extern const struct shape expect_hold_shape;
const struct shape *expect_shape(enum expect_subject subject);
/* One group of them. */
const struct shape *expect_group_shape(enum expect_subject subject);
/* The expectations of an exchange, for an object that stands elsewhere; NULL behind the last. */
const struct shape_key *expect_exchange_key_at(size_t index);

/*
 * The quantities that comparisons of a step may use, as an object of objects ("idle": {"p99": ...}); value gives the
 * text of each, or NULL to leave it out. The caller frees it.
 */
cJSON *expect_quantities(enum expect_subject subject,
	const char *(*value)(void *self, const struct expectation *row), void *self) MUST_USE;

/*
 * Judges one group (an object, resolved; `when` is ignored, `any_of` is judged). Pointers in j are relative to the
 * group. RC_INVALID where a value that came out of a variable has the wrong form: err says which.
 *
 * `any_of` is one check. It holds where one alternative has no finding; else the finding, at "/any_of", tells the
 * alternative that came nearest. Where some alternative names `status`, `framing` or `exit` and the group does not,
 * those that don't name it imply 2xx, strict or 0.
 */
enum rc expect_check(const cJSON *group, struct judgement *j, struct err *err) MUST_USE;

/* Does the (resolved or unresolved) group name the expectation, itself or in one of its alternatives? */
bool expect_names(const cJSON *group, const char *name);
/* Does some group of the whole value of `expect`, a group or a list of them? */
bool expect_some_names(const cJSON *expect, const char *name);

/*
 * What is implied where no group that applies names it: a status of 2xx, an answer without framing violations, an
 * exit status of 0. Not counted as a check, but a finding (at "/status", "/framing", "/exit") where it does not hold.
 */
void expect_status_default(struct judgement *j);
void expect_framing_default(struct judgement *j);
void expect_exit_default(struct judgement *j);

/*
 * Did j's exchange bring an answer that can be judged? Where it failed (refused, reset, outlasted `within`, a cap...),
 * the failure becomes a finding at "", and false is returned where there is not even a status to judge. A failure that
 * a violation of the answer's framing explains is left to `framing`, named or implied. Not counted as a check.
 */
bool expect_answer(struct judgement *j);

/* Does a value that is not from an answer (a matrix variable) match? For `when`. NULL and JSON null: absent. */
bool expect_matches(const cJSON *value, const cJSON *matcher, struct arena *arena);

/* True where some expectation of the (unresolved) expect value judges time. */
bool expect_judges_time(const cJSON *expect);
/* True where json or body text is read from the decoded body: the cap is 64 MiB then. */
bool expect_reads_json(const cJSON *expect);

#endif
