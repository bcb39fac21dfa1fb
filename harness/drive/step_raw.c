#include "base/units.h"
#include "case/option.h"
#include "case/outgoing.h"
#include "drive/steps.h"

static enum rc raw_item(
	struct case_run *c, const cJSON *item, struct raw_item *raw, struct err *err)
{
	struct arena *arena = c->root.arena;
	const char *pause = json_text(item, "pause"), *text = json_text(item, "text"),
		   *hex = json_text(item, "hex");
	if (cJSON_IsString(item))
		*raw = (struct raw_item){ .kind = RAW_BYTES,
			.bytes = slice_of(arena_print(arena, "%s\r\n", item->valuestring)) };
	else if (text)
		*raw = (struct raw_item){ .kind = RAW_BYTES, .bytes = slice_of(text) };
	else if (hex)
		*raw = (struct raw_item){ .kind = RAW_BYTES, .bytes = outgoing_hex(arena, hex) };
	else if (pause)
		raw->kind = RAW_PAUSE;
	else if (cJSON_IsTrue(json_get(item, "close")))
		raw->kind = RAW_CLOSE;
	else if (cJSON_IsTrue(json_get(item, "reset")))
		raw->kind = RAW_RESET;
	else
		return err_set(err, RC_USAGE, "",
			"raw: expected one of pause, text, hex, close and reset");
	return pause ? duration_parse(pause, &raw->pause_ns, err) : RC_OK;
}

/* "GET /x HTTP/1.1" for people. */
static void name_request(struct case_run *c, struct request *request)
{
	struct slice line = slice_of("");
	for (size_t i = 0; i < request->raw_count && !line.len; i++)
		if (request->raw[i].kind == RAW_BYTES)
			line = slice_part(request->raw[i].bytes, 0,
				slice_find_byte(request->raw[i].bytes, '\r'));
	size_t space = slice_find_byte(line, ' ');
	struct slice rest = slice_part(line, space == SIZE_MAX ? line.len : space + 1, SIZE_MAX);
	request->method = arena_slice(c->root.arena, slice_part(line, 0, space));
	request->target =
		arena_slice(c->root.arena, slice_part(rest, 0, slice_find_byte(rest, ' ')));
}

bool step_raw(struct case_run *c, const struct walk_step *at, struct scope *scope)
{
	cJSON *items;
	const cJSON *item;
	struct err err = { 0 };
	struct request request = { 0 };
	enum rc rc = option_get(scope, at->step, "raw", &items, &err);
	struct raw_item *raw =
		arena_alloc(c->root.arena, (size_t)cJSON_GetArraySize(items), sizeof *raw);
	cJSON_ArrayForEach (item, items)
		if (rc == RC_OK)
			rc = raw_item(c, item, &raw[request.raw_count++], &err);
	if (rc != RC_OK) {
		judge_step_problem(c, at, rc, err.text);
		return false;
	}
	request.raw = raw;
	name_request(c, &request);
	return steps_exchange(c, at, scope, &request, "");
}
