/*
 * load_body: how many bytes an answer's body is without chunked and content coding. It keeps none of them.
 */
#ifndef HTTP_LOAD_BODY_H
#define HTTP_LOAD_BODY_H

#include "http/chunked.h"
#include "http/coding.h"

struct load_body {
	bool open;
	bool broken; /* it does not decode */
	bool chunked;
	uint64_t decoded_bytes;
	/* Of the decoders. */
	struct chunked chunks;
	struct framing_violations violations;
	struct arena *arena; /* NULL before the first use */
	struct coding *coding;
};

/* For the next answer; codings as in Content-Encoding, or "". */
void load_body_open(struct load_body *body, bool chunked, const char *codings);
void load_body_push(struct load_body *body, struct slice bytes);
/* All has come: broken tells whether that was a whole body. Without load_body_open, nothing happens. */
void load_body_close(struct load_body *body);
/* What is open is given up. */
void load_body_release(struct load_body *body);

#endif
