#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"

/* Goes over a segment: the next character of its name, with *at behind it; 0 at its end. */
static char next_character(const char **at)
{
	if (**at == 0 || **at == '/')
		return 0;
	char c = *(*at)++;
	if (c != '~')
		return c;
	c = **at == '1' ? '/' : '~';
	*at += **at == '0' || **at == '1';
	return c;
}

static bool segment_is(const char *segment, const char *key)
{
	char c;
	do {
		c = next_character(&segment);
		if (c != *key++)
			return false;
	} while (c);
	return true;
}

static const char *segment_end(const char *segment)
{
	return segment + strcspn(segment, "/");
}

/* RFC 6901, section 4: digits without leading zeros. `-`, the item behind the last, is never there. */
static const cJSON *item_at(const cJSON *list, const char *segment)
{
	uint64_t index;
	struct slice digits = slice_from(segment, (size_t)(segment_end(segment) - segment));
	if (digits.len > 1 && digits.ptr[0] == '0')
		return NULL;
	if (!slice_number(digits, INT32_MAX, &index))
		return NULL;
	return cJSON_GetArrayItem(list, (int)index);
}

static const cJSON *member_at(const cJSON *object, const char *segment)
{
	for (const cJSON *member = object->child; member; member = member->next)
		if (segment_is(segment, member->string))
			return member;
	return NULL;
}

/* What is in the tree goes into the list by reference: the list does not own it. */
static void add_reference(cJSON *list, const cJSON *item)
{
	if (!cJSON_AddItemReferenceToArray(list, (cJSON *)item))
		BUG("a list that takes no item");
}

static cJSON *collect(const cJSON *list, const char *rest)
{
	cJSON *all = cJSON_CreateArray();
	if (!all)
		BUG("no memory for a list");
	for (const cJSON *item = list->child; item; item = item->next) {
		bool owned = false;
		/* One for one: what is null stays so, whatever would have been looked for in it. */
		cJSON *found =
			cJSON_IsNull(item) ? (cJSON *)item : json_pointer(item, rest, true, &owned);
		if (cJSON_IsArray(found)) {
			/* RFC 8620, section 3.7: results that are lists are joined. */
			for (const cJSON *each = found->child; each; each = each->next)
				add_reference(all, each);
		} else if (found) {
			add_reference(all, found);
		}
		if (owned)
			cJSON_Delete(found);
	}
	return all;
}

cJSON *json_pointer(const cJSON *root, const char *pointer, bool star, bool *owned)
{
	const cJSON *at = root;
	*owned = false;
	if (!json_pointer_valid(pointer, NULL))
		return NULL;
	while (at && *pointer) {
		const char *segment = pointer + 1;
		pointer = segment_end(segment);
		if (star && cJSON_IsArray(at) && segment[0] == '*' && pointer == segment + 1) {
			*owned = true;
			return collect(at, pointer);
		}
		if (cJSON_IsArray(at))
			at = item_at(at, segment);
		else if (cJSON_IsObject(at))
			at = member_at(at, segment);
		else
			at = NULL;
	}
	return (cJSON *)at;
}

bool json_pointer_valid(const char *pointer, struct err *err)
{
	if (*pointer && *pointer != '/') {
		(void)err_set(err, RC_INVALID, NULL,
			"expected a JSON pointer such as \"/list/0/name\", found \"%.80s\"",
			pointer);
		return false;
	}
	for (const char *at = pointer; *at; at++) {
		if (*at != '~' || at[1] == '0' || at[1] == '1')
			continue;
		(void)err_set(err, RC_INVALID, NULL,
			"expected ~0 (for ~) or ~1 (for /) in a JSON pointer, found \"%.80s\"", at);
		return false;
	}
	return true;
}

void json_pointer_add(char *text, size_t size, const char *segment)
{
	size_t used = strlen(text);
	char next[3] = "/";
	while (used + strlen(next) < size) {
		memcpy(text + used, next, strlen(next) + 1);
		used += strlen(next);
		if (!*segment)
			return;
		next[0] = *segment;
		next[1] = 0;
		if (*segment == '~')
			memcpy(next, "~0", 3);
		if (*segment == '/')
			memcpy(next, "~1", 3);
		segment++;
	}
}
