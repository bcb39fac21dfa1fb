#include "sut/lines.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void lines_init(struct lines *lines, int fd, off_t at)
{
	lines->fd = fd;
	lines->at = at;
	lines->start = lines->end = 0;
}

/* Only up to the size of the file: a device such as /dev/full would never end. */
static bool fill(struct lines *lines)
{
	struct stat status;
	if (lines->fd < 0 || fstat(lines->fd, &status) || status.st_size <= lines->at)
		return false;
	memmove(lines->bytes, lines->bytes + lines->start, lines->end - lines->start);
	lines->end -= lines->start;
	lines->start = 0;
	ssize_t n;
	do
		n = pread(lines->fd, lines->bytes + lines->end, sizeof lines->bytes - lines->end,
			lines->at);
	while (n < 0 && errno == EINTR);
	if (n <= 0)
		return false;
	lines->end += (size_t)n;
	lines->at += n;
	return true;
}

static struct slice cut(struct lines *lines, size_t len, size_t skip)
{
	struct slice line = slice_from(lines->bytes + lines->start, len);
	lines->start += len + skip;
	if (line.len && line.ptr[line.len - 1] == '\r')
		line.len--;
	return line;
}

bool lines_next(struct lines *lines, struct slice *line)
{
	for (size_t seen = 0;;) {
		size_t have = lines->end - lines->start;
		const char *from = lines->bytes + lines->start;
		const char *lf = memchr(from + seen, '\n', have - seen);
		if (lf) {
			*line = cut(lines, (size_t)(lf - from), 1);
			return true;
		}
		if (have == sizeof lines->bytes) {
			*line = cut(lines, have, 0);
			return true;
		}
		seen = have;
		if (!fill(lines))
			return false;
	}
}

bool lines_rest(struct lines *lines, struct slice *line)
{
	if (lines->start == lines->end)
		return false;
	*line = cut(lines, lines->end - lines->start, 0);
	return true;
}
