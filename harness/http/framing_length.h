/*
 * framing_length: which rule of RFC 9112 section 6.3 says where an answer's body ends, and what its Content-Length and
 * Transfer-Encoding break.
 */
#ifndef HTTP_FRAMING_LENGTH_H
#define HTTP_FRAMING_LENGTH_H

#include "http/framing.h"

/* Of the final head in framing->head: fills rule, length, remaining; FRAMING_BROKEN where a length can't be used. */
void framing_length_find(struct framing *framing);

/* A 1xx head must have neither field. */
void framing_length_interim(const struct headers *headers, struct framing_violations *violations);

#endif
