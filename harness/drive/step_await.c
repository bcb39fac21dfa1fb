#include "base/units.h"
#include "case/option.h"
#include "drive/steps.h"
#include "drive/stream.h"
#include "drive/wait.h"
#include "expect/event.h"

/* Looks through the events of one stream that came since a moment. */
struct look {
	const struct stream *stream;
	size_t looked; /* events that need not be looked at again */
	struct event *found;
};

/* The same for all streams of the step around. */
struct search {
	struct case_run *c;
	struct look *looks;
	size_t count;
	size_t first; /* those before it need not be looked at again, where all must have the event */
	bool any;     /* one of them is enough: `quiet` */
	const cJSON *wanted;
	struct arena *arena;
	int64_t since_ns;
};

static void look(const struct search *s, struct look *l)
{
	for (; l->looked < l->stream->count && !l->found; l->looked++) {
		struct event *event = &l->stream->events[l->looked];
		if (event->at_ns >= s->since_ns && !event->awaited &&
			event_matches(event, s->wanted, s->arena))
			l->found = event;
	}
}

/* Every stream has the event or will never have it; or any has it, where that is enough. */
static bool found_or_over(void *self)
{
	struct search *s = self;
	for (size_t i = 0; s->any && i < s->count; i++) {
		look(s, &s->looks[i]);
		if (s->looks[i].found)
			return true;
	}
	while (s->first < s->count) {
		struct look *l = &s->looks[s->first];
		look(s, l);
		if (!l->found && !stream_over(l->stream))
			return false;
		s->first++;
	}
	return true;
}

/* What came instead. */
static const char *others(const struct search *s, const struct stream *stream)
{
	struct arena *arena = s->c->root.arena;
	size_t since = 0;
	const struct event *last = NULL;
	for (size_t i = 0; i < stream->count; i++) {
		if (stream->events[i].at_ns < s->since_ns)
			continue;
		last = &stream->events[i];
		since++;
	}
	const char *end = stream->broken        ? arena_print(arena, "; then %s", stream->broken)
			  : stream_over(stream) ? "; then the stream ended"
						: "";
	if (!last)
		return arena_print(arena, "no event since then, %zu before%s", stream->count, end);
	return arena_print(
		arena, "%zu other events, the last: %s%s", since, event_words(last, arena), end);
}

static bool prepare(struct case_run *c, const struct walk_step *at, struct scope *scope,
	const char *key, struct search *s, int64_t *span_ns)
{
	cJSON *wanted;
	struct err err = { 0 };
	enum rc rc = option_get(scope, at->step, at->step->word, &wanted, &err);
	if (rc == RC_OK)
		rc = option_duration(scope, at->step, key, 10 * NS_PER_S, span_ns, &err);
	if (rc != RC_OK) {
		judge_step_problem(c, at, rc, err.text);
		return false;
	}
	*s = (struct search){ .c = c, .wanted = wanted, .arena = arena_new() };
	for (const struct stream *stream = c->stream; stream; stream = stream->next)
		s->count++;
	s->looks = arena_alloc(s->arena, s->count, sizeof *s->looks);
	size_t i = 0;
	for (const struct stream *stream = c->stream; stream; stream = stream->next)
		s->looks[i++].stream = stream;
	return true;
}

bool step_await(struct case_run *c, const struct walk_step *at, struct scope *scope)
{
	struct search s;
	int64_t within;
	if (!prepare(c, at, scope, "within", &s, &within))
		return false;
	s.since_ns = c->sent_ns;
	int64_t deadline = s.since_ns + within;
	if (deadline > c->deadline_ns)
		deadline = c->deadline_ns;
	(void)!wait_until(c, found_or_over, &s, deadline);
	size_t lacking = 0;
	const struct stream *first = NULL;
	for (size_t i = 0; i < s.count; i++) {
		look(&s, &s.looks[i]);
		if (s.looks[i].found && s.looks[i].found->at_ns <= deadline) {
			s.looks[i].found->awaited = true;
			continue;
		}
		first = lacking++ ? first : s.looks[i].stream;
	}
	c->tally.checks++;
	if (first) {
		struct judged judged = { .request = "await", .details = "" };
		const char *found = others(&s, first);
		if (s.count > 1)
			found = arena_print(c->root.arena,
				"not on %zu of %zu streams; on the first of them %s", lacking,
				s.count, found);
		judge_step_finding(c, at, "/await", &judged, "event",
			arena_print(c->root.arena, "%s within %lld ms",
				event_wanted_words(s.wanted, c->root.arena),
				(long long)(within / NS_PER_MS)),
			found);
	}
	arena_free(s.arena);
	return !first;
}

bool step_quiet(struct case_run *c, const struct walk_step *at, struct scope *scope)
{
	struct search s;
	int64_t span;
	if (!prepare(c, at, scope, "for", &s, &span))
		return false;
	s.since_ns = clock_now_ns();
	s.any = true;
	(void)!wait_until(c, found_or_over, &s, s.since_ns + span);
	c->tally.checks++;
	const struct event *came = NULL;
	for (size_t i = 0; i < s.count; i++)
		came = came ? came : s.looks[i].found;
	if (came) {
		struct judged judged = { .request = "quiet", .details = "" };
		judge_step_finding(c, at, "/quiet", &judged, "event",
			arena_print(c->root.arena, "no such event for %lld ms",
				(long long)(span / NS_PER_MS)),
			arena_print(c->root.arena, "after %lld ms: %s",
				(long long)((came->at_ns - s.since_ns) / NS_PER_MS),
				event_words(came, c->root.arena)));
	}
	arena_free(s.arena);
	return !came;
}
