/*
 * The lists of a `parallel` are threads of which one at a time has the turn; see wait.h. Each has an engine and
 * connections of its own, counts for itself, and what it found is put behind the others' in the order of the file.
 */
#include <string.h>

#include "case/option.h"
#include "drive/steps.h"
#include "drive/wait.h"

enum { LOOK_MS = 2 };

/* Where lists wait for one another, by the barrier's name. */
struct meeting {
	struct meeting *next;
	const char *name;
	size_t expected, arrived;
};

struct parallel {
	pthread_mutex_t turn;
	struct meeting *meetings;
	const struct walk_step *at;
};

struct branch {
	struct parallel *parallel;
	struct case_run c;
	struct scope *scope;
	const struct step_list *list;
	pthread_t thread;
	bool started;
	enum rc rc;
};

static struct meeting *find_meeting(struct parallel *p, const char *name)
{
	for (struct meeting *m = p->meetings; m; m = m->next)
		if (strcmp(m->name, name) == 0)
			return m;
	return NULL;
}

static void count_meetings(
	struct parallel *p, struct arena *arena, const struct step *steps, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		count_meetings(p, arena, steps[i].steps, steps[i].step_count);
		if (steps[i].verb != VERB_BARRIER)
			continue;
		struct meeting *m = find_meeting(p, steps[i].subject->valuestring);
		if (!m) {
			m = arena_alloc(arena, 1, sizeof *m);
			*m = (struct meeting){ .next = p->meetings,
				.name = steps[i].subject->valuestring };
			p->meetings = m;
		}
		m->expected++;
	}
}

static void *run_branch(void *self)
{
	struct branch *b = self;
	struct walker walker = { &b->c, steps_visit, steps_broken, b->c.run->filters,
		b->c.run->filter_count };
	pthread_mutex_lock(&b->parallel->turn);
	b->c.engine = case_run_engine(&b->c);
	b->rc = b->c.engine ? walk_steps(&walker, b->list->steps, b->list->count, b->scope,
				      b->parallel->at->cell)
			    : RC_CLOSED;
	/* Who is gone keeps nobody waiting. */
	for (struct meeting *m = b->parallel->meetings; m; m = m->next)
		__atomic_store_n(&m->arrived, m->expected, __ATOMIC_RELEASE);
	case_run_forget_clients(&b->c, NULL);
	engine_free(b->c.engine);
	pthread_mutex_unlock(&b->parallel->turn);
	return NULL;
}

static bool has_arrived(void *self)
{
	const struct meeting *m = self;
	return __atomic_load_n(&m->arrived, __ATOMIC_ACQUIRE) >= m->expected;
}

static bool wait_at(
	struct case_run *c, const struct walk_step *at, struct meeting *m, int64_t within)
{
	int64_t deadline = clock_now_ns() + within;
	__atomic_add_fetch(&m->arrived, 1, __ATOMIC_ACQ_REL);
	/* Others arrive on other threads, which wakes no engine: so it is looked for. */
	while (!has_arrived(m) && clock_now_ns() < deadline && !*c->run->stop)
		(void)!wait_until(c, has_arrived, m, clock_now_ns() + LOOK_MS * NS_PER_MS);
	if (has_arrived(m))
		return true;
	struct judged judged = { .request = "barrier", .details = "" };
	judge_step_finding(c, at, "/barrier", &judged, "barrier",
		arena_print(
			c->root.arena, "all lists within %lld ms", (long long)(within / NS_PER_MS)),
		"some are not here");
	return false;
}

bool step_barrier(struct case_run *c, const struct walk_step *at, struct scope *scope)
{
	struct err err = { 0 };
	int64_t within;
	struct meeting *m =
		c->parallel ? find_meeting(c->parallel, at->step->subject->valuestring) : NULL;
	if (!m) {
		judge_step_problem(c, at, RC_USAGE, "a barrier stands in the lists of a parallel");
		return false;
	}
	enum rc rc = steps_within(c, at, scope, 10 * NS_PER_S, &within, &err);
	if (rc == RC_OK)
		return wait_at(c, at, m, within);
	judge_step_problem(c, at, rc, err.text);
	return false;
}

static void begin_branch(
	struct case_run *c, struct parallel *p, const struct step_list *list, struct branch *b)
{
	*b = (struct branch){ .parallel = p, .c = *c, .list = list };
	b->c.turn = &p->turn;
	b->c.parallel = p;
	b->c.clients = NULL;
	/* Memory of its own, because the others take theirs at the same time. */
	b->c.root.arena = arena_new();
	b->c.cell_arena = b->c.root.arena;
	b->scope = scope_push(p->at->scope);
	b->scope->root = &b->c.root;
	b->scope->arena = b->c.root.arena;
	b->c.tally = tally_branch(&c->tally, &b->c.root);
	b->started = pthread_create(&b->thread, NULL, run_branch, b) == 0;
}

static void end_branch(struct case_run *c, const struct walk_step *at, struct branch *b)
{
	if (!b->started)
		judge_step_problem(c, at, RC_ENVIRONMENT, "no thread for a list of parallel");
	tally_join(&c->tally, &b->c.tally);
	/* Secrets that it learned are masked from now on here too. */
	for (size_t i = 0; i < b->c.root.secret_count; i++)
		scope_add_secret(&c->root, b->c.root.secrets[i]);
	arena_free(b->c.root.arena);
}

bool step_parallel(struct case_run *c, const struct walk_step *at, struct scope *scope)
{
	struct parallel p = { .at = at };
	struct tally_mark mark = tally_mark(&c->tally);
	size_t count = at->step->list_count;
	struct branch *branches = arena_alloc(c->root.arena, count, sizeof *branches);
	(void)scope;
	if (c->turn) {
		judge_step_problem(c, at, RC_USAGE, "a parallel cannot stand in a parallel");
		return false;
	}
	pthread_mutex_init(&p.turn, NULL);
	for (size_t i = 0; i < count; i++)
		count_meetings(
			&p, c->root.arena, at->step->lists[i].steps, at->step->lists[i].count);
	pthread_mutex_lock(&p.turn);
	for (size_t i = 0; i < count; i++)
		begin_branch(c, &p, &at->step->lists[i], &branches[i]);
	pthread_mutex_unlock(&p.turn);
	/* All of them first: who still runs tells figures and findings in the memory that these are joined in. */
	for (size_t i = 0; i < count; i++)
		if (branches[i].started)
			pthread_join(branches[i].thread, NULL);
	for (size_t i = 0; i < count; i++)
		end_branch(c, at, &branches[i]);
	pthread_mutex_destroy(&p.turn);
	return !tally_changed(&c->tally, &mark);
}
