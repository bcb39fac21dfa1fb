/*
 * A dry run: every cell of every matrix is walked with what is known before a run, so that a path that leads nowhere, a
 * file that is missing or a `when` that covers nothing is told by lint already.
 */
#include <string.h>

#include "case/check.h"
#include "case/frames.h"
#include "case/groups.h"
#include "case/option.h"
#include "case/outgoing.h"
#include "case/settings.h"
#include "case/steps.h"
#include "case/template.h"
#include "case/walk.h"

struct seen_group {
	struct seen_group *next;
	const cJSON *group;
	bool hit;
};

struct dry {
	const struct case_file *one;
	const struct suite *suite;
	struct errors *errors;
	struct walker walker;
	struct arena *arena;
	struct seen_group *groups;
	const cJSON *last_wrong; /* one error a place is enough, however many cells it has */
};

static void complain(
	struct dry *dry, const cJSON *at, enum rc rc, const char *cell, const char *text)
{
	if (dry->last_wrong == at)
		return;
	dry->last_wrong = at;
	errors_add(dry->errors, json_place(dry->one->json, at), rc, "%s%s%s%s", text,
		cell[0] ? " (cell " : "", cell, cell[0] ? ")" : "");
}

/* `same_as: "root:..."` and `"file:..."` must stand for files. */
static void check_reference(
	struct dry *dry, const struct walk_step *at, const cJSON *node, const char *text)
{
	struct err err = { 0 };
	const char *path;
	bool owned = strncmp(text, "root:", 5) == 0 || strncmp(text, "file:", 5) == 0;
	if (!owned || shape_has_variable(text))
		return;
	if (settings_path(at->scope, dry->suite, dry->one, at->step->to, text, &path, &err) !=
		RC_OK)
		complain(dry, node, RC_USAGE, at->cell.label, err.text);
}

/* Each text by itself, so that the error stands at its place. */
static void resolve_texts(
	struct dry *dry, const struct walk_step *at, struct scope *scope, const cJSON *node)
{
	if (cJSON_IsString(node)) {
		cJSON *value;
		struct err err = { 0 };
		if (template_resolve(scope, node, &value, &err) != RC_OK)
			complain(dry, node, RC_USAGE, at->cell.label, err.text);
		else if (node->string && strcmp(node->string, "same_as") == 0 &&
			 cJSON_IsString(value))
			check_reference(dry, at, node, value->valuestring);
	}
	for (const cJSON *item = node->child; item; item = item->next)
		resolve_texts(dry, at, scope, item);
}

static struct seen_group *seen(struct dry *dry, const cJSON *group)
{
	for (struct seen_group *s = dry->groups; s; s = s->next)
		if (s->group == group)
			return s;
	struct seen_group *s = arena_alloc(dry->arena, 1, sizeof *s);
	s->group = group;
	s->next = dry->groups;
	dry->groups = s;
	return s;
}

static void cover(struct dry *dry, const struct walk_step *at)
{
	struct group_choices choices;
	struct err err = { 0 };
	if (groups_choose(at->scope, at->step->expect, &choices, &err) != RC_OK) {
		complain(dry, at->step->expect, RC_USAGE, at->cell.label, err.text);
		return;
	}
	for (size_t i = 0; i < choices.count; i++)
		if (choices.list[i].conditional && choices.list[i].applies)
			seen(dry, choices.list[i].group)->hit = true;
		else if (choices.list[i].conditional)
			seen(dry, choices.list[i].group);
	if (choices.conditional && !choices.covered)
		complain(dry, at->step->expect, RC_LIMIT, at->cell.label,
			"no `when` matches this cell, so that nothing is expected of it");
}

static void declare_results(const struct walk_step *at)
{
	const cJSON *member;
	cJSON_ArrayForEach(member, json_get(at->step->node, "capture"))
		scope_bind(at->names, member->string, NULL, BINDING_RECEIVED);
	if (at->step->name)
		scope_bind(at->names, at->step->name, NULL, BINDING_RECEIVED);
}

static enum rc visit(void *self, const struct walk_step *at)
{
	struct dry *dry = self;
	const struct step *step = at->step;
	struct scope *judged = scope_push(at->scope);
	scope_bind(judged, "bytes", NULL, BINDING_RECEIVED);
	scope_bind(judged, "time", NULL, BINDING_RECEIVED);
	const cJSON *member;
	if (cJSON_IsString(step->node))
		resolve_texts(dry, at, judged, step->node);
	cJSON_ArrayForEach(member, step->node)
	{
		if (step->verb == VERB_GROUP && member == step->subject)
			continue;
		if (strcmp(member->string, "matrix") != 0 &&
			strcmp(member->string, "variables") != 0)
			resolve_texts(dry, at, judged, member);
	}
	size_t before = dry->errors->count;
	struct outgoing out;
	struct err err = { 0 };
	if (step->verb == VERB_REQUEST && before == dry->errors->count &&
		outgoing_build(at->scope, dry->one, step, &out, &err) != RC_OK)
		complain(dry, step->node, RC_USAGE, at->cell.label, err.text);
	if (step->expect)
		cover(dry, at);
	enum rc rc = walk_steps(&dry->walker, step->steps, step->step_count, at->scope, at->cell);
	declare_results(at);
	return rc;
}

static void broken(void *self, const struct step *step, const struct err *err)
{
	complain(self, step->matrix, RC_USAGE, "", err->text);
}

static void check_uncovered(struct dry *dry)
{
	for (struct seen_group *s = dry->groups; s; s = s->next)
		if (!s->hit)
			errors_add(dry->errors,
				json_place(dry->one->json, json_get(s->group, "when")), RC_LIMIT,
				"this `when` matches no cell, so that its expectations are never judged");
}

void check_cells(const struct case_file *one, const struct suite *suite, struct errors *errors)
{
	struct arena *arena = arena_new();
	struct rng rng;
	struct scope_root root = { .arena = arena, .rng = &rng, .unique = "unique" };
	struct dry dry = { .one = one, .suite = suite, .errors = errors, .arena = arena };
	struct cells cells;
	struct err err = { 0 };
	dry.walker = (struct walker){ .self = &dry, .visit = visit, .broken = broken };
	rng_init(&rng, 0, one->id);
	struct scope *outer = frames_outer(&root, suite, one, 0, true);
	if (cells_expand(outer, one->matrix, &cells, &err) != RC_OK) {
		complain(&dry, one->matrix, RC_USAGE, "", err.text);
		cells.count = 0;
	}
	for (size_t i = 0; i < cells.count; i++) {
		struct scope *scope = scope_push(outer);
		cell_bind(scope, &cells.list[i]);
		struct cell_text label = cell_text(arena, cell_text_none, &cells.list[i]);
		if (walk_steps(&dry.walker, one->steps, one->step_count, scope, label) != RC_OK)
			break;
	}
	check_uncovered(&dry);
	arena_free(arena);
}
