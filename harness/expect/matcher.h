/*
 * matcher: the little language that says what a header, a body, a JSON value or a number must be.
 *
 *	"text"  5  true		equal (a header or body: equal as text)
 *	null			absent; in JSON: null
 *	""			present and empty
 *	[1, 2]			in JSON and `when`: equal
 *	{ "has": "gzip" }	operators, all of which must hold; operator.h has their rows
 *
 * What is absent fails everything but null (not in JSON), {"exists": false}, a one_of with a matcher it passes, and a
 * same_as whose other side is absent too. So {"not": "x"} asks for something that is there and not "x".
 * A matcher is one check and at most one finding, which tells its first operator that does not hold.
 */
#ifndef EXPECT_MATCHER_H
#define EXPECT_MATCHER_H

#include "base/shape.h"
#include "expect/subject.h"

enum matcher_place {
	PLACE_HEADER = 1,  /* a field: all its lines joined by ", " */
	PLACE_FIELDS = 2,  /* "*" in `headers`: all fields */
	PLACE_BODY = 4,    /* a layer of a body */
	PLACE_TEXT = 8,    /* what a process wrote */
	PLACE_JSON = 16,   /* what a pointer found in a body */
	PLACE_NUMBER = 32, /* an exit status */
	PLACE_VALUE = 64,  /* a variable's value, in `when` */
};

/* What a place takes. */
extern const struct shape matcher_header_shape;
extern const struct shape matcher_fields_shape;
extern const struct shape matcher_body_shape;
extern const struct shape matcher_text_shape;
extern const struct shape matcher_json_shape;
extern const struct shape matcher_number_shape;
extern const struct shape matcher_value_shape;

/* A matcher at work. */
struct matching {
	struct judgement *j;
	const char *pointer; /* where findings and errors stand */
	enum matcher_place place;
	struct subject subject;
	const char *key; /* what same_as looks up elsewhere: the field's name, the JSON pointer */
	enum layer_name layer;     /* PLACE_BODY: the same */
	const cJSON *matcher;      /* the object whose operators are being asked */
	const char *found;         /* NULL, or better words for what was found */
	struct patterns *patterns; /* NULL, or those that a walk over many items keeps */
};

/* Judges the matcher, of the shape of m's place, as one check. */
void matcher_judge(struct matching *m, const cJSON *matcher, const char *what);

/* Does it hold? Sets m->found where it does not. */
bool matcher_holds(struct matching *m, const cJSON *matcher);
/* What the whole matcher asks for, of the arena of m->j: "has token gzip and 1 line". */
const char *matcher_words(const struct matching *m, const cJSON *matcher);

#endif
