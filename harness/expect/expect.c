#include "expect/expect.h"

#include <stdio.h>
#include <string.h>

#include "expect/expect_rows.h"
#include "expect/matcher.h"

#define SPREAD(rows)                                                                               \
	&(rows)[0], &(rows)[1], &(rows)[2], &(rows)[3], &(rows)[4], &(rows)[5], &(rows)[6]

static const struct expectation *const rows[] = {
	&expect_status,
	&expect_headers,
	&expect_body,
	&expect_body_dechunked,
	&expect_body_wire,
	&expect_json,
	&expect_coding,
	&expect_length,
	&expect_framing,
	&expect_connection,
	&expect_bytes_wire,
	&expect_bytes_dechunked,
	&expect_bytes_decoded,
	&expect_time_headers,
	&expect_time_first_byte,
	&expect_time_total,
	&expect_gap_max,
	&expect_exit,
	&expect_stdout,
	&expect_stderr,
	SPREAD(expect_idle),
	SPREAD(expect_probe),
	&expect_probe_silence,
	&expect_probe_silence_share,
	SPREAD(expect_send_lag),
	&expect_streams_held,
	&expect_streams_memory_each,
	&expect_streams_delivered,
	&expect_routes_total,
	&expect_routes_guarded,
	&expect_routes_deprecated,
	&expect_routes_swept,
	&expect_document,
};
enum { ROW_COUNT = sizeof rows / sizeof(const struct expectation *) };

const struct expectation *expectation_at(size_t index)
{
	if (index < ROW_COUNT)
		return rows[index];
	index -= ROW_COUNT;
	if (index < expect_load_count)
		return &expect_load[index];
	index -= expect_load_count;
	return index < expect_sut_count ? &expect_sut[index] : NULL;
}

const struct expectation *expectation_find(const char *name, unsigned subjects)
{
	const struct expectation *row;
	for (size_t i = 0; (row = expectation_at(i)); i++)
		if ((row->subjects & subjects) && !strcmp(row->name, name))
			return row;
	return NULL;
}

cJSON *expect_quantities(enum expect_subject subject,
	const char *(*value)(void *self, const struct expectation *row), void *self)
{
	cJSON *words = cJSON_CreateObject();
	const struct expectation *row;
	for (size_t i = 0; (row = expectation_at(i)); i++) {
		bool applies = row->quantity && (row->subjects & subject);
		const char *text = applies ? value(self, row) : NULL;
		if (text)
			json_put_dotted(words, row->name, text);
	}
	return words;
}

static void judge_group(const cJSON *group, struct judgement *j);

static bool some_alternative_names(const cJSON *group, const char *name)
{
	const cJSON *list = json_get(group, "any_of");
	for (const cJSON *one = list ? list->child : NULL; one; one = one->next)
		if (expect_names(one, name))
			return true;
	return false;
}

bool expect_names(const cJSON *group, const char *name)
{
	return json_get(group, name) || some_alternative_names(group, name);
}

bool expect_some_names(const cJSON *expect, const char *name)
{
	const cJSON *group = cJSON_IsArray(expect) ? expect->child : NULL;
	for (; group; group = group->next)
		if (expect_names(group, name))
			return true;
	return cJSON_IsObject(expect) && expect_names(expect, name);
}

/* Why the alternative that came nearest does not hold; "any_of" itself where it holds. */
static const char *nearest_words(struct judgement *j, const struct judgement *nearest, size_t index)
{
	const struct broken *b = nearest->broken;
	const char *more = "";
	if (!b)
		BUG("a list of alternatives without any went past its shape");
	if (nearest->broken_count > 1)
		more = arena_print(j->arena, " (and %zu more)", nearest->broken_count - 1);
	return arena_print(j->arena, "number %zu came nearest: %s: expected %s, found %s%s", index,
		b->what, b->expected, b->found, more);
}

/*
 * What is implied where it isn't named. A group none of whose alternatives names it leaves that to whoever runs the case;
 * where some do, the others imply it.
 */
static const struct {
	const char *name;
	void (*judge)(struct judgement *j);
} implied[] = {
	{ "status", expect_status_default },
	{ "framing", expect_framing_default },
	{ "exit", expect_exit_default },
};

static void judge_implied(const cJSON *group, const cJSON *alternative, struct judgement *j)
{
	for (size_t i = 0; i < sizeof implied / sizeof *implied; i++) {
		const char *name = implied[i].name;
		bool elsewhere = !json_get(group, name) && some_alternative_names(group, name);
		if (elsewhere && !expect_names(alternative, name))
			implied[i].judge(j);
	}
}

static void judge_any_of(const cJSON *group, struct judgement *j)
{
	const cJSON *list = json_get(group, "any_of"), *alternative;
	struct judgement nearest = { .broken_count = SIZE_MAX };
	size_t index = 0, nearest_index = 0;
	cJSON_ArrayForEach (alternative, list) {
		struct judgement scratch;
		judgement_init(&scratch, j->arena, j->world);
		scratch.exchange = j->exchange;
		scratch.process = j->process;
		scratch.measures = j->measures;
		scratch.measured = j->measured;
		scratch.document = j->document;
		judge_group(alternative, &scratch);
		judge_implied(group, alternative, &scratch);
		if (scratch.has_spoiled)
			judge_spoiled(j, "/any_of", "any_of", scratch.spoiled.text);
		if (scratch.has_error)
			judge_error(j, "/any_of", "%s", scratch.error.text);
		if (scratch.broken_count < nearest.broken_count) {
			nearest = scratch;
			nearest_index = index;
		}
		index++;
	}
	bool holds = nearest.broken_count == 0;
	judge_check(j, holds, "/any_of", "any_of",
		arena_print(j->arena, "one of %zu alternatives", index),
		holds ? "" : nearest_words(j, &nearest, nearest_index));
}

static enum expect_subject subject_of(const struct judgement *j)
{
	if (j->exchange)
		return EXPECT_EXCHANGE;
	return j->measures ? j->measured : EXPECT_PROCESS;
}

static void judge_group(const cJSON *group, struct judgement *j)
{
	char pointer[64];
	const cJSON *value;
	cJSON_ArrayForEach (value, group) {
		if (!strcmp(value->string, "any_of"))
			judge_any_of(group, j);
		const struct expectation *row = expectation_find(value->string, subject_of(j));
		if (!row)
			continue;
		snprintf(pointer, sizeof pointer, "/%s", row->name);
		row->check(row, j, value, pointer);
	}
}

enum rc expect_check(const cJSON *group, struct judgement *j, struct err *err)
{
	if (!shape_check_resolved(expect_group_shape(subject_of(j)), group, err))
		return RC_INVALID;
	judge_group(group, j);
	return RC_OK;
}

bool expect_matches(const cJSON *value, const cJSON *matcher, struct arena *arena)
{
	struct judgement j;
	struct err err;
	judgement_init(&j, arena, NULL);
	if (!shape_check_resolved(&matcher_value_shape, matcher, &err))
		return false;
	struct matching m = {
		.j = &j,
		.pointer = "",
		.place = PLACE_VALUE,
		.subject = subject_json(cJSON_IsNull(value) ? NULL : value),
	};
	return matcher_holds(&m, matcher) && !j.has_error;
}

/* Does some key of the groups, or of their alternatives, have it? */
static bool any_row(const cJSON *expect, bool (*has)(const struct expectation *, const cJSON *))
{
	const cJSON *part;
	cJSON_ArrayForEach (part, expect) {
		const struct expectation *row =
			part->string ? expectation_find(part->string, ~0U) : NULL;
		if (row && has(row, part))
			return true;
		bool holds_groups = !part->string || !strcmp(part->string, "any_of");
		if (holds_groups && any_row(part, has))
			return true;
	}
	return false;
}

static bool judges_time(const struct expectation *row, const cJSON *value)
{
	(void)value;
	return row->judges_time;
}

static bool reads_text(const struct expectation *row, const cJSON *value)
{
	return row->reads_text && row->reads_text(value);
}

bool expect_judges_time(const cJSON *expect)
{
	return any_row(expect, judges_time);
}

bool expect_reads_json(const cJSON *expect)
{
	return any_row(expect, reads_text);
}
