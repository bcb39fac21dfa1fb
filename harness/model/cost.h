/*
 * cost: what a SUT used over time: a bounded series of rows, and what it comes to between two of them. Data only; who
 * fills it is sut/sample.h.
 *
 * When the room is full, two neighbours become one (the later one's totals, the greater of what varies), and from then on
 * each row stands for twice as long: the whole time stays in sight at a lower resolution, and no peak is lost.
 *
 *	struct cost cost;
 *	cost_init(&cost, COST_ROWS);
 *	cost_add(&cost, &row);
 *	if (cost_sum(&cost, from_ns, to_ns, &sum))
 *		cost_measures(&sum, &measures);
 *	cost_release(&cost);
 */
#ifndef MODEL_COST_H
#define MODEL_COST_H

#include <stdbool.h>

#include "model/measure.h"

enum { COST_ROWS = 8192 };

/* What the kernel does not tell. */
#define COST_ABSENT INT64_C(-1)

/* Of all processes of the SUT together. */
struct cost_row {
	int64_t at_ns;
	int64_t cpu_ns;       /* since the first row, by processes that ended too */
	int64_t memory_bytes; /* resident; what two processes share counts twice */
	int64_t descriptors, threads, processes;
	int64_t voluntary, involuntary; /* context switches of threads that live; each second */
	int64_t pss_bytes;              /* resident, what is shared counted once; each second */
	int64_t anonymous_bytes;        /* resident and no file's; each second */
	int64_t socket_bytes; /* TCP and UDP buffers in the kernel, the whole machine's; each second */
};

struct cost {
	struct cost_row *rows; /* in the order of time */
	size_t count, room;
	size_t each, pending; /* how many samples a row stands for, and are in the last */
};

/* `room` is at least 2, and even. */
void cost_init(struct cost *cost, size_t room);
void cost_release(struct cost *cost);
void cost_add(struct cost *cost, const struct cost_row *row);

/* COST_ABSENT where no row of the interval has it. */
struct cost_sum {
	size_t rows;
	int64_t from_ns, to_ns; /* of the first and last row that count */
	int64_t cpu_ns;
	double cpu_percent;                                    /* of one core, over that time */
	int64_t memory_bytes, descriptors, threads, processes; /* at most */
	int64_t pss_bytes, anonymous_bytes, socket_bytes;      /* at most */
	int64_t voluntary, involuntary;                        /* meanwhile */
	bool grows; /* memory_growth is known: there are rows enough to tell it from noise */
	int64_t memory_growth_bytes; /* median of the last tenth of the rows less that of the first */
};

/* Over the rows from from_ns to to_ns, both included; false where these are fewer than two. */
bool cost_sum(const struct cost *cost, int64_t from_ns, int64_t to_ns, struct cost_sum *sum);

/*
 * The LOAD_SUT_NUMBERS of model/load_numbers.h, and for people alone "sut.pss", "sut.anonymous", "sut.sockets",
 * "sut.switches" (voluntary) and "sut.preempted" (involuntary): each as far as it is known.
 */
void cost_measures(const struct cost_sum *sum, struct measures *measures);
/* "sut.cpu_per_request", from "sut.cpu" among them, where that many requests were answered within length_ns. */
void cost_add_each(struct measures *measures, int64_t length_ns, uint64_t answered);

#endif
