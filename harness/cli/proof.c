#include "cli/proof.h"

#include <string.h>

#include "base/words.h"
#include "case/settings.h"

static void complain(struct proof *p, const char *text)
{
	struct arena *arena = p->session->arena;
	const char **grown = arena_alloc(arena, p->complaint_count + 1, sizeof *grown);
	if (p->complaint_count)
		memcpy(grown, p->complaints, p->complaint_count * sizeof *grown);
	grown[p->complaint_count++] = text;
	p->complaints = grown;
}

static bool is_fault(const struct proof *p, const char *name)
{
	for (size_t i = 0; i < p->fault_count; i++)
		if (strcmp(p->faults[i], name) == 0)
			return true;
	return false;
}

/* A case whose every SUT is a profile has a SUT that lists no faults. */
static bool has_faults(const struct proof *p, const struct case_file *one)
{
	if (!p->fault_count)
		return false;
	if (!one->suts)
		return !settings_profile(one, NULL);
	const cJSON *variant;
	cJSON_ArrayForEach (variant, one->suts)
		if (!settings_profile(one, variant->string))
			return true;
	return false;
}

static void check_catches(struct proof *p, const struct case_file *one)
{
	struct arena *arena = p->session->arena;
	for (size_t i = 0; i < one->catch_count; i++) {
		const struct catch *c = &one->catches[i];
		if (is_fault(p, c->fault))
			continue;
		const char *nearest = words_nearest(c->fault, p->faults, p->fault_count);
		p->usage++;
		complain(p, arena_print(arena, "%s:%d:%d: unknown fault \"%s\"%s%s%s",
				    c->place.file, c->place.line, c->place.col, c->fault,
				    nearest ? "; did you mean \"" : "", nearest ? nearest : "",
				    nearest ? "\"?" : ""));
	}
	if (!one->catch_count && !one->must_fail_count && !one->has_catches && has_faults(p, one))
		complain(p,
			arena_print(arena, "%s: catches no fault: nothing proves that it can fail",
				one->path));
}

static bool is_claimed(const struct proof *p, const char *fault)
{
	for (size_t i = 0; i < p->session->case_count; i++)
		for (size_t c = 0; c < p->session->cases[i]->catch_count; c++)
			if (strcmp(p->session->cases[i]->catches[c].fault, fault) == 0)
				return true;
	return false;
}

void proof_check(struct proof *p)
{
	const struct options *o = p->session->options;
	bool whole = !o->paths.count && !o->filters.count && !o->tags.count && !o->skip_tags.count;
	for (size_t i = 0; i < p->session->case_count; i++)
		check_catches(p, p->session->cases[i]);
	for (size_t i = 0; whole && i < p->fault_count; i++)
		if (!is_claimed(p, p->faults[i]))
			complain(p, arena_print(p->session->arena, "fault %s: no case catches it",
					    p->faults[i]));
}

static void free_arena(void *arena)
{
	arena_free(arena);
}

static void keep_texts(void *self, const struct job *job)
{
	struct proof *p = self;
	arena_defer(p->session->arena, free_arena, job->arena);
}

static const char *first_text(const struct case_result *result)
{
	if (result->problem_count)
		return result->problems[0].text;
	return result->finding_count ? result->findings[0].what : "";
}

/* Every case without a fault: *green tells which passed. */
static void run_plain(struct proof *p, const char *when, bool *green)
{
	struct session *s = p->session;
	struct job *jobs = arena_alloc(s->arena, s->case_count, sizeof *jobs);
	for (size_t i = 0; i < s->case_count; i++)
		jobs[i].one = s->cases[i];
	run_jobs(&s->run, jobs, s->case_count, keep_texts, p);
	p->all_skipped = s->case_count > 0;
	for (size_t i = 0; i < s->case_count; i++) {
		const struct case_result *r = &jobs[i].result;
		p->all_skipped = p->all_skipped && r->outcome == OUTCOME_SKIPPED;
		green[i] = green[i] && r->outcome == OUTCOME_PASSED;
		if (r->outcome == OUTCOME_PASSED || r->outcome == OUTCOME_SKIPPED)
			continue;
		complain(p, arena_print(s->arena, "%s: not green %s the faults: %s: %s", r->id,
				    when, outcome_word(r->outcome), first_text(r)));
		p->environment += r->outcome == OUTCOME_ERROR;
	}
}

static bool names(const struct catch *c, const char *pointer)
{
	for (size_t i = 0; i < c->pointer_count; i++)
		if (strcmp(c->pointers[i], pointer) == 0)
			return true;
	return c->pointer_count == 0;
}

/* The finding that shows the fault: one that the case names. */
static const char *finding_of(const struct pair *pair, const struct case_result *r)
{
	for (size_t i = 0; i < r->finding_count; i++) {
		const char *pointer = r->findings[i].place.pointer;
		if (!pair->catch || names(pair->catch, pointer))
			return pointer;
	}
	return NULL;
}

/* The SUT died: whatever else was found then says nothing of the contract. */
static bool crashed(const struct case_result *r)
{
	for (size_t i = 0; i < r->finding_count; i++)
		if (strcmp(r->findings[i].place.pointer, "/sut") == 0)
			return true;
	return false;
}

void proof_judge(struct arena *arena, struct pair *pair, const struct case_result *r)
{
	bool failed = r->outcome == OUTCOME_FAILED;
	pair->state = PAIR_MISSED;
	pair->pointer = failed && !crashed(r) ? finding_of(pair, r) : NULL;
	if (pair->pointer) {
		pair->state = PAIR_CAUGHT;
	} else if (r->outcome == OUTCOME_SKIPPED) {
		pair->state = PAIR_SKIPPED;
		pair->reason = r->skip_reason;
	} else if (r->outcome == OUTCOME_PASSED) {
		pair->reason = "still green under the fault";
	} else if (r->outcome == OUTCOME_ERROR) {
		pair->reason =
			arena_print(arena, "an error, which never counts: %s", first_text(r));
	} else if (crashed(r)) {
		pair->reason = arena_print(arena, "the SUT itself failed, which never counts: %s",
			r->findings[0].found);
	} else {
		pair->reason = arena_print(arena, "failed, but with another finding: %s",
			r->findings[0].place.pointer);
	}
}

struct pair_run {
	struct proof *proof;
	size_t next;
};

static void on_pair(void *self, const struct job *job)
{
	struct pair_run *run = self;
	struct proof *p = run->proof;
	struct pair *pair = &p->pairs[run->next++];
	keep_texts(p, job);
	proof_judge(p->session->arena, pair, &job->result);
	if (p->on_pair)
		p->on_pair(p, pair);
}

static const struct catch *claim(const struct case_file *one, const char *fault)
{
	for (size_t i = 0; i < one->catch_count; i++)
		if (strcmp(one->catches[i].fault, fault) == 0)
			return &one->catches[i];
	return NULL;
}

static void make_pairs(struct proof *p, const bool *green, bool full)
{
	struct session *s = p->session;
	p->pairs = arena_alloc(s->arena, s->case_count * p->fault_count, sizeof *p->pairs);
	for (size_t f = 0; f < p->fault_count; f++)
		for (size_t i = 0; i < s->case_count; i++) {
			const struct catch *c = claim(s->cases[i], p->faults[f]);
			if (green[i] && (c || (full && has_faults(p, s->cases[i]))))
				p->pairs[p->pair_count++] = (struct pair){
					.one = s->cases[i], .fault = p->faults[f], .catch = c
				};
		}
}

/* A fault whose cases were all skipped, or not green without it, has been caught by none. */
static void check_unproven(struct proof *p)
{
	for (size_t f = 0; f < p->fault_count; f++) {
		bool tried = false;
		for (size_t i = 0; i < p->pair_count; i++)
			tried = tried || (p->pairs[i].catch && p->pairs[i].state != PAIR_SKIPPED &&
						 strcmp(p->pairs[i].fault, p->faults[f]) == 0);
		if (!tried && is_claimed(p, p->faults[f]))
			complain(p, arena_print(p->session->arena,
					    "fault %s: no case that catches it could be run",
					    p->faults[f]));
	}
}

void proof_run(struct proof *p, bool full)
{
	struct session *s = p->session;
	struct pair_run run = { .proof = p };
	bool *green = arena_alloc(s->arena, s->case_count, sizeof *green);
	memset(green, true, s->case_count);
	run_plain(p, "before", green);
	make_pairs(p, green, full);
	struct job *jobs = arena_alloc(s->arena, p->pair_count, sizeof *jobs);
	for (size_t i = 0; i < p->pair_count; i++)
		jobs[i] = (struct job){ .one = p->pairs[i].one,
			.fault = p->pairs[i].fault,
			.folder = arena_print(
				s->arena, "%s+%s", p->pairs[i].one->id, p->pairs[i].fault) };
	run_jobs(&s->run, jobs, p->pair_count, on_pair, &run);
	run_plain(p, "after", green);
	check_unproven(p);
}

int proof_exit(const struct proof *p)
{
	bool missed = p->complaint_count > 0;
	for (size_t i = 0; i < p->pair_count; i++)
		missed = missed || (p->pairs[i].catch && p->pairs[i].state == PAIR_MISSED);
	if (p->usage)
		return EXIT_USAGE;
	if (p->environment)
		return EXIT_ENVIRONMENT;
	if (missed)
		return EXIT_BROKEN;
	return p->all_skipped ? EXIT_SKIPPED : EXIT_HELD;
}
