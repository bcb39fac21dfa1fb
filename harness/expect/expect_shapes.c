/*
 * The shapes of `expect`: for each subject one object or a list of groups, of the expectations that may judge it.
 */
#include "expect/expect.h"
#include "expect/matcher.h"

static const struct shape_key *key_of(enum expect_subject subject, size_t index)
{
	const struct expectation *row;
	for (size_t i = 0; (row = expectation_at(i)); i++)
		if ((row->subjects & subject) && index-- == 0)
			return &row->key;
	return NULL;
}

static const struct shape otherwise_shape = {
	.kind = SHAPE_STRING,
	.name = "\"otherwise\"",
	.words = (const char *const[]){ "otherwise", NULL },
};
static const struct shape conditions_shape = {
	.kind = SHAPE_MAP,
	.name = "variables and what each must be",
	.items = &matcher_value_shape,
};
static const struct shape when_shape = {
	.kind = SHAPE_CHOICE,
	.name = "variables and what each must be, or \"otherwise\"",
	.literal = true,
	.choices = (const struct shape *const[]){ &otherwise_shape, &conditions_shape, NULL },
};

#define WHEN_KEY                                                                                   \
	{                                                                                          \
		"when", &when_shape,                                                               \
			"The group applies where all these variables match, or, \"otherwise\", "   \
			"where no other group with `when` does",                                   \
			false                                                                      \
	}
#define ANY_OF_KEY(alternatives)                                                                   \
	{                                                                                          \
		"any_of", &(alternatives), "At least one of these groups of expectations holds",   \
			false                                                                      \
	}

/* A group of alternatives is a group without `when`; it may hold alternatives again. */
#define SHAPES(word, subject, what)                                                                \
	static const struct shape_key *word##_key_at(size_t index)                                 \
	{                                                                                          \
		return key_of((subject), index);                                                   \
	}                                                                                          \
	static const struct shape word##_alternative;                                              \
	static const struct shape word##_alternatives = {                                          \
		.kind = SHAPE_LIST,                                                                \
		.name = "a list of groups of expectations",                                        \
		.items = &word##_alternative,                                                      \
		.min_items = 1,                                                                    \
	};                                                                                         \
	static const struct shape_key word##_keys[] = {                                            \
		WHEN_KEY,                                                                          \
		ANY_OF_KEY(word##_alternatives),                                                   \
		{ .name = NULL },                                                                  \
	};                                                                                         \
	static const struct shape word##_alternative = {                                           \
		.kind = SHAPE_OBJECT,                                                              \
		.name = "expectations on " what,                                                   \
		.schema_name = #word "_alternative",                                               \
		.keys = word##_keys + 1,                                                           \
		.key_at = word##_key_at,                                                           \
	};                                                                                         \
	static const struct shape word##_group = {                                                 \
		.kind = SHAPE_OBJECT,                                                              \
		.literal = true,                                                                   \
		.name = "expectations on " what,                                                   \
		.schema_name = #word "_group",                                                     \
		.keys = word##_keys,                                                               \
		.key_at = word##_key_at,                                                           \
	};                                                                                         \
	static const struct shape word##_groups = {                                                \
		.kind = SHAPE_LIST,                                                                \
		.literal = true,                                                                   \
		.name = "a list of groups of expectations",                                        \
		.items = &word##_group,                                                            \
		.min_items = 1,                                                                    \
	};                                                                                         \
	const struct shape expect_##word##_shape = {                                               \
		.kind = SHAPE_CHOICE,                                                              \
		.literal = true,                                                                   \
		.name = "expectations on " what ", or a list of groups of them",                   \
		.schema_name = "expect_" #word,                                                    \
		.choices = (const struct shape *const[]){ &word##_group, &word##_groups, NULL },   \
	}

SHAPES(exchange, EXPECT_EXCHANGE, "an answer");
SHAPES(process, EXPECT_PROCESS, "a program's end");
SHAPES(probe, EXPECT_PROBE, "a probe");
SHAPES(openapi, EXPECT_OPENAPI, "an OpenAPI document");
SHAPES(load, EXPECT_LOAD, "the numbers of a load");
SHAPES(hold, EXPECT_HOLD, "the numbers of held streams");

const struct shape_key *expect_exchange_key_at(size_t index)
{
	return exchange_key_at(index);
}

static const struct {
	enum expect_subject subject;
	const struct shape *whole, *group;
} SUBJECTS[] = {
	{ EXPECT_EXCHANGE, &expect_exchange_shape, &exchange_group },
	{ EXPECT_PROCESS, &expect_process_shape, &process_group },
	{ EXPECT_PROBE, &expect_probe_shape, &probe_group },
	{ EXPECT_OPENAPI, &expect_openapi_shape, &openapi_group },
	{ EXPECT_LOAD, &expect_load_shape, &load_group },
	{ EXPECT_HOLD, &expect_hold_shape, &hold_group },
};
enum { SUBJECT_COUNT = sizeof SUBJECTS / sizeof *SUBJECTS };

static size_t find(enum expect_subject subject)
{
	for (size_t i = 0; i < SUBJECT_COUNT; i++)
		if (SUBJECTS[i].subject == subject)
			return i;
	BUG("no shapes for subject %d", (int)subject);
}

const struct shape *expect_shape(enum expect_subject subject)
{
	return SUBJECTS[find(subject)].whole;
}

const struct shape *expect_group_shape(enum expect_subject subject)
{
	return SUBJECTS[find(subject)].group;
}
