#include "load/arrival.h"

#include <math.h>
#include <stdbool.h>

/*
 * A schedule is the integral of its rate: request k is due where the integral reaches k. Less than a millionth of a
 * request is rounding, which may neither add one at the end nor move one across a time in which nothing is due.
 */
static const double rounding = 1e-6;

static int64_t end_of(const struct arrival_plan *plan)
{
	if (plan->kind != ARRIVAL_STAGES)
		return plan->length_ns;
	int64_t end_ns = 0;
	for (size_t i = 0; i < plan->stage_count; i++)
		end_ns += plan->stages[i].length_ns;
	return end_ns;
}

/* How many are due in the first t_ns of a piece. */
static double due_within(const struct arrival_piece *piece, int64_t t_ns)
{
	double t_s = (double)t_ns / 1e9;
	if (!piece->length_ns)
		return 0;
	double slope = (piece->to_per_s - piece->from_per_s) / (double)piece->length_ns * 1e9;
	return piece->from_per_s * t_s + slope * t_s * t_s / 2;
}

/* When `count` (>= 0) are due within a piece, ns from its start: the inverse of due_within, in the form that is stable. */
static double time_within(const struct arrival_piece *piece, double count)
{
	double from = piece->from_per_s;
	double slope =
		piece->length_ns ? (piece->to_per_s - from) / (double)piece->length_ns * 1e9 : 0;
	double root = from * from + 2 * slope * count;
	double divisor = from + sqrt(root > 0 ? root : 0);
	return divisor > 0 ? 2 * count * 1e9 / divisor : 0;
}

/* Makes *piece the plan's piece of this number, of which it must hold the one before; false where there is none. */
static bool next_piece(const struct arrival_plan *plan, size_t number, struct arrival_piece *piece)
{
	struct arrival_piece next = { .start_ns = piece->start_ns + piece->length_ns,
		.from_per_s = number ? piece->to_per_s : plan->rate_per_s,
		.first = piece->behind };
	if (plan->kind == ARRIVAL_STAGES) {
		if (number >= plan->stage_count)
			return false;
		next.length_ns = plan->stages[number].length_ns;
		next.to_per_s = plan->stages[number].to_per_s;
	} else if (plan->kind == ARRIVAL_RAMP && !number) {
		next.length_ns = plan->ramp_ns;
		next.to_per_s = plan->to_per_s;
	} else {
		if (next.start_ns >= plan->length_ns)
			return false;
		next.length_ns = plan->length_ns - next.start_ns;
		next.to_per_s = next.from_per_s;
	}
	next.behind = next.first + due_within(&next, next.length_ns);
	*piece = next;
	return true;
}

void arrival_init(struct arrival *arrival, const struct arrival_plan *plan, const struct rng *rng)
{
	if (plan->share.count && plan->share.index >= plan->share.count)
		BUG("share %llu of %llu", (unsigned long long)plan->share.index,
			(unsigned long long)plan->share.count);
	if (plan->kind == ARRIVAL_POISSON && !rng)
		BUG("a Poisson schedule without random numbers");
	*arrival = (struct arrival){ .plan = *plan, .number = plan->share.index };
	if (!plan->share.count)
		arrival->plan.share.count = 1;
	if (rng)
		arrival->rng = *rng;
}

/* Each share draws the gaps of all, so that they agree on the schedule. */
static double draw_position(struct arrival *arrival)
{
	for (; arrival->drawn <= arrival->number; arrival->drawn++)
		arrival->position -= log(1 - rng_share(&arrival->rng));
	return arrival->position;
}

static int64_t burst_due(const struct arrival_plan *plan, uint64_t number)
{
	uint64_t burst = number / plan->burst_size;
	if (burst > (uint64_t)(INT64_MAX / plan->burst_every_ns))
		return CLOCK_NEVER;
	return (int64_t)burst * plan->burst_every_ns;
}

static int64_t piece_due(struct arrival *arrival, double position)
{
	struct arrival_piece *piece = &arrival->piece;
	while (!arrival->pieces || position + rounding >= piece->behind)
		if (!next_piece(&arrival->plan, arrival->pieces++, piece))
			return CLOCK_NEVER;
	double within = position - piece->first;
	double t_ns = time_within(piece, within > 0 ? within : 0);
	if (t_ns >= (double)piece->length_ns)
		return piece->start_ns + piece->length_ns;
	return piece->start_ns + (int64_t)llround(t_ns);
}

int64_t arrival_next(struct arrival *arrival)
{
	struct arrival_plan *plan = &arrival->plan;
	int64_t due_ns = CLOCK_NEVER;
	if (arrival->number == UINT64_MAX)
		return CLOCK_NEVER;
	if (plan->kind == ARRIVAL_BURST)
		due_ns = burst_due(plan, arrival->number);
	else if (plan->kind == ARRIVAL_POISSON)
		due_ns = piece_due(arrival, draw_position(arrival));
	else
		due_ns = piece_due(arrival, (double)arrival->number);
	if (due_ns >= end_of(plan)) {
		arrival->number = UINT64_MAX;
		return CLOCK_NEVER;
	}
	arrival->number += plan->share.count;
	return due_ns;
}

double arrival_rate(const struct arrival_plan *plan, int64_t t_ns)
{
	struct arrival_piece piece = { 0 };
	if (t_ns < 0 || t_ns >= end_of(plan))
		return 0;
	if (plan->kind == ARRIVAL_BURST)
		return (double)plan->burst_size * 1e9 / (double)plan->burst_every_ns;
	for (size_t i = 0; next_piece(plan, i, &piece); i++)
		if (t_ns - piece.start_ns < piece.length_ns)
			return piece.from_per_s + (piece.to_per_s - piece.from_per_s) *
							  (double)(t_ns - piece.start_ns) /
							  (double)piece.length_ns;
	return 0;
}

double arrival_due(const struct arrival_plan *plan, int64_t t_ns)
{
	struct arrival_piece piece = { 0 };
	double due = 0;
	int64_t end_ns = end_of(plan);
	if (t_ns > end_ns)
		t_ns = end_ns;
	if (t_ns <= 0)
		return 0;
	if (plan->kind == ARRIVAL_BURST) {
		int64_t bursts = (t_ns - 1) / plan->burst_every_ns + 1;
		return (double)bursts * (double)plan->burst_size;
	}
	for (size_t i = 0; next_piece(plan, i, &piece) && piece.start_ns < t_ns; i++) {
		int64_t within_ns = t_ns - piece.start_ns;
		due = within_ns < piece.length_ns ? piece.first + due_within(&piece, within_ns)
						  : piece.behind;
	}
	if (plan->kind == ARRIVAL_POISSON)
		return due;
	return due > rounding ? ceil(due - rounding) : 0;
}
