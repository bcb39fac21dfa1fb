#include "openapi/security.h"

#include <stdlib.h>
#include <string.h>

#include "openapi/members.h"
#include "openapi/texts.h"

static const char *scopes(const cJSON *list, struct arena *arena)
{
	size_t count = 0;
	const char *text = "";
	const char **names =
		arena_alloc(arena, (size_t)cJSON_GetArraySize(list) + 1, sizeof *names);
	for (const cJSON *one = members_items(list); one; one = one->next)
		if (cJSON_IsString(one))
			names[count++] = one->valuestring;
	qsort(names, count, sizeof *names, texts_order);
	for (size_t i = 0; i < count; i++)
		text = arena_print(arena, "%s%s%s", text, i ? ", " : "", names[i]);
	return text;
}

static const char *alternative(const cJSON *requirement, struct arena *arena)
{
	struct members all;
	const char *text = "";
	members_init(&all, requirement, arena);
	for (size_t i = 0; i < all.count; i++) {
		const char *names = scopes(all.list[i], arena);
		text = arena_print(arena, "%s%s%s%s%s%s", text, i ? " + " : "", all.list[i]->string,
			*names ? "(" : "", names, *names ? ")" : "");
	}
	return text;
}

void security_read(struct security_list *list, const struct document *document,
	const cJSON *operation, struct arena *arena)
{
	const cJSON *own = json_get(operation, "security");
	const cJSON *all = own ? own : json_get(document_root(document), "security");
	size_t room = cJSON_IsArray(all) ? (size_t)cJSON_GetArraySize(all) : 0, kept = 0;
	bool optional = false;
	*list = (struct security_list){ .list = arena_alloc(arena, room + 1, sizeof *list->list) };
	for (const cJSON *one = members_items(all); one; one = one->next) {
		if (one->child)
			list->list[list->count++] = alternative(one, arena);
		else
			optional = true;
	}
	qsort(list->list, list->count, sizeof *list->list, texts_order);
	for (size_t i = 0; i < list->count; i++)
		if (!kept || strcmp(list->list[kept - 1], list->list[i]) != 0)
			list->list[kept++] = list->list[i];
	list->count = kept;
	if (kept)
		list->security = optional ? SECURITY_OPTIONAL : SECURITY_REQUIRED;
}
