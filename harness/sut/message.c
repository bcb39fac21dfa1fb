#include "sut/message.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* The union gives the room the alignment that CMSG_FIRSTHDR needs. */
union rights {
	struct cmsghdr header;
	char room[CMSG_SPACE(START_FDS * sizeof(int))];
};

enum rc message_send(int socket, struct slice bytes, const int *fds, size_t count)
{
	union rights rights;
	memset(&rights, 0, sizeof rights);
	if (count > START_FDS)
		BUG("a message with %zu descriptors", count);
	struct iovec part = { .iov_base = (void *)bytes.ptr, .iov_len = bytes.len };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
	if (count) {
		message.msg_control = rights.room;
		message.msg_controllen = CMSG_SPACE(count * sizeof *fds);
		struct cmsghdr *header = CMSG_FIRSTHDR(&message);
		header->cmsg_level = SOL_SOCKET;
		header->cmsg_type = SCM_RIGHTS;
		header->cmsg_len = CMSG_LEN(count * sizeof *fds);
		memcpy(CMSG_DATA(header), fds, count * sizeof *fds);
	}
	ssize_t n;
	do
		n = sendmsg(socket, &message, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	if (n == (ssize_t)bytes.len)
		return RC_OK;
	return n < 0 && (errno == EPIPE || errno == ECONNRESET) ? RC_CLOSED : RC_ENVIRONMENT;
}

static void take_rights(struct msghdr *message, int *fds, size_t max)
{
	struct cmsghdr *header = CMSG_FIRSTHDR(message);
	if (!header || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS)
		return;
	size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof *fds;
	int taken[START_FDS + 1];
	if (count > START_FDS)
		count = START_FDS;
	memcpy(taken, CMSG_DATA(header), count * sizeof *taken);
	for (size_t i = 0; i < count; i++)
		if (i < max)
			fds[i] = taken[i];
		else
			close(taken[i]);
}

enum rc message_receive(int socket, void *bytes, size_t size, int *fds, size_t max, bool wait)
{
	union rights rights;
	struct iovec part = { .iov_base = bytes, .iov_len = size };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
	message.msg_control = rights.room;
	message.msg_controllen = sizeof rights.room;
	for (size_t i = 0; i < max; i++)
		fds[i] = -1;
	ssize_t n;
	do
		n = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | (wait ? 0 : MSG_DONTWAIT));
	while (n < 0 && errno == EINTR);
	if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
		return RC_TIMEOUT;
	if (n <= 0)
		return RC_CLOSED;
	take_rights(&message, fds, max);
	return (size_t)n == size && !(message.msg_flags & MSG_TRUNC) ? RC_OK : RC_INVALID;
}
