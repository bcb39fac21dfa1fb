#include "sut/host.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sut/message.h"
#include "sut/nursery.h"
#include "sut/sut.h"

enum rc sut_init(struct sut_host **host, struct err *err)
{
	int ends[2];
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return err_errno(err, RC_ENVIRONMENT, "", "socketpair");
	pid_t nursery = fork();
	if (nursery == 0) {
		/* It would wait for the end of a socket that it holds open itself. */
		close(ends[0]);
		nursery_run(ends[1]);
	}
	if (nursery < 0)
		err_errno(err, RC_ENVIRONMENT, "", "fork");
	close(ends[1]);
	if (nursery < 0) {
		close(ends[0]);
		return RC_ENVIRONMENT;
	}
	*host = mem_alloc(1, sizeof **host);
	**host = (struct sut_host){ .socket = ends[0], .nursery = nursery, .interrupt = -1 };
	return RC_OK;
}

void sut_interrupt(struct sut_host *host, int fd)
{
	host->interrupt = fd;
}

void sut_close(struct sut_host *host)
{
	if (!host)
		return;
	close(host->socket);
	while (waitpid(host->nursery, NULL, 0) < 0 && errno == EINTR)
		continue;
	free(host);
}

enum rc host_keeper(const struct sut_host *host, int *control, struct err *err)
{
	static const unsigned char request = NURSERY_REQUEST;
	int ends[2];
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return err_errno(err, RC_ENVIRONMENT, "", "socketpair");
	enum rc rc = message_send(host->socket, slice_from(&request, sizeof request), &ends[1], 1);
	if (rc != RC_OK)
		err_errno(
			err, RC_ENVIRONMENT, "", "the process that starts others does not answer");
	close(ends[1]);
	if (rc != RC_OK) {
		close(ends[0]);
		return RC_ENVIRONMENT;
	}
	*control = ends[0];
	return RC_OK;
}
