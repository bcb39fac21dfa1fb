#include "case/cells.h"

#include <stdlib.h>
#include <string.h>

#include "case/generate.h"
#include "case/template.h"

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
	cJSON_ArrayForEach (row, matrix) {
		struct cell *cell = &cells->list[n];
		cell->values =
			arena_alloc(arena, (size_t)cJSON_GetArraySize(row), sizeof *cell->values);
		cJSON_ArrayForEach (member, row)
			cell->values[cell->count++] = (struct cell_value){ member->string, member,
				BINDING_WRITTEN, label_of(arena, member, n) };
		n++;
	}
}

/* One name of a product, and the values it goes through. */
struct axis {
	const char *name;
	const cJSON *first; /* NULL: not known yet */
	size_t size;
	enum binding_kind kind;
	const char *unknown; /* the label of a value that is not known yet */
};

/* Values turn after `stride` cells each. */
static void fill_axis(
	struct arena *arena, const struct axis *axis, size_t stride, struct cells *cells)
{
	const cJSON *value = axis->first;
	const char *label = value ? label_of(arena, value, 0) : axis->unknown;
	for (size_t i = 0; i < cells->count; i++) {
		if (value && i && i % stride == 0) {
			value = value->next ? value->next : axis->first;
			label = label_of(arena, value, i / stride % axis->size);
		}
		struct cell *cell = &cells->list[i];
		cell->values[cell->count++] =
			(struct cell_value){ axis->name, value, axis->kind, label };
	}
}

/* The last name turns fastest, as nested loops in the order of the file would. */
static void product(struct scope *scope, const struct axis *axes, size_t count, struct cells *cells)
{
	struct arena *arena = scope->root->arena;
	size_t stride = cells->count;
	for (size_t i = 0; i < cells->count; i++)
		cells->list[i].values = arena_alloc(arena, count, sizeof *cells->list[i].values);
	for (size_t i = 0; i < count; i++) {
		stride /= axes[i].size;
		fill_axis(arena, &axes[i], stride, cells);
	}
}

/* What a variable or a generator brings; NULL where that is not known yet. */
static enum rc bring(struct scope *scope, const cJSON *written, cJSON **brought, struct err *err)
{
	struct err inner = { 0 };
	enum rc rc = template_resolve(scope, written, brought, err);
	if (rc != RC_OK)
		return rc;
	if (cJSON_IsObject(written) ? template_waits(scope, *brought)
				    : cJSON_IsString(*brought) && template_waits(scope, *brought)) {
		*brought = NULL;
		return RC_OK;
	}
	if (!cJSON_IsObject(written))
		return RC_OK;
	rc = generate_for(scope->root, scope->origin, written->string, *brought, brought, &inner);
	if (rc != RC_OK)
		return err_set(err, rc, "", "\"%s\": %s", written->string, inner.text);
	scope_keep(scope->root, *brought);
	return RC_OK;
}

/* A list that is brought is not scanned again. */
static enum rc read_axis(
	struct scope *scope, const cJSON *written, struct axis *axis, struct err *err)
{
	*axis = (struct axis){ .name = written->string,
		.first = written->child,
		.size = (size_t)cJSON_GetArraySize(written),
		.kind = BINDING_WRITTEN };
	if (!cJSON_IsArray(written)) {
		cJSON *list;
		const char *label = cJSON_IsString(written) ? written->valuestring
							    : json_text(written, "generate");
		enum rc rc = bring(scope, written, &list, err);
		if (rc != RC_OK)
			return rc;
		axis->kind = BINDING_RECEIVED;
		axis->first = list ? list->child : NULL;
		axis->size = list ? (size_t)cJSON_GetArraySize(list) : 1;
		axis->unknown = label;
		if (list && !cJSON_IsArray(list))
			return err_set(err, RC_USAGE, "",
				"expected \"%s\" to be a list of the values of \"%s\"", label,
				written->string);
	}
	return axis->size ? RC_OK
			  : err_set(err, RC_USAGE, "", "\"%s\" of the matrix has no values",
				    written->string);
}

static enum rc check_count(size_t count, struct err *err)
{
	return count <= CELLS_MAX
		       ? RC_OK
		       : err_set(err, RC_USAGE, "", "a matrix of more than %d cells", CELLS_MAX);
}

static enum rc expand_product(
	struct scope *scope, const cJSON *matrix, struct cells *cells, struct err *err)
{
	const cJSON *written;
	struct arena *arena = scope->root->arena;
	size_t count = 0;
	struct axis *axes = arena_alloc(arena, (size_t)cJSON_GetArraySize(matrix), sizeof *axes);
	cells->count = 1;
	cJSON_ArrayForEach (written, matrix) {
		enum rc rc = read_axis(scope, written, &axes[count], err);
		if (rc != RC_OK)
			return rc;
		cells->count *= axes[count++].size;
		if (check_count(cells->count, err) != RC_OK)
			return RC_USAGE;
	}
	cells->list = arena_alloc(arena, cells->count, sizeof *cells->list);
	product(scope, axes, count, cells);
	return RC_OK;
}

enum rc cells_expand(struct scope *scope, const cJSON *matrix, struct cells *cells, struct err *err)
{
	*cells = (struct cells){ 0 };
	if (cJSON_IsObject(matrix))
		return expand_product(scope, matrix, cells, err);
	cells->count = matrix ? (size_t)cJSON_GetArraySize(matrix) : 1;
	if (check_count(cells->count, err) != RC_OK)
		return RC_USAGE;
	if (!cells->count)
		return err_set(err, RC_USAGE, "", "a matrix without cells");
	cells->list = arena_alloc(scope->root->arena, cells->count, sizeof *cells->list);
	rows(scope, matrix, cells);
	return RC_OK;
}

void cell_bind(struct scope *scope, const struct cell *cell)
{
	for (size_t i = 0; i < cell->count; i++)
		scope_bind(
			scope, cell->values[i].name, cell->values[i].value, cell->values[i].kind);
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
