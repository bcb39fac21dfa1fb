/*
 * tally: what a case has done and found so far.
 *
 * A step that is tried again (`retry`) is rolled back to a mark, so that only its last try counts. All texts are masked
 * and of the case's arena.
 */
#ifndef DRIVE_TALLY_H
#define DRIVE_TALLY_H

#include "case/scope.h"
#include "model/case.h"
#include "model/measure.h"
#include "model/result.h"

struct tally {
	struct arena *arena;
	const struct case_file *one;
	const struct json *sessions;   /* the suite's file, where sign-in steps stand; or NULL */
	const struct scope_root *root; /* of the secrets, which grow while the case runs */
	size_t cells, checks, requests, events, routes;
	struct finding *findings;
	size_t finding_count, finding_room;
	struct problem *problems;
	size_t problem_count, problem_room;
	struct figure *figures;
	size_t figure_count, figure_room;
	struct chart *charts;
	size_t chart_count, chart_room;
};

struct tally_mark {
	size_t cells, checks, requests, events, routes, findings, problems, figures, charts;
};

struct tally_mark tally_mark(const struct tally *tally);
bool tally_changed(const struct tally *tally,
	const struct tally_mark *mark); /* a finding or problem since then */
/* Since then the case itself has turned out to be wrong: no other try cures that. */
bool tally_hopeless(const struct tally *tally, const struct tally_mark *mark);
void tally_back(struct tally *tally, const struct tally_mark *mark);

/* Texts are copied and masked; the place is that of the nearest value of the case file that pointer leads to. */
void tally_finding(struct tally *tally, const char *pointer, const struct finding *finding);
void tally_problem(struct tally *tally, enum problem_kind kind, struct place place,
	const char *format, ...) PRINTF(4, 5);

/* What a step measured: its pointer and cell are copied. */
void tally_figures(
	struct tally *tally, const char *step, const char *cell, const struct measures *measures);

/* Its curves: the chart is of the tally's arena; step and cell are copied. */
void tally_chart(
	struct tally *tally, const char *step, const char *cell, const struct chart *chart);

/* A tally of its own for a list of a parallel, and what it has come to put behind what is there. */
struct tally tally_branch(const struct tally *tally, const struct scope_root *root);
void tally_join(struct tally *tally, const struct tally *branch);

/* Secrets in text become "****"; the text itself where there are none. Of the tally's arena. */
const char *tally_mask(const struct tally *tally, const char *text);

#endif
