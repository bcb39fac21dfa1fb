#include "drive/capture.h"

#include <string.h>

#include "case/option.h"
#include "expect/expect.h"
#include "expect/pattern.h"

/* The one item of a list whose members match. */
static enum rc find_where(struct arena *arena, const cJSON *list, const cJSON *where,
	const cJSON **found, struct err *err)
{
	const cJSON *item, *condition;
	size_t count = 0;
	if (!cJSON_IsArray(list))
		return err_set(err, RC_INVALID, "", "expected a list to look through");
	cJSON_ArrayForEach (item, list) {
		bool holds = true;
		cJSON_ArrayForEach (condition, where) {
			bool owned;
			cJSON *member = json_pointer(item, condition->string, false, &owned);
			holds = holds && member && expect_matches(member, condition, arena);
		}
		if (!holds)
			continue;
		*found = item;
		count++;
	}
	if (count != 1)
		return err_set(err, RC_INVALID, "",
			"expected exactly one item that matches `where`, found %zu of %d", count,
			cJSON_GetArraySize(list));
	return RC_OK;
}

static enum rc from_json(struct scope *scope, const cJSON *capture, const struct exchange *exchange,
	cJSON **value, struct err *err)
{
	const struct layer *body = &exchange->layers[LAYER_DECODED];
	const char *pointer = json_text(capture, "json"), *at = json_text(capture, "at");
	bool owned;
	struct err inner = { 0 };
	if (!body->whole)
		return err_set(err, RC_INVALID, "",
			"the body of %llu bytes is too long to be read as JSON",
			(unsigned long long)body->bytes);
	cJSON *tree = json_parse(body->kept, &inner);
	if (!tree)
		return err_set(err, RC_INVALID, "", "the body is not JSON: %s", inner.text);
	scope_keep(scope->root, tree);
	cJSON *list = json_pointer(tree, pointer, true, &owned);
	/* With `*` what is taken is the list of all that matched; of none at all nothing could be said. */
	if (list && owned)
		scope_keep(scope->root, list);
	const cJSON *found = owned && list && !list->child ? NULL : list;
	if (!found)
		return err_set(err, RC_INVALID, "", "nothing stands at \"%s\"", pointer);
	const cJSON *where = json_get(capture, "where");
	if (where) {
		enum rc rc = find_where(scope->root->arena, found, where, &found, err);
		if (rc != RC_OK)
			return rc;
		found = json_pointer(found, at, false, &owned);
	}
	if (!found)
		return err_set(err, RC_INVALID, "", "the item has nothing at \"%s\"", at);
	*value = cJSON_Duplicate(found, true);
	return RC_OK;
}

static enum rc from_text(struct scope *scope, const cJSON *capture, const struct exchange *exchange,
	cJSON **value, struct err *err)
{
	struct slice text, group;
	const char *header = json_text(capture, "header"), *pattern = json_text(capture, "matches");
	if (header) {
		const char *field = exchange_header(exchange, header);
		if (!field || exchange_header_lines(exchange, header) != 1)
			return err_set(err, RC_INVALID, "", "expected one line of %s, found %zu",
				header, exchange_header_lines(exchange, header));
		text = slice_of(field);
	} else {
		text = exchange->layers[LAYER_DECODED].kept;
		if (!exchange->layers[LAYER_DECODED].whole)
			return err_set(err, RC_INVALID, "",
				"the body of %llu bytes is too long to be taken",
				(unsigned long long)exchange->layers[LAYER_DECODED].bytes);
	}
	if (pattern) {
		bool found;
		enum rc rc = pattern_find(pattern, text, &found, NULL, &group, err);
		if (rc != RC_OK)
			return rc;
		if (!found || !group.ptr)
			return err_set(
				err, RC_INVALID, "", "group 1 of \"%s\" matches nothing", pattern);
		text = group;
	}
	*value = cJSON_CreateString(arena_slice(scope->root->arena, text));
	return RC_OK;
}

enum rc capture_all(const struct walk_step *at, struct scope *scope,
	const struct exchange *exchange, struct err *err)
{
	cJSON *captures, *value = NULL;
	const cJSON *capture;
	enum rc rc = option_get(scope, at->step, "capture", &captures, err);
	if (rc != RC_OK || !captures)
		return rc;
	cJSON_ArrayForEach (capture, captures) {
		struct err inner = { 0 };
		rc = json_get(capture, "json")
			     ? from_json(scope, capture, exchange, &value, &inner)
			     : from_text(scope, capture, exchange, &value, &inner);
		if (rc != RC_OK)
			/* A pattern that takes too long is wrong, whatever the answer. */
			return err_set(err, rc == RC_LIMIT ? RC_USAGE : RC_INVALID, "",
				"capture %s: %s", capture->string, inner.text);
		bool secret = cJSON_IsTrue(json_get(capture, "secret"));
		scope_bind_owned(at->names, capture->string, value,
			secret ? BINDING_SECRET : BINDING_RECEIVED);
	}
	return RC_OK;
}
