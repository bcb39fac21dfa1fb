/*
 * case_run: one case from its requirements to its outcome, and what its steps share while it runs.
 */
#ifndef DRIVE_CASE_RUN_H
#define DRIVE_CASE_RUN_H

#include <pthread.h>

#include "case/walk.h"
#include "drive/run.h"
#include "drive/tally.h"
#include "http/client.h"

/* One of the case's SUTs while it runs. */
struct running {
	const char *variant;       /* its name in `suts`, or NULL */
	struct sut *sut;           /* NULL with --target */
	struct sample_source cost; /* with --target: whose cost is sampled, if anybody's */
	struct client_options address;
	struct scope *
		frame; /* `sut root files to services` of it; its parent is that of the case's cell */
	const char *dir;
	int stop_signal;
	bool ended; /* that it ended by itself has been told */
	bool spent; /* it was to fill its memory cap, and has: its end is no finding */
};

/* What a step is known by to later ones of its list; the exchange is its own. */
struct named {
	struct named *next;
	const char *name;
	struct exchange *exchange;
};

/* A scope of connections: one user's to one SUT. */
struct client_of {
	struct client_of *next;
	const struct running *sut;
	const char *as;
	struct client *client;
};

struct stream;
struct upstream;
struct session_user;
struct parallel;
struct busy_list;

struct case_run {
	struct run *run;
	const struct case_file *one;
	const char *fault;
	struct arena *arena; /* of the result */
	struct scope_root root;
	struct rng rng;
	struct tally tally;
	const char *dir; /* of the case, absolute; NULL until it is made */
	const char
		*output; /* the last lines of a SUT's output, where something was found; or NULL */
	/* Of the case's cell that runs now. */
	struct arena *
		cell_arena; /* what lives as long as it; root.arena as long as the present try of a step */
	struct cell_text cell;
	struct engine *engine;
	struct running *suts;
	size_t sut_count;
	struct named *named;
	int64_t deadline_ns; /* of the groups around the step */
	unsigned saved;      /* exchanges, for their file names */
	unsigned starts;     /* of SUTs, for their folders */
	bool interrupted;    /* that has been told */
	struct client_of *clients;
	const struct step *signing; /* the step whose user is being signed in, or NULL */
	struct session_user *users; /* that are signed in */
	struct upstream *upstream;  /* or NULL */
	bool upstream_ended;        /* that has been told */
	struct stream *stream;      /* around the step, or NULL */
	int64_t sent_ns;            /* when the step before was sent: what `await` counts from */
	enum rc walk_rc;            /* of the steps of a stream */
	struct parallel *parallel;  /* around the step, or NULL */
	struct busy_list *busy;     /* of the probe around the step, or NULL */
	pthread_mutex_t *turn;      /* of the lists of a parallel; NULL elsewhere */
	bool entered;               /* `alone` is held for the steps around this one */
	bool lost; /* the step brought no answer or capture that later ones may need */
};

/* Fills job->result; job->arena is there. */
void case_run(struct run *run, struct job *job);

/* The running SUT that a step speaks to; NULL where it speaks to none: a pause among several suts. */
struct running *case_run_sut(struct case_run *c, const struct step *step);

/* The client that a step's requests go over, made where it is missing. */
struct client *case_run_client(struct case_run *c, const struct step *step);
/* Frees all clients of c's engine; of `sut` only, where it is not NULL. */
void case_run_forget_clients(struct case_run *c, const struct running *sut);

/* An engine that a signal interrupts; NULL after a problem was told. */
struct engine *case_run_engine(struct case_run *c) MUST_USE;

/* The scope of a step with the `sut root files to services` of the SUT it speaks to. */
struct scope *case_run_scope(struct case_run *c, const struct walk_step *at);

/* The command that runs this cell again, of root.arena. */
const char *case_run_again(struct case_run *c, struct cell_text cell);

/* A signal came before this was done: told once. */
void case_run_interrupted(struct case_run *c, struct place place);

#endif
