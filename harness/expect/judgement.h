/*
 * judgement: where an expectation's checks are counted and its findings collected.
 *
 * Each comparison that an expectation makes is one judge_check(), held or not: that is how a case without checks is
 * told from one that passed. A scratch judgement (any_of) collects without telling.
 */
#ifndef EXPECT_JUDGEMENT_H
#define EXPECT_JUDGEMENT_H

#include "base/arena.h"
#include "base/err.h"
#include "model/exchange.h"
#include "model/measure.h"
#include "model/process.h"

/* What may be judged; a bit each. What a step measures is judged by that step alone. */
enum expect_subject {
	EXPECT_EXCHANGE = 1,
	EXPECT_PROCESS = 2,
	EXPECT_PROBE = 4,
	EXPECT_OPENAPI = 8,
	EXPECT_LOAD = 16,
	EXPECT_HOLD = 32,
};

enum { JUDGE_TEXT_BYTES = 400, JUDGE_QUOTE_BYTES = 200 };

struct document;

/* One broken check. pointer is relative to the group: "/headers/Vary". */
struct broken {
	const char *pointer, *what, *expected, *found;
};

/* What `same_as` and `root:`/`file:` need of whoever runs the case. */
struct judge_world {
	void *self;
	/* An earlier step's exchange by its name; NULL where no such step has run. */
	const struct exchange *(*named)(void *self, const char *name);
	/* "root:assets/app.css" or "file:photo.png" to a path, of arena; NULL with err set. */
	const char *(*path)(
		void *self, const char *reference, struct arena *arena, struct err *err);
};

struct judgement {
	struct arena *arena;               /* of the case; texts are taken from it */
	const struct exchange *exchange;   /* what is judged, or NULL */
	const struct process_end *process; /* what is judged, or NULL */
	const struct measures *measures;   /* what is judged, or NULL */
	enum expect_subject measured;      /* what the measures are of */
	const struct document *document;   /* of OpenAPI, with them; or NULL */
	const struct judge_world *world;   /* NULL: there are no other steps and no files */
	size_t checks;
	struct broken *broken;
	size_t broken_count;
	/* Set where the case itself is wrong as only a run can tell (a same_as without file): exit 2. */
	struct err error;
	bool has_error;
	/* Set where a number that may not be used would have been judged: exit 5. */
	struct err spoiled;
	bool has_spoiled;
};

void judgement_init(struct judgement *j, struct arena *arena, const struct judge_world *world);

/* Counts a check. Where it did not hold, expected and found (texts for people, cut to 400 bytes) are kept. */
void judge_check(struct judgement *j, bool holds, const char *pointer, const char *what,
	const char *expected, const char *found);
/* A finding that is no check: what is implied, and an answer that never came. */
void judge_finding(struct judgement *j, const char *pointer, const char *what, const char *expected,
	const char *found);
/* The case cannot be judged; the first one is kept, with pointer as its `where`. */
void judge_error(struct judgement *j, const char *pointer, const char *format, ...) PRINTF(3, 4);

/* The check cannot be made, since its number may not be used; the first one is kept. */
void judge_spoiled(struct judgement *j, const char *pointer, const char *what, const char *why);

/*
 * Bytes for people, of the arena: quoted, control bytes and what is not UTF-8 as \xNN, cut to about 200 bytes with
 * "... (N bytes)". "absent" where ptr is NULL.
 */
const char *judge_quote(struct judgement *j, struct slice bytes);

#endif
