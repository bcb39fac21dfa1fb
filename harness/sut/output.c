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

#include "sut/sut.h"

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

uint64_t output_bytes(const struct output *output)
{
	struct stat status;
	if (output->fd < 0 || fstat(output->fd, &status) || status.st_size <= output->from)
		return 0;
	return (uint64_t)(status.st_size - output->from);
}

struct slice output_tail(const struct output *output, struct arena *arena)
{
	uint64_t bytes = output_bytes(output);
	size_t len = bytes < OUTPUT_KEPT_BYTES ? (size_t)bytes : OUTPUT_KEPT_BYTES;
	off_t end = output->from + (off_t)bytes;
	char *kept = arena_alloc(arena, len + 1, 1);
	size_t done = 0;
	while (done < len) {
		ssize_t n = pread(output->fd, kept + done, len - done, end - (off_t)(len - done));
		if (n == 0 || (n < 0 && errno != EINTR))
			break;
		done += n > 0 ? (size_t)n : 0;
	}
	return slice_from(kept, done);
}

/* Whole lines first, then what stands behind the last one. */
static bool next(struct lines *lines, struct slice *line)
{
	return lines_next(lines, line) || lines_rest(lines, line);
}

const char *output_sanitizer(const struct output *output, struct arena *arena)
{
	struct lines lines;
	struct slice line;
	lines_init(&lines, output->fd, output->from);
	while (next(&lines, &line))
		if (sanitizer_report(line))
			return arena_slice(arena, line);
	return output->copied.sanitizer[0] ? arena_text(arena, output->copied.sanitizer) : NULL;
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

void output_dropped(const struct output *output, const char *name, char *text, size_t size)
{
	char reason[128];
	size_t used = strlen(text);
	unsigned long long dropped = output->copied.dropped;
	if (!dropped)
		return;
	if (output->copied.error)
		snprintf(text + used, size - used, "%s: %llu more bytes were dropped: %s", name,
			dropped, strerror_r(output->copied.error, reason, sizeof reason));
	else
		snprintf(text + used, size - used,
			"%s: %llu more bytes were dropped: expected at most %d", name, dropped,
			SUT_OUTPUT_MAX_BYTES);
}
