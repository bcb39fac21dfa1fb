#include "case/cells.h"

#include <stdlib.h>
#include <string.h>

#include "case/template.h"

enum { CELLS_MAX = 100 * 1000 };

static const char *label_of(struct arena *arena, const cJSON *value, size_t index)
{
	const char *name = json_text(value, "name");
	if (cJSON_IsString(value))
		return value->valuestring;
	if (name)
		return name;
	if (cJSON_IsObject(value) || cJSON_IsArray(value))
		return arena_print(arena, "#%zu", index + 1);
	char *text = json_print(value);
	const char *copy = arena_text(arena, text);
	free(text);
	return copy;
}

static void rows(struct scope *scope, const cJSON *matrix, struct cells *cells)
{
	struct arena *arena = scope->root->arena;
	const cJSON *row, *member;
	size_t n = 0;
	cJSON_ArrayForEach(row, matrix)
	{
		struct cell *cell = &cells->list[n];
		cell->values =
			arena_alloc(arena, (size_t)cJSON_GetArraySize(row), sizeof *cell->values);
		cJSON_ArrayForEach(member, row) cell->values[cell->count++] =
			(struct cell_value){ member->string, member, label_of(arena, member, n) };
		n++;
	}
}

/* The last name turns fastest, as nested loops in the order of the file would. */
static void product(struct scope *scope, const cJSON *matrix, struct cells *cells)
{
	struct arena *arena = scope->root->arena;
	size_t names = (size_t)cJSON_GetArraySize(matrix), stride = cells->count;
	for (size_t i = 0; i < cells->count; i++)
		cells->list[i].values = arena_alloc(arena, names, sizeof *cells->list[i].values);
	const cJSON *list;
	cJSON_ArrayForEach(list, matrix)
	{
		size_t size = (size_t)cJSON_GetArraySize(list);
		stride /= size;
		for (size_t i = 0; i < cells->count; i++) {
			size_t index = i / stride % size;
			const cJSON *value = cJSON_GetArrayItem(list, (int)index);
			cells->list[i].values[cells->list[i].count++] =
				(struct cell_value){ list->string, value,
					label_of(arena, value, index) };
		}
	}
}

/* How many cells; 0 where a list is empty or not a list yet. */
static size_t count_cells(const cJSON *matrix)
{
	if (cJSON_IsArray(matrix))
		return (size_t)cJSON_GetArraySize(matrix);
	size_t count = 1;
	const cJSON *list;
	cJSON_ArrayForEach(list, matrix)
	{
		count *= (size_t)(cJSON_IsArray(list) ? cJSON_GetArraySize(list) : 0);
		if (count > CELLS_MAX)
			return count;
	}
	return count;
}

/* A list that is a variable stands for the list it brings; all else is resolved where it is used. */
static enum rc lists_resolved(
	struct scope *scope, const cJSON *matrix, const cJSON **resolved, struct err *err)
{
	const cJSON *list;
	bool any = cJSON_IsString(matrix);
	cJSON_ArrayForEach(list, matrix) any = any || cJSON_IsString(list);
	*resolved = matrix;
	if (!any)
		return RC_OK;
	cJSON *copy;
	enum rc rc = template_resolve(scope, matrix, &copy, err);
	*resolved = copy;
	return rc;
}

enum rc cells_expand(struct scope *scope, const cJSON *matrix, struct cells *cells, struct err *err)
{
	*cells = (struct cells){ .count = 1 };
	if (matrix) {
		enum rc rc = lists_resolved(scope, matrix, &matrix, err);
		if (rc != RC_OK)
			return rc;
		cells->count = count_cells(matrix);
		if (!cells->count)
			return err_set(err, RC_USAGE, "",
				"a matrix without cells: every list needs a value");
		if (cells->count > CELLS_MAX)
			return err_set(
				err, RC_USAGE, "", "a matrix of more than %d cells", CELLS_MAX);
	}
	cells->list = arena_alloc(scope->root->arena, cells->count, sizeof *cells->list);
	if (cJSON_IsArray(matrix))
		rows(scope, matrix, cells);
	else if (matrix)
		product(scope, matrix, cells);
	return RC_OK;
}

void cell_bind(struct scope *scope, const struct cell *cell)
{
	for (size_t i = 0; i < cell->count; i++)
		scope_bind(scope, cell->values[i].name, cell->values[i].value, BINDING_WRITTEN);
}

const struct cell_text cell_text_none = { "", "" };

const char *cell_quote(struct arena *arena, const char *text)
{
	static const char PLAIN[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%";
	if (text[0] && strspn(text, PLAIN) == strlen(text))
		return text;
	const char *out = "'";
	for (; *text; text++)
		out = *text == '\'' ? arena_print(arena, "%s'\\''", out)
				    : arena_print(arena, "%s%c", out, *text);
	return arena_print(arena, "%s'", out);
}

struct cell_text cell_text(struct arena *arena, struct cell_text before, const struct cell *cell)
{
	struct cell_text text = before;
	for (size_t i = 0; i < cell->count; i++) {
		const char *pair =
			arena_print(arena, "%s=%s", cell->values[i].name, cell->values[i].label);
		text.label =
			arena_print(arena, "%s%s%s", text.label, text.label[0] ? ", " : "", pair);
		text.options =
			arena_print(arena, "%s --cell %s", text.options, cell_quote(arena, pair));
	}
	return text;
}

bool cell_wanted(const struct cell *cell, const struct cell_filter *filters, size_t count)
{
	bool wanted = true;
	for (size_t i = 0; i < cell->count; i++) {
		for (size_t f = 0; f < count; f++) {
			if (strcmp(cell->values[i].name, filters[f].name) != 0)
				continue;
			bool same = strcmp(cell->values[i].label, filters[f].value) == 0;
			if (same)
				__atomic_store_n(filters[f].used, true, __ATOMIC_RELAXED);
			wanted = wanted && same;
		}
	}
	return wanted;
}
