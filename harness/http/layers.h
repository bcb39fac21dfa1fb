/*
 * layers: a body in three layers, wire -> dechunked -> decoded, as its bytes come: length, digest, and the bytes
 * themselves up to a cap. Layers that are equal by construction share memory and digest.
 *
 *	struct layers layers;
 *	layers_init(&layers, arena, HTTP_KEPT_BYTES);
 *	layers_begin(&layers, chunked, coding);		once the head is known
 *	layers_wire(&layers, bytes);			as framing.h's sink gives them
 *	layers_content(&layers, bytes);
 *	layers_end(&layers, complete, out);
 */
#ifndef HTTP_LAYERS_H
#define HTTP_LAYERS_H

#include "base/buf.h"
#include "http/coding.h"
#include "model/exchange.h"

struct layer_store {
	struct buf bytes;
	struct digest digest;
	uint64_t length;
	bool over; /* longer than the cap: only the start is kept */
};

struct layers {
	struct arena *arena;
	struct layer_store stores[LAYER_COUNT];
	bool chunked;
	struct coding *coding; /* NULL where there is none, or it has ended */
	bool coded;
	enum rc rc;        /* of the decoding so far: RC_INVALID, RC_LIMIT for a bomb */
	const char *error; /* of the arena, where rc tells one */
	void (*watch)(
		void *self, struct slice decoded); /* sees decoded bytes as they come, or NULL */
	void *watcher;
};

/* The arena takes all memory in layers_end and must outlive *layers. */
void layers_init(struct layers *layers, struct arena *arena, size_t kept_bytes);
void layers_release(struct layers *layers);

/* coding as in Content-Encoding, or NULL. One that is not known is an error of the decoding. */
void layers_begin(struct layers *layers, bool chunked, const char *coding);

void layers_wire(struct layers *layers, struct slice bytes);
void layers_content(struct layers *layers, struct slice bytes);

/* Fills out[LAYER_COUNT]. Only a complete body's coded stream must have ended. */
void layers_end(struct layers *layers, bool complete, struct layer *out);
/* What is wrong with the coded stream, of the arena, or NULL. After layers_end. */
const char *layers_error(const struct layers *layers);

#endif
