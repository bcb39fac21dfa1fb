#include "openapi/operations.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "openapi/body.h"
#include "openapi/fields.h"
#include "openapi/security.h"
#include "openapi/structure.h"
#include "openapi/target.h"
#include "openapi/members.h"
#include "openapi/texts.h"

/* Path first, then query, then the rest. */
static int rank(const char *in)
{
	static const char *const PLACES[] = { "path", "query", "header" };
	int at = 0;
	while (at < 3 && strcmp(PLACES[at], in) != 0)
		at++;
	return at;
}

/* A parameter and the place of its list: the operation's own goes before that of the path. */
struct entry {
	struct operation_parameter parameter;
	bool common;
};

static int by_name(const struct operation_parameter *x, const struct operation_parameter *y)
{
	int order = rank(x->in) - rank(y->in);
	if (order)
		return order;
	return strcmp(x->in, "header") == 0 ? strcasecmp(x->name, y->name)
					    : strcmp(x->name, y->name);
}

static int by_entry(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int order = by_name(&x->parameter, &y->parameter);
	return order ? order : (int)x->common - (int)y->common;
}

static size_t add(struct entry *all, size_t count, const struct document *document,
	const cJSON *list, bool common)
{
	for (const cJSON *one = members_items(list); one; one = one->next) {
		const cJSON *object = document_resolve(document, one);
		struct operation_parameter parameter = { .name = json_text(object, "name"),
			.in = json_text(object, "in"),
			.required = cJSON_IsTrue(json_get(object, "required")),
			.deprecated = cJSON_IsTrue(json_get(object, "deprecated")),
			.object = object };
		all[count++] = (struct entry){ parameter, common };
	}
	return count;
}

struct parameters {
	struct operation_parameter *list;
	size_t count;
};

static struct parameters parameters_of(const struct document *document, const cJSON *item,
	const cJSON *operation, struct arena *arena)
{
	const cJSON *common = json_get(item, "parameters"),
		    *own = json_get(operation, "parameters");
	size_t room = 1, count = 0;
	room += common ? (size_t)cJSON_GetArraySize(common) : 0;
	room += own ? (size_t)cJSON_GetArraySize(own) : 0;
	struct entry *entries = mem_alloc(room, sizeof *entries);
	struct parameters all = { arena_alloc(arena, room, sizeof *all.list), 0 };
	count = add(entries, count, document, common, true);
	count = add(entries, count, document, own, false);
	qsort(entries, count, sizeof *entries, by_entry);
	for (size_t i = 0; i < count; i++)
		if (!i || by_name(&entries[i].parameter, &entries[i - 1].parameter) != 0)
			all.list[all.count++] = entries[i].parameter;
	free(entries);
	return all;
}

static bool is_success(const char *status)
{
	return status[0] == '2' && strlen(status) == 3;
}

static bool is_events(const char *type)
{
	size_t len = strcspn(type, "; ");
	return len == 17 && strncasecmp(type, "text/event-stream", len) == 0;
}

static size_t add_types(const char **types, size_t count, const cJSON *response)
{
	const cJSON *content = json_get(response, "content");
	for (const cJSON *one = cJSON_IsObject(content) ? content->child : NULL; one;
		one = one->next)
		types[count++] = one->string;
	return count;
}

static int by_type(const void *a, const void *b)
{
	return strcasecmp(*(const char *const *)a, *(const char *const *)b);
}

/* Each once, in their own order. */
static void make_unique(const char **types, size_t *count)
{
	size_t kept = 0;
	qsort(types, *count, sizeof *types, by_type);
	for (size_t i = 0; i < *count; i++)
		if (!kept || strcasecmp(types[i], types[kept - 1]) != 0)
			types[kept++] = types[i];
	types[kept] = NULL;
	*count = kept;
}

static size_t count_types(const struct document *document, const cJSON *responses)
{
	size_t room = 1;
	for (const cJSON *one = responses->child; one; one = one->next) {
		const cJSON *content = json_get(document_resolve(document, one), "content");
		room += content ? (size_t)cJSON_GetArraySize(content) : 0;
	}
	return room;
}

static void read_answers(struct operation *operation, const struct document *document,
	const cJSON *responses, struct arena *arena)
{
	static const char *const NONE[] = { NULL };
	size_t count = 0;
	bool success = false;
	operation->success_types = NONE;
	if (!cJSON_IsObject(responses))
		return;
	const char **types = arena_alloc(arena, count_types(document, responses), sizeof *types);
	operation->success_types = types;
	for (const cJSON *one = responses->child; one; one = one->next)
		if (is_success(one->string)) {
			success = true;
			count = add_types(types, count, document_resolve(document, one));
		}
	if (!success)
		count = add_types(
			types, count, document_resolve(document, json_get(responses, "default")));
	make_unique(types, &count);
	for (size_t i = 0; i < count; i++)
		operation->events = operation->events || is_events(types[i]);
}

static const cJSON *servers_of(
	const struct document *document, const cJSON *item, const cJSON *operation)
{
	const cJSON *own = json_get(operation, "servers"), *common = json_get(item, "servers");
	if (own && own->child)
		return own;
	if (common && common->child)
		return common;
	return json_get(document_root(document), "servers");
}

static void read_operation(struct operation *operation, const struct target_values *values,
	const cJSON *item, const cJSON *object, struct arena *arena)
{
	const struct document *document = values->document;
	struct security_list security;
	struct parameters parameters = parameters_of(document, item, object, arena);
	security_read(&security, document, object, arena);
	operation->id = json_text(object, "operationId");
	operation->summary = json_text(object, "summary");
	operation->description = json_text(object, "description");
	operation->deprecated = cJSON_IsTrue(json_get(object, "deprecated"));
	operation->security = security.security;
	operation->parameters = parameters.list;
	operation->parameter_count = parameters.count;
	target_make(operation, parameters.list, values,
		target_base(servers_of(document, item, object), arena), arena);
	fields_make(operation, arena);
	body_make(operation, values, document_resolve(document, json_get(object, "requestBody")),
		arena);
	read_answers(operation, document, json_get(object, "responses"), arena);
}

static size_t count_operations(const struct document *document, const cJSON *paths)
{
	size_t count = 0;
	for (const cJSON *path = paths->child; path; path = path->next)
		for (const char *const *method = STRUCTURE_METHODS; *method; method++)
			count += path->string[0] == '/' &&
				 json_get(document_resolve(document, path), *method);
	return count;
}

/* In the order of the document: members of the path item, not of the table of methods. */
static void read_path(
	struct operations *operations, const struct target_values *values, const cJSON *path)
{
	const cJSON *item = document_resolve(values->document, path);
	for (const cJSON *member = item->child; member; member = member->next) {
		const char *const *method = STRUCTURE_METHODS;
		while (*method && strcmp(*method, member->string) != 0)
			method++;
		if (!*method)
			continue;
		struct operation *operation = &operations->list[operations->count++];
		operation->method = texts_upper(*method, operations->arena);
		operation->path = path->string;
		operation->name =
			arena_print(operations->arena, "%s %s", operation->method, operation->path);
		read_operation(operation, values, item, member, operations->arena);
	}
}

void operations_init(
	struct operations *operations, const struct document *document, const cJSON *given)
{
	size_t left_bytes = OPERATIONS_EXAMPLES_MAX_BYTES;
	const struct target_values values = { document, given, &left_bytes };
	const cJSON *paths = json_get(document_root(document), "paths");
	*operations = (struct operations){ .arena = arena_new() };
	operations->list = arena_alloc(
		operations->arena, count_operations(document, paths) + 1, sizeof *operations->list);
	for (const cJSON *path = paths->child; path; path = path->next)
		if (path->string[0] == '/')
			read_path(operations, &values, path);
}

void operations_release(struct operations *operations)
{
	arena_free(operations->arena);
	*operations = (struct operations){ 0 };
}
