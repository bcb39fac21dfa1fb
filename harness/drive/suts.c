#include "drive/suts.h"

#include <string.h>

#include "case/frames.h"
#include "drive/files.h"
#include "drive/spec.h"
#include "drive/upstream.h"
#include "sut/cap.h"

enum { START_TRIES = 5, OUTPUT_LINES = 15 };

/* Kinds of problem for what could not be started. */
static enum problem_kind kind_of(enum rc rc)
{
	return rc == RC_USAGE ? PROBLEM_USAGE : PROBLEM_ENVIRONMENT;
}

static struct place sut_place(const struct case_run *c)
{
	return json_place(c->one->json, c->one->sut ? c->one->sut : json_root(c->one->json));
}

static struct running *find(struct case_run *c, const char *variant)
{
	for (size_t i = 0; i < c->sut_count; i++)
		if (c->suts[i].variant == variant ||
			(variant && c->suts[i].variant && strcmp(variant, c->suts[i].variant) == 0))
			return &c->suts[i];
	return NULL;
}

static void finding(struct case_run *c, const char *what, const char *expected, const char *found)
{
	tally_finding(&c->tally, "/sut",
		&(struct finding){ .request = "SUT",
			.details = "",
			.what = what,
			.expected = expected,
			.found = found,
			.cell = c->cell.label,
			.again = case_run_again(c, c->cell) });
}

/* One more try where the port was taken by somebody else in the meantime. */
static enum rc start_with_retries(struct case_run *c, const char *variant, int to_port,
	struct scope *scope, struct running *r, struct err *err)
{
	const char *name = variant ? variant : "sut";
	for (int attempt = 1;; attempt++) {
		struct spec_set set;
		bool taken = false;
		unsigned start = ++c->starts;
		const char *dir = arena_print(
			c->cell_arena, start > 1 ? "%s/%s-%u" : "%s/%s", c->dir, name, start);
		*err = (struct err){ 0 };
		enum rc rc = spec_build(c, variant, NULL, dir, to_port, scope, &set, err);
		if (rc == RC_OK)
			rc = sut_start(c->run->host, set.list, set.count, &r->sut, &taken, err);
		spec_release(&set);
		r->frame = set.frame;
		r->dir = dir;
		r->stop_signal = set.count ? set.list[set.count - 1].stop_signal : 0;
		r->address = set.address;
		if (rc == RC_OK)
			rc = connection_check(&r->address, err);
		if (rc == RC_OK || !taken || attempt == START_TRIES)
			return rc;
	}
}

/* `${sut.pid}` is known only now. */
static void tell_pid(const struct running *r)
{
	const struct binding *sut = scope_find(r->frame, "sut", strlen("sut"));
	if (sut && sut->owned)
		cJSON_AddNumberToObject(sut->owned, "pid", sut_pid(r->sut));
}

static bool start_one(struct case_run *c, const char *variant, struct scope *scope)
{
	if (find(c, variant))
		return true;
	const char *to = variant ? json_text(json_get(c->one->suts, variant), "to") : NULL;
	if (to && !start_one(c, to, scope))
		return false;
	struct err err = { 0 };
	struct running *r = &c->suts[c->sut_count];
	*r = (struct running){ .variant = variant };
	enum rc rc =
		start_with_retries(c, variant, to ? find(c, to)->address.port : 0, scope, r, &err);
	if (rc != RC_OK) {
		tally_problem(&c->tally, kind_of(rc), sut_place(c), "%s%s%s", err.where,
			err.where[0] ? ": " : "", err.text);
		sut_stop(r->sut, NULL, c->cell_arena);
		return false;
	}
	tell_pid(r);
	c->sut_count++;
	return true;
}

static bool point_at_target(struct case_run *c, struct scope *scope)
{
	const struct run *run = c->run;
	struct frames_sut frame = {
		.scheme = run->target->scheme, .host = run->target->host, .port = run->target->port
	};
	struct running *r = &c->suts[c->sut_count++];
	*r = (struct running){ .cost = run->target_cost, .address = *run->target };
	r->frame = frames_sut(scope, &frame);
	return true;
}

bool suts_start(struct case_run *c, struct scope *scope)
{
	c->suts = arena_alloc(
		c->cell_arena, (size_t)cJSON_GetArraySize(c->one->suts) + 1, sizeof *c->suts);
	c->sut_count = 0;
	if (c->one->needs_upstream && !upstream_start(c, scope))
		return false;
	if (!c->one->needs_sut)
		return true;
	if (c->run->target)
		return point_at_target(c, scope);
	if (!c->one->suts)
		return start_one(c, NULL, scope);
	const cJSON *variant;
	cJSON_ArrayForEach (variant, c->one->suts)
		if (!start_one(c, variant->string, scope))
			return false;
	return true;
}

static void judge_end(struct case_run *c, const struct running *r, const struct process_end *end)
{
	struct arena *arena = c->cell_arena;
	const char *name = r->variant ? arena_print(arena, " %s", r->variant) : "";
	if (end->sanitizer)
		finding(c, "sanitizer", "no report", end->sanitizer);
	else if (end->timed_out)
		finding(c, "stop", arena_print(arena, "the SUT%s to stop when asked to", name),
			"it had to be killed");
	else if (end->signal && end->signal != r->stop_signal)
		finding(c, "stop", arena_print(arena, "the SUT%s to stop when asked to", name),
			process_end_words(end, arena));
	else if (!end->signal && end->exit != 0 && end->exit < 128)
		finding(c, "stop", arena_print(arena, "the SUT%s to stop with exit status 0", name),
			process_end_words(end, arena));
}

/* The last lines of what it printed, with what was dropped told behind them. */
static const char *output_of(struct case_run *c, const struct process_end *end)
{
	const char *tail = files_tail(c->arena, end->err.len ? end->err : end->out, OUTPUT_LINES);
	if (end->dropped)
		tail = arena_print(
			c->arena, "%s%sonus: %s", tail ? tail : "", tail ? "\n" : "", end->dropped);
	return tally_mask(&c->tally, tail);
}

void suts_stop(struct case_run *c)
{
	/* One that ended after the last step was looked at is told here. */
	suts_alive(c);
	for (size_t i = c->sut_count; i-- > 0;) {
		struct running *r = &c->suts[i];
		struct process_end end = { 0 };
		case_run_forget_clients(c, r);
		if (!r->sut)
			continue;
		sut_stop(r->sut, &end, c->cell_arena);
		if (!r->ended)
			judge_end(c, r, &end);
		if (!c->output && (c->tally.finding_count || c->tally.problem_count))
			c->output = output_of(c, &end);
	}
	c->sut_count = 0;
	upstream_stop(c);
}

bool suts_alive(struct case_run *c)
{
	bool alive = upstream_alive(c);
	for (size_t i = 0; i < c->sut_count; i++) {
		struct process_end end = { 0 };
		const char *name = NULL, *how;
		if (!c->suts[i].sut || c->suts[i].spent ||
			sut_alive(c->suts[i].sut, &end, &name, c->cell_arena))
			continue;
		alive = false;
		if (c->suts[i].ended)
			continue;
		c->suts[i].ended = true;
		how = end.sanitizer ? end.sanitizer : process_end_words(&end, c->cell_arena);
		finding(c, "process",
			arena_print(c->cell_arena, "%s to run until it is stopped", name), how);
	}
	return alive;
}

bool suts_spent(struct case_run *c, struct running *running)
{
	struct process_end end = { 0 };
	const char *name = NULL;
	if (!running->sut || sut_alive(running->sut, &end, &name, c->cell_arena) || !end.oom)
		return false;
	running->spent = running->ended = true;
	return true;
}

struct sample *suts_sample(const struct running *running)
{
	struct sample *sample;
	struct sample_source source = running->cost;
	if (running->sut)
		source.pid = sut_pid(running->sut);
	/* One that has ended is found by suts_alive(), which says how. */
	return sample_start(&source, SAMPLE_EVERY_NS, &sample, NULL) == RC_OK ? sample : NULL;
}

void suts_cost(const struct running *running, struct sample *sample, int64_t from_ns, int64_t to_ns,
	struct measures *measures)
{
	struct cost_sum sum;
	struct cap_usage usage;
	if (!sample)
		return;
	sample_stop(sample);
	if (cost_sum(sample_cost(sample), from_ns, to_ns, &sum))
		cost_measures(&sum, measures);
	if (running->sut && sut_memory(running->sut, &usage) && usage.peak_bytes)
		measures_add(measures, "sut.memory_peak",
			(struct quantity){ UNIT_BYTES, (double)usage.peak_bytes }, NULL);
}
