#include "expect/expect_rows.h"

#include <string.h>

/* RFC 9110 section 15. */
static const struct shape number_shape = {
	.kind = SHAPE_COUNT,
	.name = "a status such as 200, of three digits",
	.least = 100,
	.most = 999,
};
static const struct shape class_shape = {
	.kind = SHAPE_STRING,
	.name = "a class of statuses such as \"3xx\"",
	.words = (const char *const[]){ "1xx", "2xx", "3xx", "4xx", "5xx", NULL },
};
static const struct shape one_shape = {
	.kind = SHAPE_CHOICE,
	.name = "a status such as 200 or a class such as \"3xx\"",
	.choices = (const struct shape *const[]){ &number_shape, &class_shape, NULL },
};
static const struct shape list_shape = {
	.kind = SHAPE_LIST,
	.name = "a list of statuses and classes",
	.items = &one_shape,
	.min_items = 1,
};
static const struct shape status_shape = {
	.kind = SHAPE_CHOICE,
	.name = "a status such as 200, a class such as \"3xx\", or a list of them",
	.choices = (const struct shape *const[]){ &number_shape, &class_shape, &list_shape, NULL },
};

static bool holds(const cJSON *value, int status)
{
	if (cJSON_IsNumber(value))
		return value->valuedouble == status;
	if (cJSON_IsString(value))
		return status / 100 == value->valuestring[0] - '0';
	for (const cJSON *one = value->child; one; one = one->next)
		if (holds(one, status))
			return true;
	return false;
}

static const char *words(struct judgement *j, const cJSON *value)
{
	if (cJSON_IsString(value))
		return value->valuestring;
	if (!cJSON_IsArray(value))
		return arena_print(j->arena, "%.15g", value->valuedouble);
	const char *list = "one of";
	for (const cJSON *one = value->child; one; one = one->next)
		list = arena_print(
			j->arena, "%s%s %s", list, one == value->child ? "" : ",", words(j, one));
	return list;
}

static const char *found(struct judgement *j)
{
	const struct exchange *x = j->exchange;
	if (!x->status)
		return "no answer";
	if (!x->reason.len)
		return arena_print(j->arena, "%d", x->status);
	/* Escaped like all bytes from the wire, but without the quotes. */
	const char *quoted = judge_quote(j, slice_part(x->reason, 0, 40));
	return arena_print(j->arena, "%d %.*s", x->status, (int)strlen(quoted) - 2, quoted + 1);
}

static void check(
	const struct expectation *row, struct judgement *j, const cJSON *value, const char *pointer)
{
	bool held = holds(value, j->exchange->status);
	judge_check(j, held, pointer, row->name, words(j, value), held ? "" : found(j));
}

/* Where bytes came that are no HTTP answer, `framing` tells it. */
void expect_status_default(struct judgement *j)
{
	const struct exchange *x = j->exchange;
	if (!x->status && x->violation_count)
		return;
	if (x->status / 100 != 2)
		judge_finding(j, "/status", "status", "2xx", found(j));
}

const struct expectation expect_status = {
	.name = "status",
	.shape = &status_shape,
	.help = "The status code: a number, a class such as \"3xx\", or a list of them; 2xx is "
		"implied where it isn't named",
	.source = "RFC 9110 section 15",
	.subjects = EXPECT_EXCHANGE,
	.check = check,
};
