#include "report/result_read.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json.h"
#include "report/fields.h"

struct reader {
	struct arena *arena;
	struct err *err;
	char pointer[256];
};

static enum rc wrong(const struct reader *reader, const char *expected, const cJSON *found)
{
	char *text = found ? json_print(found) : mem_text("nothing");
	enum rc rc = err_set(reader->err, RC_INVALID, reader->pointer, "expected %s, found %.100s",
		expected, text);
	free(text);
	return rc;
}

/* Goes one step down and returns what leave() takes to come back. */
static size_t enter(struct reader *reader, const char *segment)
{
	size_t before = strlen(reader->pointer);
	json_pointer_add(reader->pointer, sizeof reader->pointer, segment);
	return before;
}

static void leave(struct reader *reader, size_t before)
{
	reader->pointer[before] = '\0';
}

static enum rc read_text(
	const struct reader *reader, const cJSON *json, bool or_null, const char **text)
{
	if (or_null && (!json || cJSON_IsNull(json))) {
		*text = NULL;
		return RC_OK;
	}
	if (!cJSON_IsString(json))
		return wrong(reader, or_null ? "a string or null" : "a string", json);
	*text = arena_text(reader->arena, json->valuestring);
	return RC_OK;
}

static enum rc read_whole(
	const struct reader *reader, const cJSON *json, int64_t most, int64_t *number)
{
	if (!cJSON_IsNumber(json))
		return wrong(reader, "a whole number", json);
	double value = json->valuedouble;
	/* Written so that NaN fails, and checked before the cast, which would be undefined out of range. */
	if (!(value >= 0 && value <= (double)most) || value != (double)(int64_t)value)
		return wrong(reader, "a whole number in range, 0 or more", json);
	*number = (int64_t)value;
	return RC_OK;
}

static enum rc read_seed(const struct reader *reader, const cJSON *json, uint64_t *seed)
{
	static const char expected[] = "a seed such as \"0x9a1f\"";
	char again[19];
	if (!cJSON_IsString(json))
		return wrong(reader, expected, json);
	*seed = strtoull(json->valuestring, NULL, 16);
	snprintf(again, sizeof again, "0x%" PRIx64, *seed);
	return strcmp(again, json->valuestring) != 0 ? wrong(reader, expected, json) : RC_OK;
}

static enum rc read_outcome(const struct reader *reader, const cJSON *json, enum outcome *outcome)
{
	static const enum outcome all[] = { OUTCOME_PASSED, OUTCOME_FAILED, OUTCOME_SKIPPED,
		OUTCOME_ERROR };
	for (size_t i = 0; cJSON_IsString(json) && i < sizeof all / sizeof *all; i++) {
		if (!strcmp(json->valuestring, outcome_word(all[i]))) {
			*outcome = all[i];
			return RC_OK;
		}
	}
	return wrong(reader, "passed, failed, skipped or error", json);
}

static enum rc read_problem(const struct reader *reader, const cJSON *json, enum problem_kind *kind)
{
	static const enum problem_kind all[] = { PROBLEM_USAGE, PROBLEM_ENVIRONMENT, PROBLEM_FLOOR,
		PROBLEM_INVALID };
	for (size_t i = 0; cJSON_IsString(json) && i < sizeof all / sizeof *all; i++) {
		if (!strcmp(json->valuestring, problem_word(all[i]))) {
			*kind = all[i];
			return RC_OK;
		}
	}
	return wrong(reader, "usage, environment, floor or invalid", json);
}

static enum rc read_number(const struct reader *reader, const cJSON *json, double *number)
{
	if (!cJSON_IsNumber(json) || !chart_holds(json->valuedouble))
		return wrong(reader, "a number between -1e18 and 1e18", json);
	*number = json->valuedouble;
	return RC_OK;
}

static enum rc read_unit(const struct reader *reader, const cJSON *json, enum unit *unit)
{
	for (int i = UNIT_COUNT; cJSON_IsString(json) && i <= UNIT_PERCENT; i++) {
		*unit = (enum unit)i;
		if (!strcmp(json->valuestring, chart_unit_word(*unit)))
			return RC_OK;
	}
	return wrong(reader, "count, ns, bytes, per_s or percent", json);
}

static enum rc read_scale(const struct reader *reader, const cJSON *json, enum chart_scale *scale)
{
	for (int i = CHART_LINEAR; cJSON_IsString(json) && i <= CHART_PERCENT; i++) {
		*scale = (enum chart_scale)i;
		if (!strcmp(json->valuestring, chart_scale_word(*scale)))
			return RC_OK;
	}
	return wrong(reader, "linear, log or percent", json);
}

static enum rc read_point(
	const struct reader *reader, const cJSON *json, double least_x, struct chart_point *point)
{
	const cJSON *x = cJSON_IsArray(json) ? json->child : NULL, *y = x ? x->next : NULL;
	if (!y || y->next)
		return wrong(reader, "two numbers [x, y]", json);
	enum rc rc = read_number(reader, x, &point->x);
	if (rc == RC_OK && point->x < least_x)
		return wrong(reader, "an x not below the one before", json);
	point->y = (double)NAN;
	return rc != RC_OK || cJSON_IsNull(y) ? rc : read_number(reader, y, &point->y);
}

static enum rc read_points(
	struct reader *reader, const cJSON *json, const struct field *field, uint8_t *object)
{
	if (!cJSON_IsArray(json))
		return wrong(reader, "a list", json);
	size_t count = 0;
	double least_x = -CHART_MOST;
	struct chart_point *points =
		arena_alloc(reader->arena, (size_t)cJSON_GetArraySize(json), sizeof *points);
	const cJSON *item;
	cJSON_ArrayForEach (item, json) {
		enum rc rc = read_point(reader, item, least_x, &points[count]);
		if (rc != RC_OK)
			return rc;
		least_x = points[count++].x;
	}
	void *list = points;
	memcpy(object + field->offset, &list, sizeof list);
	memcpy(object + field->count, &count, sizeof count);
	return RC_OK;
}

/* Objects and lists hold each other as deep as the tables of fields.c do, whatever the text holds. */
static enum rc read_object(
	struct reader *reader, const cJSON *json, const struct form *form, void *object);

static enum rc read_item(struct reader *reader, const cJSON *json, size_t index,
	const struct form *form, void *object)
{
	char segment[24];
	snprintf(segment, sizeof segment, "%zu", index);
	size_t before = enter(reader, segment);
	enum rc rc = read_object(reader, json, form, object);
	if (rc == RC_OK)
		leave(reader, before);
	return rc;
}

/* A copy of the items of the arena, where they stay. */
static void take_list(struct reader *reader, const uint8_t *items, size_t count,
	const struct field *field, uint8_t *object)
{
	void *copy = arena_alloc(reader->arena, count, field->of->size);
	if (count)
		memcpy(copy, items, count * field->of->size);
	memcpy(object + field->offset, &copy, sizeof copy);
	memcpy(object + field->count, &count, sizeof count);
}

static enum rc read_list(
	struct reader *reader, const cJSON *json, const struct field *field, uint8_t *object)
{
	if (!cJSON_IsArray(json))
		return wrong(reader, "a list", json);
	size_t size = field->of->size, count = 0, room = 0;
	uint8_t *items = NULL;
	enum rc rc = RC_OK;
	const cJSON *item;
	/* Room is made for items that were read well, not for as many as the text says. */
	cJSON_ArrayForEach (item, json) {
		if (count == room) {
			room = room ? 2 * room : 8;
			items = mem_grow(items, room, size);
		}
		memset(items + count * size, 0, size);
		rc = read_item(reader, item, count, field->of, items + count * size);
		if (rc != RC_OK)
			break;
		count++;
	}
	if (rc == RC_OK)
		take_list(reader, items, count, field, object);
	free(items);
	return rc;
}

static enum rc read_value(
	struct reader *reader, const cJSON *json, const struct field *field, uint8_t *object)
{
	void *at = object + field->offset;
	int64_t number = 0;
	enum rc rc;
	switch (field->kind) {
	case FIELD_TEXT: return read_text(reader, json, false, at);
	case FIELD_TEXT_OR_NULL: return read_text(reader, json, true, at);
	case FIELD_SEED: return read_seed(reader, json, at);
	case FIELD_NUMBER: return read_number(reader, json, at);
	case FIELD_UNIT: return read_unit(reader, json, at);
	case FIELD_SCALE: return read_scale(reader, json, at);
	case FIELD_POINTS: return read_points(reader, json, field, object);
	case FIELD_OUTCOME: return read_outcome(reader, json, at);
	case FIELD_PROBLEM: return read_problem(reader, json, at);
	case FIELD_OBJECT: return read_object(reader, json, field->of, at);
	case FIELD_LIST_OR_NONE: return json ? read_list(reader, json, field, object) : RC_OK;
	case FIELD_LIST: return read_list(reader, json, field, object);
	case FIELD_NS: return read_whole(reader, json, FIELD_MOST, at);
	case FIELD_COUNT:
		rc = read_whole(reader, json, FIELD_MOST, &number);
		*(size_t *)at = (size_t)number;
		return rc;
	case FIELD_LINE:
		rc = read_whole(reader, json, INT_MAX, &number);
		*(int *)at = (int)number;
		return rc;
	}
	BUG("no kind of field: %d", (int)field->kind);
}

static bool is_known(const struct form *form, const char *name)
{
	for (const struct field *field = form->fields; field->name; field++) {
		if (!strcmp(field->name, name))
			return true;
	}
	for (const char *const *derived = form->derived; derived && *derived; derived++) {
		if (!strcmp(*derived, name))
			return true;
	}
	return false;
}

/* The outcome says what must stand beside it, as model/result.h has it. */
static enum rc check_case(const struct reader *reader, const struct case_result *one)
{
	const char *expected = NULL;
	if (one->outcome == OUTCOME_PASSED && (one->finding_count || one->problem_count))
		expected = "a passed case without findings and problems";
	if (one->outcome == OUTCOME_FAILED && (!one->finding_count || one->problem_count))
		expected = "a failed case with findings and without problems";
	if (one->outcome == OUTCOME_SKIPPED &&
		(!one->skip_reason || one->finding_count || one->problem_count))
		expected = "a skipped case with a reason, without findings and problems";
	if (one->outcome == OUTCOME_ERROR && !one->problem_count)
		expected = "a case with an error to have problems";
	if (!expected)
		return RC_OK;
	return err_set(reader->err, RC_INVALID, reader->pointer,
		"expected %s, found %zu findings and %zu problems", expected, one->finding_count,
		one->problem_count);
}

static enum rc read_object(
	struct reader *reader, const cJSON *json, const struct form *form, void *object)
{
	if (!cJSON_IsObject(json))
		return wrong(reader, "an object", json);
	const cJSON *member;
	cJSON_ArrayForEach (member, json) {
		if (!is_known(form, member->string))
			return err_set(reader->err, RC_INVALID, reader->pointer,
				"expected a member of " FIELDS_SCHEMA ", found \"%.100s\"",
				member->string);
	}
	for (const struct field *field = form->fields; field->name; field++) {
		size_t before = enter(reader, field->name);
		enum rc rc = read_value(reader, json_get(json, field->name), field, object);
		if (rc != RC_OK)
			return rc;
		leave(reader, before);
	}
	return form == &form_case ? check_case(reader, object) : RC_OK;
}

enum rc result_read(
	struct slice text, struct arena *arena, struct run_result *result, struct err *err)
{
	struct reader reader = { .arena = arena, .err = err };
	cJSON *root = json_parse(text, err);
	if (!root)
		return RC_INVALID;
	enum rc rc = RC_OK;
	const char *schema = json_text(root, "schema");
	*result = (struct run_result){ .arena = arena };
	if (!schema || strcmp(schema, FIELDS_SCHEMA) != 0) {
		enter(&reader, "schema");
		rc = wrong(&reader, "\"" FIELDS_SCHEMA "\"", json_get(root, "schema"));
	}
	if (rc == RC_OK)
		rc = read_object(&reader, root, &form_run, result);
	cJSON_Delete(root);
	for (size_t i = 0; rc == RC_OK && i < result->case_count; i++) {
		size_t width = strlen(result->cases[i].id);
		if (width > result->id_width)
			result->id_width = width;
	}
	return rc;
}

enum rc result_read_file(
	const char *path, struct arena *arena, struct run_result *result, struct err *err)
{
	struct buf buf;
	buf_init(&buf, (size_t)RESULT_READ_MIB << 20);
	enum rc rc = buf_read_file(&buf, path, err);
	if (rc == RC_OK)
		rc = result_read(buf_slice(&buf), arena, result, err);
	buf_release(&buf);
	return rc;
}
