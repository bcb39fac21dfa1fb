#include "drive/tally.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tally_mark tally_mark(const struct tally *tally)
{
	return (struct tally_mark){ tally->cells, tally->checks, tally->requests, tally->events,
		tally->routes, tally->finding_count, tally->problem_count, tally->figure_count,
		tally->chart_count };
}

bool tally_changed(const struct tally *tally, const struct tally_mark *mark)
{
	return tally->finding_count > mark->findings || tally->problem_count > mark->problems;
}

bool tally_hopeless(const struct tally *tally, const struct tally_mark *mark)
{
	for (size_t i = mark->problems; i < tally->problem_count; i++)
		if (tally->problems[i].kind == PROBLEM_USAGE)
			return true;
	return false;
}

void tally_back(struct tally *tally, const struct tally_mark *mark)
{
	tally->cells = mark->cells;
	tally->checks = mark->checks;
	tally->requests = mark->requests;
	tally->events = mark->events;
	tally->routes = mark->routes;
	tally->finding_count = mark->findings;
	tally->problem_count = mark->problems;
	tally->figure_count = mark->figures;
	tally->chart_count = mark->charts;
}

const char *tally_mask(const struct tally *tally, const char *text)
{
	return scope_mask(tally->root, tally->arena, text);
}

/* The value that pointer leads to, or the nearest one above it that is in the file. */
static struct place place_of(const struct tally *tally, const char *pointer)
{
	bool signing = strncmp(pointer, "/sessions/", 10) == 0;
	const struct json *json = signing ? tally->sessions : tally->one->json;
	cJSON *at = json_root(json);
	struct slice rest = slice_of(pointer[0] == '/' ? pointer + 1 : pointer), part;
	while (at && slice_next(&rest, '/', &part)) {
		char segment[256];
		bool owned;
		snprintf(segment, sizeof segment, "/%.*s", SLICE_PRINT(part));
		cJSON *next = json_pointer(at, segment, false, &owned);
		if (!next)
			break;
		at = next;
	}
	struct place place = json_place(json, at);
	place.pointer = pointer;
	return place;
}

static const char *masked_copy(struct tally *tally, const char *text)
{
	return text ? arena_text(tally->arena, tally_mask(tally, text)) : NULL;
}

static struct finding *new_finding(struct tally *tally)
{
	tally->findings = arena_grow(tally->arena, tally->findings, tally->finding_count,
		&tally->finding_room, 8, sizeof *tally->findings);
	return &tally->findings[tally->finding_count++];
}

void tally_finding(struct tally *tally, const char *pointer, const struct finding *finding)
{
	struct finding *f = new_finding(tally);
	*f = (struct finding){
		.place = place_of(tally, arena_text(tally->arena, pointer)),
		.request = masked_copy(tally, finding->request),
		.details = masked_copy(tally, finding->details),
		.what = masked_copy(tally, finding->what),
		.expected = masked_copy(tally, finding->expected),
		.found = masked_copy(tally, finding->found),
		.cell = masked_copy(tally, finding->cell),
		.exchange = finding->exchange,
		.again = masked_copy(tally, finding->again),
	};
}

static struct problem *new_problem(struct tally *tally)
{
	tally->problems = arena_grow(tally->arena, tally->problems, tally->problem_count,
		&tally->problem_room, 4, sizeof *tally->problems);
	return &tally->problems[tally->problem_count++];
}

void tally_problem(
	struct tally *tally, enum problem_kind kind, struct place place, const char *format, ...)
{
	char *text = NULL;
	va_list args;
	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		BUG("a format that does not print: %s", format);
	va_end(args);
	*new_problem(tally) = (struct problem){ kind, place, masked_copy(tally, text) };
	free(text);
}

static struct figure *new_figure(struct tally *tally)
{
	tally->figures = arena_grow(tally->arena, tally->figures, tally->figure_count,
		&tally->figure_room, 32, sizeof *tally->figures);
	return &tally->figures[tally->figure_count++];
}

void tally_figures(
	struct tally *tally, const char *step, const char *cell, const struct measures *measures)
{
	step = arena_text(tally->arena, step);
	cell = masked_copy(tally, cell);
	for (size_t i = 0; i < measures->count; i++) {
		const struct measure *m = &measures->list[i];
		char value[64];
		if (m->aside)
			continue;
		quantity_exact(m->quantity, value, sizeof value);
		*new_figure(tally) = (struct figure){ .step = step,
			.cell = cell,
			.name = arena_text(tally->arena, m->name),
			.value = arena_text(tally->arena, value),
			.note = masked_copy(tally, m->note) };
	}
}

static struct chart *new_chart(struct tally *tally)
{
	tally->charts = arena_grow(tally->arena, tally->charts, tally->chart_count,
		&tally->chart_room, 4, sizeof *tally->charts);
	return &tally->charts[tally->chart_count++];
}

void tally_chart(struct tally *tally, const char *step, const char *cell, const struct chart *chart)
{
	struct chart *new = new_chart(tally);
	*new = *chart;
	new->step = arena_text(tally->arena, step);
	new->cell = masked_copy(tally, cell);
	new->title = masked_copy(tally, chart->title);
	new->description = masked_copy(tally, chart->description);
}

struct tally tally_branch(const struct tally *tally, const struct scope_root *root)
{
	return (struct tally){
		.arena = tally->arena, .one = tally->one, .sessions = tally->sessions, .root = root
	};
}

void tally_join(struct tally *tally, const struct tally *branch)
{
	tally->cells += branch->cells;
	tally->checks += branch->checks;
	tally->requests += branch->requests;
	tally->events += branch->events;
	tally->routes += branch->routes;
	for (size_t i = 0; i < branch->finding_count; i++)
		*new_finding(tally) = branch->findings[i];
	for (size_t i = 0; i < branch->problem_count; i++)
		*new_problem(tally) = branch->problems[i];
	for (size_t i = 0; i < branch->figure_count; i++)
		*new_figure(tally) = branch->figures[i];
	for (size_t i = 0; i < branch->chart_count; i++)
		*new_chart(tally) = branch->charts[i];
}
