#include "case/walk.h"

#include "case/steps.h"

static enum rc walk_cell(const struct walker *walker, const struct step *step, struct scope *names,
	struct cell_text before, const struct cell *cell)
{
	struct scope_root *root = names->root;
	struct arena *outer = scope_begin(root);
	struct scope *scope = scope_push(names);
	const struct cell_text text = cell_text(root->arena, before, cell);
	const cJSON *variables = json_get(step->node, "variables");
	scope->origin = arena_print(
		root->arena, "%s %s %s", names->origin, step->place.pointer, text.label);
	cell_bind(scope, cell);
	if (variables) {
		scope = scope_push(scope);
		scope_bind_all(scope, variables);
	}
	const struct walk_step at = { step, scope, names, text };
	enum rc rc = walker->visit(walker->self, &at);
	scope_end(root, outer);
	return rc;
}

static enum rc walk_step(const struct walker *walker, const struct step *step, struct scope *names,
	struct cell_text before)
{
	struct cells cells;
	struct err err = { 0 };
	if (cells_expand(names, step->matrix, &cells, &err) != RC_OK) {
		walker->broken(walker->self, step, &err);
		return RC_OK;
	}
	enum rc rc = RC_OK;
	for (size_t i = 0; i < cells.count && rc == RC_OK; i++)
		if (cell_wanted(&cells.list[i], walker->filters, walker->filter_count))
			rc = walk_cell(walker, step, names, before, &cells.list[i]);
	return rc;
}

enum rc walk_steps(const struct walker *walker, const struct step *steps, size_t count,
	struct scope *scope, struct cell_text cell)
{
	struct scope *names = scope_push(scope);
	enum rc rc = RC_OK;
	for (size_t i = 0; i < count && rc == RC_OK; i++)
		rc = walk_step(walker, &steps[i], names, cell);
	return rc;
}

enum rc walk_below(const struct walker *walker, const struct walk_step *at)
{
	const struct step *step = at->step;
	enum rc rc = walk_steps(walker, step->inner, step->inner_count, at->scope, at->cell);
	if (rc == RC_OK)
		rc = walk_steps(walker, step->steps, step->step_count, at->scope, at->cell);
	for (size_t i = 0; i < step->list_count && rc == RC_OK; i++)
		rc = walk_steps(
			walker, step->lists[i].steps, step->lists[i].count, at->scope, at->cell);
	return rc;
}

void walk_declare(const struct walk_step *at)
{
	const struct step *step = at->step;
	const cJSON *member;
	if (!step_answers(step) && !step_measures(step))
		return;
	cJSON_ArrayForEach (member, json_get(step->node, "capture"))
		scope_bind(at->names, member->string, NULL, BINDING_RECEIVED);
	if (step->name)
		scope_bind(at->names, step->name, NULL, BINDING_RECEIVED);
}
