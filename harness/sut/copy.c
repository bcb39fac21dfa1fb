#include "sut/copy.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "sut/sut.h"

int copy_open(struct copy *copy, int file)
{
	int ends[2];
	*copy = (struct copy){ .pipe = -1, .file = file };
	if (pipe2(ends, O_CLOEXEC))
		return -1;
	/* Only our end: O_NONBLOCK belongs to an end of a pipe, so the process's own writes still wait. */
	if (fcntl(ends[0], F_SETFL, O_NONBLOCK)) {
		close(ends[0]);
		close(ends[1]);
		return -1;
	}
	copy->pipe = ends[0];
	return ends[1];
}

static void write_all(struct copy *copy, const char *bytes, size_t len)
{
	size_t done = 0;
	while (done < len && !copy->error) {
		ssize_t n = write(copy->file, bytes + done, len - done);
		if (n < 0 && errno != EINTR)
			copy->error = errno;
		done += n > 0 ? (size_t)n : 0;
	}
	copy->written += done;
	copy->dropped += len - done;
}

/* At most `most` bytes; false when the pipe is empty or at its end. */
static bool take(struct copy *copy, size_t *most)
{
	char bytes[64 * 1024];
	ssize_t n = read(copy->pipe, bytes, *most < sizeof bytes ? *most : sizeof bytes);
	if (n < 0 && errno == EINTR)
		return true;
	if (n == 0 || (n < 0 && errno != EAGAIN)) {
		close(copy->pipe);
		copy->pipe = -1;
	}
	if (n <= 0)
		return false;
	sanitizer_push(&copy->search, slice_from(bytes, (size_t)n));
	uint64_t room = SUT_OUTPUT_MAX_BYTES - copy->written;
	size_t len = (uint64_t)n < room ? (size_t)n : (size_t)room;
	copy->dropped += (size_t)n - len;
	write_all(copy, bytes, len);
	*most -= (size_t)n;
	return *most > 0;
}

void copy_step(struct copy *copy)
{
	int waiting = 0;
	if (copy->pipe < 0)
		return;
	/* With nothing there the read still has to be done: it tells the end. */
	size_t most = ioctl(copy->pipe, FIONREAD, &waiting) || waiting <= 0 ? 1 : (size_t)waiting;
	while (take(copy, &most))
		continue;
}

void copy_close(struct copy *copy)
{
	size_t most = SIZE_MAX;
	while (copy->pipe >= 0 && take(copy, &most))
		continue;
	if (copy->pipe >= 0)
		close(copy->pipe);
	copy->pipe = -1;
	close(copy->file);
}

void copy_tell(const struct copy *copy, struct copied *copied)
{
	copied->dropped = copy->dropped;
	copied->error = copy->error;
	sanitizer_tell(&copy->search, copied->sanitizer, sizeof copied->sanitizer);
}
