/*
 * A dry run: every cell of every matrix is walked with what is known before a run, so that a path that leads nowhere, a
 * file that is missing, an option of the wrong form or a `when` that covers nothing is told by lint already.
 */
#include <string.h>
#include <sys/stat.h>

#include "case/check.h"
#include "case/frames.h"
#include "case/groups.h"
#include "case/option.h"
#include "case/outgoing.h"
#include "case/quantities.h"
#include "case/settings.h"
#include "case/steps.h"
#include "case/template.h"
#include "case/walk.h"
#include "expect/expect.h"

/* Of all steps of a case together: nested matrices multiply. */
enum { VISITS_MAX = 200 * 1000 };

struct seen_group {
	struct seen_group *next;
	const cJSON *group;
	bool hit;
};

struct told {
	struct told *next;
	const cJSON *at;
};

struct dry {
	const struct case_file *one;
	const struct suite *suite;
	struct errors *errors;
	struct walker walker;
	struct arena *arena; /* of the lists below; the scopes have theirs */
	struct seen_group *groups;
	struct told *told; /* one error a place is enough, however many cells it has */
	bool wrong;        /* something was wrong with the present step */
	size_t visits;
};

static void complain(
	struct dry *dry, const cJSON *at, enum rc rc, const char *cell, const char *text)
{
	dry->wrong = true;
	for (const struct told *t = dry->told; t; t = t->next)
		if (t->at == at)
			return;
	struct told *t = arena_alloc(dry->arena, 1, sizeof *t);
	*t = (struct told){ dry->told, at };
	dry->told = t;
	errors_add(dry->errors, json_place(dry->one->json, at), rc, "%s%s%s%s", text,
		cell[0] ? " (cell " : "", cell, cell[0] ? ")" : "");
}

/* Where a value of the case is resolved, and which cell of it this is. */
struct spot {
	struct scope *scope;
	const char *cell, *variant;
};

/* `same_as: "root:..."` and `"file:..."` must stand for files. */
static void check_reference(
	struct dry *dry, const struct spot *spot, const cJSON *node, const char *text)
{
	struct err err = { 0 };
	const char *path;
	bool owned = strncmp(text, "root:", 5) == 0 || strncmp(text, "file:", 5) == 0;
	if (!owned || shape_has_variable(text))
		return;
	if (settings_path(spot->scope, dry->suite, dry->one, spot->variant, text, &path, &err) !=
		RC_OK)
		complain(dry, node, RC_USAGE, spot->cell, err.text);
}

static void resolve_text(struct dry *dry, const struct spot *spot, const cJSON *node)
{
	cJSON *value;
	struct err err = { 0 };
	struct arena *outer = scope_begin(spot->scope->root);
	if (template_resolve(spot->scope, node, &value, &err) != RC_OK)
		complain(dry, node, RC_USAGE, spot->cell, err.text);
	else if (node->string && strcmp(node->string, "same_as") == 0 && cJSON_IsString(value))
		check_reference(dry, spot, node, value->valuestring);
	scope_end(spot->scope->root, outer);
}

/* A key whose variables can't be resolved is told at its value. */
static void resolve_key(struct dry *dry, const struct spot *spot, const cJSON *node)
{
	const char *key;
	struct err err = { 0 };
	struct arena *outer = scope_begin(spot->scope->root);
	if (template_text(spot->scope, node->string, &key, &err) != RC_OK)
		complain(dry, node, RC_USAGE, spot->cell, err.text);
	scope_end(spot->scope->root, outer);
}

/* Each text by itself, so that the error stands at its place. */
static void resolve_texts(struct dry *dry, const struct spot *spot, const cJSON *node)
{
	/* The first one that grows too long is told: to try the next ones takes as long each. */
	if (spot->scope->root->overgrown)
		return;
	if (cJSON_IsString(node))
		resolve_text(dry, spot, node);
	for (const cJSON *item = node ? node->child : NULL; item; item = item->next) {
		if (item->string)
			resolve_key(dry, spot, item);
		resolve_texts(dry, spot, item);
	}
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
	const cJSON *expect = at->step->expect;
	if (groups_choose(at->scope, expect, &choices, &err) != RC_OK) {
		complain(dry, expect, RC_USAGE, at->cell.label, err.text);
		return;
	}
	for (size_t i = 0; i < choices.count; i++)
		if (choices.list[i].conditional)
			seen(dry, choices.list[i].group)->hit |= choices.list[i].applies;
	if (choices.conditional && !choices.covered)
		complain(dry, expect, RC_LIMIT, at->cell.label,
			"no `when` matches this cell, so that nothing is expected of it");
}

/* A value of each kind that the step's own answer may bring. */
struct
try {
	const char *of[UNIT_PERCENT + 1];
};

static const char *tried(void *self, const struct expectation *row)
{
	const struct try *try = self;
	return try->of[row->unit];
}

/*
 * A comparison with the answer's own quantities that no answer lets anybody judge is wrong. Small and large ones are
 * tried, because a range may start or end with one.
 */
static enum rc form_of_expect(
	const struct step *step, struct scope *outer, const cJSON *expect, struct err *err)
{
	static const struct try TRIES[] = {
		{ { "1", "1us", "1B", "1/s", "1%" } },
		{ { "1000000000", "1000000s", "1000GB", "1000000000/s", "100%" } },
	};
	const struct shape *shape = expect_shape(step_subject(step));
	enum rc rc = RC_USAGE;
	for (size_t i = 0; i < sizeof TRIES / sizeof *TRIES && rc != RC_OK; i++) {
		cJSON *value;
		struct scope *judged = scope_push(outer);
		quantities_bind(judged, step, tried, (void *)&TRIES[i]);
		*err = (struct err){ 0 };
		rc = template_resolve(judged, expect, &value, err);
		if (rc == RC_OK && !template_waits(judged, value) &&
			!shape_check_resolved(shape, value, err))
			rc = RC_USAGE;
	}
	return rc;
}

/* An option, or all expectations, as one value: its form is known once nothing in it waits for an answer. */
static void check_form(
	struct dry *dry, const struct walk_step *at, struct scope *judged, const cJSON *member)
{
	cJSON *value;
	struct err err = { 0 };
	struct arena *outer = scope_begin(judged->root);
	enum rc rc = strcmp(member->string, "expect") == 0
			     ? form_of_expect(at->step, judged, member, &err)
			     : option_get(judged, at->step, member->string, &value, &err);
	if (rc != RC_OK)
		complain(dry, member, RC_USAGE, at->cell.label, err.text);
	scope_end(judged->root, outer);
}

static void check_request(struct dry *dry, const struct walk_step *at)
{
	struct outgoing out;
	struct err err = { 0 };
	struct arena *outer = scope_begin(at->scope->root);
	if (outgoing_build(at->scope, dry->one, at->step, &out, &err) != RC_OK)
		complain(dry, at->step->node, RC_USAGE, at->cell.label, err.text);
	scope_end(at->scope->root, outer);
}

static void check_step(struct dry *dry, const struct walk_step *at)
{
	const struct step *step = at->step;
	struct scope *judged = scope_push(at->scope);
	const struct spot spot = { judged, at->cell.label, step->to };
	const cJSON *node = step->node, *member = cJSON_IsObject(node) ? node->child : NULL;
	quantities_declare(judged, step);
	dry->wrong = false;
	if (cJSON_IsString(node))
		resolve_texts(dry, &spot, node);
	for (; member; member = member->next) {
		bool skipped =
			step_holds_steps(step, member) || strcmp(member->string, "matrix") == 0;
		if (!skipped)
			resolve_texts(dry, &spot, member);
		if (!skipped && !dry->wrong)
			check_form(dry, at, judged, member);
	}
	if (step->verb == VERB_REQUEST && !dry->wrong)
		check_request(dry, at);
	if (step->expect)
		cover(dry, at);
}

static enum rc visit(void *self, const struct walk_step *at)
{
	struct dry *dry = self;
	const struct step *step = at->step;
	if (++dry->visits > VISITS_MAX) {
		errors_add(dry->errors, step->place, RC_USAGE,
			"the matrices of the case make more than %d steps", VISITS_MAX);
		return RC_LIMIT;
	}
	check_step(dry, at);
	if (at->scope->root->overgrown)
		return RC_LIMIT;
	enum rc rc = walk_below(&dry->walker, at);
	walk_declare(at);
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

/* A template that a SUT is started with; at is where it is told. */
static void check_template(
	struct dry *dry, const struct spot *spot, const cJSON *entry, const cJSON *at)
{
	const char *name = entry->string, *path;
	struct stat status;
	struct err err = { 0 };
	struct arena *arena = spot->scope->root->arena;
	if (!name[0] || strchr(name, '/') || strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
		complain(dry, at, RC_USAGE, spot->cell,
			arena_print(arena,
				"files: expected a file name without a slash, found \"%s\"", name));
		return;
	}
	/* What can't be resolved is told elsewhere. */
	if (template_text(spot->scope, entry->valuestring, &path, &err) != RC_OK ||
		shape_has_variable(path))
		return;
	if (stat(path, &status) != 0)
		(void)!err_errno(&err, RC_USAGE, "", "files: %s", path);
	else if (!S_ISREG(status.st_mode))
		(void)!err_set(&err, RC_USAGE, "", "files: %s is not a file", path);
	if (err.text[0])
		complain(dry, at, RC_USAGE, spot->cell, err.text);
}

/* Those of the profile or the suite that the case has not replaced by its own. */
static void check_inherited_templates(struct dry *dry, const struct spot *spot)
{
	const struct case_file *one = dry->one;
	const char *profile = settings_profile(one, spot->variant);
	const cJSON *base = profile ? json_get(dry->suite->profiles, profile) : dry->suite->sut;
	const cJSON *own = spot->variant ? json_get(one->suts, spot->variant) : NULL;
	const cJSON *at = own ? own : one->sut ? one->sut : json_root(one->json), *entry;
	cJSON_ArrayForEach (entry, json_get(base, "files"))
		if (!json_get(json_get(own, "files"), entry->string) &&
			!json_get(json_get(one->sut, "files"), entry->string))
			check_template(dry, spot, entry, at);
}

/* What a SUT is started with, and its root, which must be there. */
static void check_settings(struct dry *dry, struct scope *scope, const char *cell,
	const char *variant, const cJSON *written)
{
	const struct spot spot = { scope, cell, variant };
	const cJSON *root = json_get(written, "root");
	const char *path;
	struct err err = { 0 };
	const cJSON *entry;
	resolve_texts(dry, &spot, written);
	cJSON_ArrayForEach (entry, json_get(written, "files"))
		if (cJSON_IsString(entry))
			check_template(dry, &spot, entry, entry);
	if (variant || !dry->one->suts)
		check_inherited_templates(dry, &spot);
	if (root && !dry->wrong && settings_root(scope, dry->suite, written, &path, &err) != RC_OK)
		complain(dry, root, RC_USAGE, cell, err.text);
}

/* As in a run, generators run anew in each cell. */
static enum rc check_cell(struct dry *dry, struct scope_root *root, const struct cell *cell)
{
	const struct case_file *one = dry->one;
	struct arena *before = scope_begin(root);
	struct scope *scope = scope_push(frames_outer(root, dry->suite, one, 0, true));
	const cJSON *variant;
	struct cell_text text = cell_text(root->arena, cell_text_none, cell);
	const struct spot spot = { scope, text.label, NULL };
	cell_bind(scope, cell);
	dry->wrong = false;
	resolve_texts(dry, &spot, one->variables);
	check_settings(dry, scope, text.label, NULL, one->sut);
	cJSON_ArrayForEach (variant, one->suts)
		check_settings(dry, scope, text.label, variant->string, variant);
	enum rc rc = root->overgrown
			     ? RC_LIMIT
			     : walk_steps(&dry->walker, one->steps, one->step_count, scope, text);
	scope_end(root, before);
	return rc;
}

void check_cells(const struct case_file *one, const struct suite *suite, struct errors *errors)
{
	struct arena *arena = arena_new();
	struct rng rng;
	struct scope_root root = {
		.arena = arena, .lasting = arena, .rng = &rng, .unique = "unique"
	};
	struct dry dry = { .one = one, .suite = suite, .errors = errors, .arena = arena };
	struct cells cells;
	struct err err = { 0 };
	enum rc rc = RC_OK;
	dry.walker = (struct walker){ .self = &dry, .visit = visit, .broken = broken };
	rng_init(&rng, 0, one->id);
	struct scope *outer = frames_outer(&root, suite, one, 0, true);
	if (cells_expand(outer, one->matrix, &cells, &err) != RC_OK) {
		complain(&dry, one->matrix, RC_USAGE, "", err.text);
		cells.count = 0;
	}
	for (size_t i = 0; i < cells.count && rc == RC_OK; i++)
		rc = check_cell(&dry, &root, &cells.list[i]);
	if (rc == RC_OK)
		check_uncovered(&dry);
	arena_free(arena);
}
