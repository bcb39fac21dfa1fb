#include "base/buf.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

enum { FIRST_BYTES = 64, READ_BYTES = 64 * 1024 };

void buf_init(struct buf *buf, size_t max_bytes)
{
	*buf = (struct buf){ .max = max_bytes };
}

void buf_release(struct buf *buf)
{
	free(buf->data);
	*buf = (struct buf){ .max = buf->max };
}

void buf_clear(struct buf *buf)
{
	buf->len = 0;
	if (buf->data)
		buf->data[0] = 0;
}

static enum rc reserve(struct buf *buf, size_t more)
{
	if (more > buf->max || buf->len > buf->max - more)
		return RC_LIMIT;
	if (buf->len + more < buf->cap)
		return RC_OK;
	/* What comes in one piece, as heads and short bodies do, gets no more room than it needs. */
	size_t cap = buf->cap ? buf->cap : more < FIRST_BYTES ? FIRST_BYTES : more + 1;
	while (cap <= buf->len + more)
		cap *= 2;
	if (cap > buf->max + 1)
		cap = buf->max + 1;
	buf->data = mem_grow(buf->data, cap, 1);
	buf->cap = cap;
	return RC_OK;
}

enum rc buf_append(struct buf *buf, struct slice bytes)
{
	if (reserve(buf, bytes.len) != RC_OK)
		return RC_LIMIT;
	if (bytes.len)
		memcpy(buf->data + buf->len, bytes.ptr, bytes.len);
	buf->len += bytes.len;
	buf->data[buf->len] = 0;
	return RC_OK;
}

enum rc buf_text(struct buf *buf, const char *text)
{
	return buf_append(buf, slice_of(text));
}

enum rc buf_print(struct buf *buf, const char *format, ...)
{
	va_list args, again;
	va_start(args, format);
	va_copy(again, args);
	int length = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (length < 0)
		BUG("a format that does not print: %s", format);
	enum rc rc = reserve(buf, (size_t)length);
	if (rc == RC_OK) {
		vsnprintf((char *)buf->data + buf->len, (size_t)length + 1, format, again);
		buf->len += (size_t)length;
	}
	va_end(again);
	return rc;
}

struct slice buf_slice(const struct buf *buf)
{
	return slice_from(buf->data ? buf->data : (const uint8_t *)"", buf->len);
}

enum rc buf_read_file(struct buf *buf, const char *path, struct err *err)
{
	int fd;
	enum rc rc = file_open(path, &fd, err);
	if (rc != RC_OK)
		return rc;
	uint8_t *chunk = mem_alloc(1, READ_BYTES);
	for (;;) {
		ssize_t n = read(fd, chunk, READ_BYTES);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			rc = err_errno(err, RC_ENVIRONMENT, path, "cannot be read");
		if (n <= 0)
			break;
		rc = buf_append(buf, slice_from(chunk, (size_t)n));
		if (rc != RC_OK) {
			rc = err_set(err, RC_LIMIT, path, "is larger than %zu bytes", buf->max);
			break;
		}
	}
	free(chunk);
	close(fd);
	return rc;
}
