#include "case/walk.h"

static enum rc walk_step(const struct walker *walker, const struct step *step, struct scope *names,
	struct cell_text cell)
{
	struct cells cells;
	struct err err = { 0 };
	struct arena *arena = names->root->arena;
	if (cells_expand(names, step->matrix, &cells, &err) != RC_OK) {
		walker->broken(walker->self, step, &err);
		return RC_OK;
	}
	enum rc rc = RC_OK;
	for (size_t i = 0; i < cells.count && rc == RC_OK; i++) {
		if (!cell_wanted(&cells.list[i], walker->filters, walker->filter_count))
			continue;
		struct scope *scope = scope_push(names);
		cell_bind(scope, &cells.list[i]);
		if (json_get(step->node, "variables")) {
			scope = scope_push(scope);
			scope_bind_all(scope, json_get(step->node, "variables"));
		}
		struct walk_step at = { step, scope, names,
			cell_text(arena, cell, &cells.list[i]) };
		rc = walker->visit(walker->self, &at);
	}
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
