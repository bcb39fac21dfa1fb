/*
 * scope: which names `${...}` may use here, and what they stand for.
 *
 * Frames are nested lexically: run, suite, case, matrix cell, a list of steps with the names and captures of its
 * earlier steps, variables of a step. A name may be declared before its value is known (lint knows no answers); names
 * are never shadowed.
 *
 * Memory: a frame and what is bound in it live in the arena that was the root's when the frame was made. Whoever does
 * something again and again (a cell, a step, a try) encloses it in scope_begin() and scope_end(), and what it took is
 * gone behind it.
 */
#ifndef CASE_SCOPE_H
#define CASE_SCOPE_H

#include "base/arena.h"
#include "base/json.h"
#include "base/rng.h"

enum binding_kind {
	BINDING_WRITTEN,  /* from a file: its own `${...}` are resolved where it is used */
	BINDING_RECEIVED, /* from an answer or from onus: never scanned */
	BINDING_SECRET,   /* received, and masked in whatever is printed or saved */
};

struct binding {
	struct binding *next;
	struct binding *in_slot; /* the next one in the same slot of the frame's table */
	uint32_t hash;
	const char *name;
	const cJSON *value; /* NULL: declared, not known yet */
	cJSON *owned; /* value, or what a generator made of it: freed with the frame, or by a new value */
	bool generated;     /* owned is what a generator made of value */
	const char *origin; /* of the frame it was bound in */
	enum binding_kind kind;
};

/* What is common to all frames of one case: where fresh texts, random numbers and secrets come from. */
struct scope_root {
	struct arena *arena;   /* of what is made from now on */
	struct arena *lasting; /* of secrets, which are masked to the end of the case */
	struct rng *rng;       /* what scope_random() derives from */
	const char *unique;    /* starts every ${unique} */
	unsigned unique_count;
	const char **secrets; /* for masking; ended by NULL; grows */
	size_t secret_count;
	bool overgrown; /* a value became too long: lint asks no further */
};

struct scope {
	const struct scope *parent;
	struct scope_root *root;
	struct arena *arena; /* the root's when this was made */
	struct binding *bindings;
	struct binding **slots; /* by hash, so that a file with many variables is soon read */
	size_t slot_count;      /* a power of two, or 0 */
	size_t binding_count;
	const char *
		origin; /* where in the case: the random numbers of what is bound here hang on it */
	bool lenient;   /* a name without a value is left as it is written */
};

struct scope *scope_new(struct scope_root *root, bool lenient) MUST_USE;
struct scope *scope_push(const struct scope *parent) MUST_USE;
/* A frame inside parent with the bindings of another one, which must outlive it and be bound no more. */
struct scope *scope_graft(const struct scope *parent, const struct scope *bound) MUST_USE;

/*
 * Random numbers of its own for what has the name in a frame of that origin, so that neither the order in which values
 * are made nor what is left out (--cell) changes them.
 */
struct rng scope_random(const struct scope_root *root, const char *origin, const char *name);

/* Puts a fresh arena in the place of the root's, which is returned; scope_end frees the fresh one and puts it back. */
struct arena *scope_begin(struct scope_root *root) MUST_USE;
void scope_end(struct scope_root *root, struct arena *outer);

/* name is copied; value is not, and must live as long as the scope (NULL: declared only). A name bound in this very
 * frame is bound anew: a step that runs again. */
void scope_bind(struct scope *scope, const char *name, const cJSON *value, enum binding_kind kind);
/* Binds each member of the object, which goes to the bindings. */
void scope_bind_members(struct scope *scope, cJSON *object, enum binding_kind kind);
/* Binds a value whose ownership goes to the binding. */
void scope_bind_owned(struct scope *scope, const char *name, cJSON *value, enum binding_kind kind);
/* Binds every member of an object of a file. */
void scope_bind_all(struct scope *scope, const cJSON *object);

struct binding *scope_find(const struct scope *scope, const char *name, size_t length);
/* The declared name nearest to `name`, or NULL. */
const char *scope_nearest(const struct scope *scope, const char *name);

/* Once each; an empty one hides nothing and is left out. */
void scope_add_secret(struct scope_root *root, const char *secret);
/* A copy, of the arena, with "****" for whatever is part of a secret; the text itself where there are no secrets. */
const char *scope_mask(const struct scope_root *root, struct arena *arena, const char *text);

/* Frees value with the root's present arena. */
cJSON *scope_keep(struct scope_root *root, cJSON *value);

/* Words that no variable may take: session sut env seed unique root files to ... */
bool scope_reserved(const char *name);

#endif
