#include "sut/output.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SHOWN_BYTES = 120 };

enum rc output_open(struct output *output, const char *path, struct err *err)
{
	struct stat status = { 0 };
	if (path)
		output->fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	else
		output->fd = memfd_create("onus-output", MFD_CLOEXEC);
	if (output->fd < 0 || fstat(output->fd, &status))
		return err_errno(err, RC_ENVIRONMENT, path ? path : "memory file", "open");
	output->from = status.st_size;
	return RC_OK;
}

void output_close(struct output *output)
{
	if (output->fd >= 0)
		close(output->fd);
	output->fd = -1;
}

struct slice output_tail(const struct output *output, struct arena *arena)
{
	struct stat status;
	if (output->fd < 0 || fstat(output->fd, &status) || status.st_size <= output->from)
		return slice_of("");
	size_t len = (size_t)(status.st_size - output->from);
	if (len > OUTPUT_KEPT_BYTES)
		len = OUTPUT_KEPT_BYTES;
	char *bytes = arena_alloc(arena, len + 1, 1);
	size_t done = 0;
	while (done < len) {
		ssize_t n = pread(
			output->fd, bytes + done, len - done, status.st_size - (off_t)(len - done));
		if (n == 0 || (n < 0 && errno != EINTR))
			break;
		done += n > 0 ? (size_t)n : 0;
	}
	return slice_from(bytes, done);
}

/* Whole lines first, then what stands behind the last one. */
static bool next(struct lines *lines, struct slice *line)
{
	return lines_next(lines, line) || lines_rest(lines, line);
}

static bool has(struct slice line, const char *text)
{
	return slice_find(line, slice_of(text)) != SIZE_MAX;
}

/* "==123==ERROR: AddressSanitizer: ..." of compiler-rt's sanitizer_common; valgrind's "==123== " is not it. */
static bool process_report(struct slice line)
{
	size_t digits = 2;
	while (digits < line.len && line.ptr[digits] >= '0' && line.ptr[digits] <= '9')
		digits++;
	struct slice rest = slice_part(line, digits, SIZE_MAX);
	return slice_starts(line, "==") && digits > 2 &&
	       (slice_starts(rest, "==ERROR: ") || slice_starts(rest, "==WARNING: ")) &&
	       has(rest, "Sanitizer");
}

/* "FILE:LINE:COL: runtime error: ..." of UBSan; Go's "panic: runtime error: ..." has no place before it. */
static bool behaviour_report(struct slice line)
{
	size_t at = slice_find(line, slice_of(": runtime error: "));
	if (at == SIZE_MAX || at == 0)
		return false;
	uint8_t before = line.ptr[at - 1];
	return (before >= '0' && before <= '9') || before == '>';
}

static bool sanitizer_report(struct slice line)
{
	return process_report(line) || behaviour_report(line) ||
	       slice_starts(line, "WARNING: ThreadSanitizer: ") ||
	       has(line, "Sanitizer:DEADLYSIGNAL");
}

const char *output_sanitizer(const struct output *output, struct arena *arena)
{
	struct lines lines;
	struct slice line;
	lines_init(&lines, output->fd, output->from);
	while (next(&lines, &line))
		if (sanitizer_report(line))
			return arena_slice(arena, line);
	return NULL;
}

static bool says_taken(struct slice line)
{
	static const char *const hints[] = { "address already in use", "address in use",
		"eaddrinuse" };
	for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) {
		size_t len = strlen(hints[i]);
		for (size_t at = 0; at + len <= line.len; at++)
			if (strncasecmp((const char *)line.ptr + at, hints[i], len) == 0)
				return true;
	}
	return false;
}

bool output_port_taken(const struct output *output)
{
	struct lines lines;
	struct slice line;
	lines_init(&lines, output->fd, output->from);
	while (next(&lines, &line))
		if (says_taken(line))
			return true;
	return false;
}

static void keep(char *shown, struct slice line)
{
	size_t len = line.len < SHOWN_BYTES ? line.len : SHOWN_BYTES - 1;
	memcpy(shown, line.ptr, len);
	shown[len] = 0;
	for (size_t i = 0; i < len; i++)
		if (iscntrl((unsigned char)shown[i]))
			shown[i] = '?';
}

void output_last_lines(const struct output *output, char *text, size_t size)
{
	struct lines lines;
	struct slice line;
	char shown[OUTPUT_LAST_LINES][SHOWN_BYTES];
	size_t count = 0;
	lines_init(&lines, output->fd, output->from);
	while (next(&lines, &line))
		if (line.len)
			keep(shown[count++ % OUTPUT_LAST_LINES], line);
	for (size_t i = count > OUTPUT_LAST_LINES ? count - OUTPUT_LAST_LINES : 0; i < count; i++) {
		size_t used = strlen(text);
		snprintf(text + used, size - used, "\n  | %s", shown[i % OUTPUT_LAST_LINES]);
	}
}
