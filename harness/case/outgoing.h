/*
 * outgoing: the request that a step stands for, with every variable in its place: what `lint --expand` prints and
 * drive/ hands to http/.
 */
#ifndef CASE_OUTGOING_H
#define CASE_OUTGOING_H

#include "case/scope.h"
#include "model/case.h"

enum { OUTGOING_HEADERS_MAX = 1000, OUTGOING_HEAD_MAX_BYTES = 256 * 1024 };

struct outgoing_header {
	const char *name, *value;
};

struct outgoing {
	const char *method, *target;
	struct outgoing_header *
		headers; /* those of the case, its groups and the step; later ones take the place of earlier */
	size_t header_count, header_room;
	bool without_host; /* headers say Host: null */
	struct slice body; /* ptr NULL: none, or a file's */
	const char *file;  /* where the body is a file's: its path, NULL otherwise */
	int file_fd;       /* for reading; closed with the arena */
	uint64_t file_bytes;
};

/*
 * Of the root's arena. RC_USAGE with err.text set: a variable, a body file that is not there, a method, target or header
 * with characters that would make it another request (which is what `raw` is for), a head over one of the caps above. In a lenient scope what is not known
 * yet stays as it is written, and a body that is not known yet is none.
 */
enum rc outgoing_build(struct scope *scope, const struct case_file *one, const struct step *step,
	struct outgoing *out, struct err *err) MUST_USE;

/* The hexadecimal text of a checked case as bytes of the arena. */
struct slice outgoing_hex(struct arena *arena, const char *text);

#endif
