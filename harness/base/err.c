#include "base/err.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/visible.h"

enum { OUT_OF_MEMORY = 3 };

static void fill(struct err *err, const char *where, const char *format, va_list args)
{
	if (!err)
		return;
	snprintf(err->where, sizeof err->where, "%s", where ? where : "");
	vsnprintf(err->text, sizeof err->text, format, args);
}

enum rc err_set(struct err *err, enum rc rc, const char *where, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	fill(err, where, format, args);
	va_end(args);
	return rc;
}

enum rc err_errno(struct err *err, enum rc rc, const char *where, const char *format, ...)
{
	char reason[128];
	const char *words = strerror_r(errno, reason, sizeof reason);
	va_list args;
	va_start(args, format);
	fill(err, where, format, args);
	va_end(args);
	if (err) {
		size_t used = strlen(err->text);
		snprintf(err->text + used, sizeof err->text - used, ": %s", words);
	}
	return rc;
}

void bug_at(const char *file, int line, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	fprintf(stderr, "BUG: %s:%d: ", file, line);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
	abort();
}

void err_print(const char *who, const struct err *err)
{
	fputs("onus: ", stderr);
	visible_line(stderr, who);
	fputs(who[0] ? ": " : "", stderr);
	visible_line(stderr, err->text);
	fputc('\n', stderr);
}

/* As what onus needs and has not got; nothing is left to tell the reports. What it started ends with it. */
static void *or_exit(void *memory)
{
	if (memory)
		return memory;
	fputs("onus: out of memory\n", stderr);
	_exit(OUT_OF_MEMORY);
}

void *mem_alloc(size_t count, size_t size)
{
	return or_exit(calloc(count ? count : 1, size ? size : 1));
}

void *mem_grow(void *old, size_t count, size_t size)
{
	if (size && count > SIZE_MAX / size)
		BUG("a size of %zu times %zu bytes", count, size);
	size_t bytes = count * size;
	return or_exit(realloc(old, bytes > 0 ? bytes : 1));
}

char *mem_text(const char *text)
{
	return or_exit(strdup(text));
}

char *mem_print(const char *format, ...)
{
	char *text = NULL;
	va_list args;
	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	return or_exit(text);
}
