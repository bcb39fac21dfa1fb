/*
 * err: how a function says that it could not do its work.
 *
 * A function that can fail returns enum rc, whose use the compiler enforces, and fills a struct err on the
 * caller's stack. The text says what was expected, what was found and where; it ends without a full stop.
 * Out of memory is not an error that callers see: it ends the program in one place (mem_alloc) with exit status 3.
 *
 *	struct err err = { 0 };
 *	enum rc rc = suite_load(path, &suite, &err);
 *	if (rc != RC_OK)
 *		err_print(err.where, &err);
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdarg.h>
#include <stddef.h>

/* Why something failed; the command line maps a kind to its exit code. */
enum rc {
	RC_OK = 0,
	RC_INVALID,     /* the input does not have the form it must have */
	RC_USAGE,       /* a case, suite or option is wrong: exit 2 */
	RC_ENVIRONMENT, /* a port, a file, a tool, a process: exit 3 */
	RC_LIMIT,       /* a size cap was reached */
	RC_TIMEOUT,     /* a deadline passed first */
	RC_CLOSED,      /* the other side is gone */
	RC_NOT_FOUND,   /* what was looked for is not there */
};

#define MUST_USE     __attribute__((warn_unused_result))
#define PRINTF(f, a) __attribute__((format(printf, f, a), nonnull(f)))

struct err {
	char where[256]; /* a file, "file:line:col", an address, or empty */
	char text[1024];
};

/* Fills err (which may be NULL) and returns rc, so that it reads `return err_set(...)`. */
enum rc err_set(struct err *err, enum rc rc, const char *where, const char *format, ...)
	PRINTF(4, 5);

/* The same with the text of errno behind it: "open: No such file or directory". */
enum rc err_errno(struct err *err, enum rc rc, const char *where, const char *format, ...)
	PRINTF(4, 5);

/* "onus: WHO: TEXT" on standard error, as one line whatever is in them: visible_line(). who: err->where, or another. */
void err_print(const char *who, const struct err *err);

/* Ends the program with "BUG: file:line: text": onus is wrong, which no exit code stands for. */
_Noreturn void bug_at(const char *file, int line, const char *format, ...) PRINTF(3, 4);
#define BUG(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)

/* The only allocators of the harness: they return zeroed memory, or end the program with exit status 3. */
void *mem_alloc(size_t count, size_t size) MUST_USE;
void *mem_grow(void *old, size_t count, size_t size) MUST_USE;
char *mem_text(const char *text) MUST_USE;
char *mem_print(const char *format, ...) MUST_USE PRINTF(1, 2);

#endif
