/* Lists of whole numbers: a range, the numbers around a limit, a ladder of sizes. */
#include <math.h>

#include "case/generator.h"

static const struct shape integer_shape = { .kind = SHAPE_NUMBER, .name = "a whole number" };

static const struct shape range_shape = { .kind = SHAPE_OBJECT,
	.name = "a range",
	.keys = (const struct shape_key[]){
		{ "generate", &generator_kind_shape, "whole numbers from one to another", true },
		{ "from", &integer_shape, "the first", true },
		{ "to", &integer_shape, "the last, included", true },
		{ "step", &integer_shape, "the distance between two, 1 by default", false },
		{ 0 } } };
static const struct shape around_shape = { .kind = SHAPE_OBJECT,
	.name = "numbers around a limit",
	.keys = (const struct shape_key[]){ { "generate", &generator_kind_shape,
						    "the number below a limit, the limit, and the "
						    "one above it",
						    true },
		{ "of", &generator_size_shape, "the limit", true },
		{ "by", &generator_size_shape, "how far below and above, 1 by default", false },
		{ 0 } } };
static const struct shape ladder_shape = { .kind = SHAPE_OBJECT,
	.name = "a ladder of sizes",
	.keys = (const struct shape_key[]){
		{ "generate", &generator_kind_shape, "sizes that grow by a factor", true },
		{ "from", &generator_size_shape, "the first", true },
		{ "to", &generator_size_shape, "the last, included", true },
		{ "factor", &generator_count_shape, "2 by default", false }, { 0 } } };

/* Beyond it there are numbers that a double does not have. */
#define WHOLE_MAX (INT64_C(1) << 53)

static enum rc check_whole(const cJSON *settings, const char *key, struct err *err)
{
	const cJSON *value = json_get(settings, key);
	double number = cJSON_IsNumber(value) ? value->valuedouble : 0;
	if (number == floor(number) && fabs(number) <= 0x1p53)
		return RC_OK;
	return err_set(err, RC_USAGE, "", "%s: expected a whole number, found %g", key, number);
}

static void add(cJSON *list, int64_t number)
{
	cJSON_AddItemToArray(list, cJSON_CreateNumber((double)number));
}

static enum rc make_range(
	struct scope_root *root, const cJSON *settings, cJSON **made, struct err *err)
{
	(void)root;
	static const char *const KEYS[] = { "from", "to", "step" };
	for (size_t i = 0; i < sizeof KEYS / sizeof *KEYS; i++)
		if (check_whole(settings, KEYS[i], err) != RC_OK)
			return RC_USAGE;
	int64_t from = generator_whole(settings, "from", 0),
		to = generator_whole(settings, "to", 0),
		step = generator_whole(settings, "step", 1);
	if (step == 0 || (to > from && step < 0) || (to < from && step > 0))
		return err_set(err, RC_USAGE, "", "a range from %ld to %ld has no step of %ld",
			(long)from, (long)to, (long)step);
	int64_t count = (to - from) / step + 1;
	if (count > GENERATOR_COUNT_MAX)
		return err_set(err, RC_USAGE, "", "a range of %ld values is longer than %d",
			(long)count, GENERATOR_COUNT_MAX);
	*made = cJSON_CreateArray();
	for (int64_t i = 0; i < count; i++)
		add(*made, from + i * step);
	return RC_OK;
}

static enum rc make_around(
	struct scope_root *root, const cJSON *settings, cJSON **made, struct err *err)
{
	(void)root;
	int64_t limit = generator_whole(settings, "of", 0), by = generator_whole(settings, "by", 1);
	if (by < 1 || by > limit)
		return err_set(err, RC_USAGE, "",
			"by: expected 1 to %ld, so that nothing is below 0, found %ld", (long)limit,
			(long)by);
	if (limit > WHOLE_MAX - by)
		return err_set(err, RC_USAGE, "",
			"expected a limit and what is added to it of at most 2^53, where numbers are exact");
	*made = cJSON_CreateArray();
	add(*made, limit - by);
	add(*made, limit);
	add(*made, limit + by);
	return RC_OK;
}

static enum rc make_ladder(
	struct scope_root *root, const cJSON *settings, cJSON **made, struct err *err)
{
	(void)root;
	int64_t from = generator_whole(settings, "from", 0),
		to = generator_whole(settings, "to", 0),
		factor = generator_whole(settings, "factor", 2);
	if (from < 1 || to < from)
		return err_set(err, RC_USAGE, "",
			"expected a ladder from 1 or more up to as much or more, found %ld to %ld",
			(long)from, (long)to);
	if (factor < 2)
		return err_set(
			err, RC_USAGE, "", "factor: expected 2 or more, found %ld", (long)factor);
	*made = cJSON_CreateArray();
	int64_t at = from;
	for (; at < to && at <= to / factor; at *= factor)
		add(*made, at);
	if (at < to)
		add(*made, at);
	add(*made, to);
	return RC_OK;
}

const struct generator generator_range = { "range", &range_shape, make_range };
const struct generator generator_around = { "around", &around_shape, make_around };
const struct generator generator_ladder = { "ladder", &ladder_shape, make_ladder };
