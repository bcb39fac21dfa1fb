/*
 * save: an exchange as a file that people read: request head, answer head, the decoded body (a hexdump where it is not
 * text), sizes of the layers, times and violations. Never read back.
 */
#ifndef HTTP_SAVE_H
#define HTTP_SAVE_H

#include "model/exchange.h"

enum { SAVE_BODY_BYTES = 64 * 1024 }; /* of a body, the rest is only counted */

/*
 * secrets: a list ended by NULL, or NULL; each is written as "****" wherever it stands. RC_ENVIRONMENT where the file
 * cannot be written: *err says why.
 */
enum rc exchange_save(const struct exchange *exchange, const char *path, const char *const *secrets,
	struct err *err) MUST_USE;

#endif
