#include "case/case_testing.h"
#include "case/template.h"
#include "case/walk.h"

#define SUITE "{\"sut\": {\"command\": [\"x\"]}}"

/* Writes down each visit: the target as resolved, and the cell. */
struct log {
	struct world *w;
	struct walker walker;
	const char *text;
	size_t visits, stop_after;
	size_t broken;
};

static enum rc visit(void *self, const struct walk_step *at)
{
	struct log *log = self;
	const char *target = "group";
	struct err err = { 0 };
	if (at->step->verb == VERB_REQUEST)
		ck_assert_msg(template_text(at->scope, at->step->subject->valuestring, &target,
				      &err) == RC_OK,
			"%s", err.text);
	log->text = arena_print(log->w->arena, "%s%s%s[%s]", log->text, log->text[0] ? " " : "",
		target, at->cell.label);
	if (log->stop_after && ++log->visits == log->stop_after)
		return RC_CLOSED;
	if (at->step->name)
		scope_bind_owned(at->names, at->step->name,
			cJSON_CreateString(arena_print(log->w->arena, "n%zu", log->visits)),
			BINDING_RECEIVED);
	return walk_steps(&log->walker, at->step->steps, at->step->step_count, at->scope, at->cell);
}

static void broken(void *self, const struct step *step, const struct err *err)
{
	struct log *log = self;
	(void)step;
	ck_assert_str_eq(err->text, "\"x\" of the matrix has no values");
	log->broken++;
}

static const struct {
	const char *steps, *text, *why;
} walks[] = {
	{ "[\"/a\", \"/b\"]", "/a[] /b[]", "in order" },
	{ "[{\"get\": \"/${x}\", \"matrix\": {\"x\": [1, 2]}}, \"/b\"]", "/1[x=1] /2[x=2] /b[]",
		"a step once for each cell" },
	{ "[{\"matrix\": {\"x\": [1, 2]}, \"group\": [\"/${x}\", {\"get\": \"/${x}${y}\","
	  " \"matrix\": {\"y\": [3, 4]}}]}]",
		"group[x=1] /1[x=1] /13[x=1, y=3] /14[x=1, y=4] "
		"group[x=2] /2[x=2] /23[x=2, y=3] /24[x=2, y=4]",
		"nested matrices multiply" },
	{ "[{\"get\": \"/${v}\", \"variables\": {\"v\": \"${x}!\"}, \"matrix\": {\"x\": [1, 2]}}]",
		"/1![x=1] /2![x=2]", "a step's variables see its cell" },
	{ "[{\"get\": \"/a\", \"name\": \"one\"}, {\"group\": [\"/${one}\"]}]",
		"/a[] group[] /n0[]", "names are seen by later steps, in groups too" },
};

START_TEST(walked)
{
	struct world w;
	world_open(&w, false);
	world_load_sound(&w, SUITE,
		arena_print(w.arena, "{\"title\": \"t\", \"steps\": %s}", walks[_i].steps));
	struct log log = { .w = &w, .text = "" };
	log.walker = (struct walker){ .self = &log, .visit = visit, .broken = broken };
	ck_assert(walk_steps(&log.walker, w.one->steps, w.one->step_count, w.scope,
			  cell_text_none) == RC_OK);
	ck_assert_msg(strcmp(log.text, walks[_i].text) == 0, "%s: %s", walks[_i].why, log.text);
	world_close(&w);
}
END_TEST

START_TEST(filters_and_ends)
{
	struct world w;
	bool used = false;
	struct cell_filter filter = { "x", "2", &used };
	world_open(&w, false);
	world_load_sound(&w, SUITE,
		"{\"title\": \"t\", \"steps\": [{\"get\": \"/${x}\", \"matrix\": {\"x\": [1, 2, 3]}},"
		" {\"get\": \"/${y}\", \"matrix\": {\"y\": [1, 2]}}]}");
	struct log log = { .w = &w, .text = "" };
	log.walker = (struct walker){ &log, visit, broken, &filter, 1 };
	ck_assert(walk_steps(&log.walker, w.one->steps, w.one->step_count, w.scope,
			  cell_text_none) == RC_OK);
	ck_assert_str_eq(log.text, "/2[x=2] /1[y=1] /2[y=2]");
	ck_assert(used);
	log = (struct log){ .w = &w, .text = "", .stop_after = 2 };
	log.walker = (struct walker){ .self = &log, .visit = visit, .broken = broken };
	ck_assert(walk_steps(&log.walker, w.one->steps, w.one->step_count, w.scope,
			  cell_text_none) == RC_CLOSED);
	ck_assert_str_eq(log.text, "/1[x=1] /2[x=2]");
	world_close(&w);
}
END_TEST

/* What the command for one cell sends is what all cells together sent there: `--cell` repeats a finding. */
START_TEST(chosen_cells_keep_their_values)
{
	struct world w;
	bool used = false;
	struct cell_filter filter = { "x", "2", &used };
	world_open(&w, false);
	world_load_sound(&w, SUITE,
		"{\"title\": \"t\", \"steps\": [{\"get\": \"/${a}/${b}\", \"matrix\": {\"x\": [1, 2]},"
		" \"variables\": {\"a\": {\"generate\": \"uuid\"}, \"b\": {\"generate\": \"uuid\"}}}]}");
	struct log all = { .w = &w, .text = "" }, one = { .w = &w, .text = "" };
	all.walker = (struct walker){ .self = &all, .visit = visit, .broken = broken };
	one.walker = (struct walker){ &one, visit, broken, &filter, 1 };
	ck_assert(walk_steps(&all.walker, w.one->steps, 1, w.scope, cell_text_none) == RC_OK);
	ck_assert(walk_steps(&one.walker, w.one->steps, 1, w.scope, cell_text_none) == RC_OK);
	const char *second = strchr(all.text, ' ');
	ck_assert_ptr_nonnull(second);
	ck_assert_str_eq(second + 1, one.text);
	/* Each value is one of its own: of two cells, and of two names. */
	ck_assert(strncmp(all.text, one.text, 37) != 0);
	ck_assert(strncmp(one.text, strchr(one.text + 1, '/'), 37) != 0);
	world_close(&w);
}
END_TEST

/* A matrix that cannot be unfolded is told, and the steps behind it run. */
START_TEST(broken_matrices)
{
	struct world w;
	world_open(&w, false);
	world_load_sound(&w, SUITE,
		"{\"title\": \"t\", \"steps\": [{\"get\": \"/\", \"capture\": {\"list\": {\"json\":"
		" \"\"}}}, {\"get\": \"/${x}\", \"matrix\": {\"x\": \"${list}\"}}, \"/b\"]}");
	world_bind(&w, "{\"list\": []}", BINDING_RECEIVED);
	struct log log = { .w = &w, .text = "" };
	log.walker = (struct walker){ .self = &log, .visit = visit, .broken = broken };
	ck_assert(walk_steps(&log.walker, w.one->steps, w.one->step_count, w.scope,
			  cell_text_none) == RC_OK);
	ck_assert_str_eq(log.text, "/[] /b[]");
	ck_assert_uint_eq(log.broken, 1);
	world_close(&w);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("walk");
	tcase_add_loop_test(tests, walked, 0, COUNT(walks));
	tcase_add_test(tests, filters_and_ends);
	tcase_add_test(tests, chosen_cells_keep_their_values);
	tcase_add_test(tests, broken_matrices);
	Suite *suite = suite_create("case/walk");
	suite_add_tcase(suite, tests);
	return run_tests(suite);
}
