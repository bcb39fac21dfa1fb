/*
 * load_words: values of `onus load`'s options from their words. An error names the option.
 */
#ifndef CLI_LOAD_WORDS_H
#define CLI_LOAD_WORDS_H

#include <stdint.h>

#include "base/arena.h"
#include "http/client.h"

/* Each leaves *value alone where text is NULL. RC_USAGE with err's `where` "--OPTION". */
enum rc load_word_count(const char *option, const char *text, uint64_t least, uint64_t most,
	uint64_t *value, struct err *err) MUST_USE;
/* "500ms"; "10" is ten seconds where `seconds` says so. */
enum rc load_word_time(
	const char *option, const char *text, bool seconds, int64_t *ns, struct err *err) MUST_USE;
/* "2000", "2000/s". */
enum rc load_word_rate(
	const char *option, const char *text, double *per_s, struct err *err) MUST_USE;
/* The index of one of `count` words. */
enum rc load_word_choice(const char *option, const char *text, const char *const *words,
	size_t count, size_t *index, struct err *err) MUST_USE;

/*
 * "Name: value" as one field line, its value without the spaces around it; "Name:" sends it empty. Texts of the arena.
 * RC_USAGE: no token in front (RFC 9110 section 5.6.2), control characters, or a field of the framing, which is ours.
 */
enum rc load_word_header(const char *text, struct arena *arena, struct request_header *header,
	struct err *err) MUST_USE;

/* tchar of RFC 9110 section 5.6.2, all of it; false for "". */
bool load_word_is_token(struct slice text);

#endif
