#include "sut/sut.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

/* A socket bound to 127.0.0.1 and a port that the kernel picks at random among those not in use. */
static enum rc bind_any(int *fd, int *port, struct err *err)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t size = sizeof address;
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	*fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (*fd < 0)
		return err_errno(err, RC_ENVIRONMENT, "127.0.0.1", "socket");
	if (bind(*fd, (struct sockaddr *)&address, sizeof address) ||
		getsockname(*fd, (struct sockaddr *)&address, &size)) {
		err_errno(err, RC_ENVIRONMENT, "127.0.0.1", "bind to any port");
		close(*fd);
		return RC_ENVIRONMENT;
	}
	*port = ntohs(address.sin_port);
	return RC_OK;
}

enum rc sut_listen(int *fd, int *port, struct err *err)
{
	enum rc rc = bind_any(fd, port, err);
	if (rc != RC_OK || listen(*fd, SOMAXCONN) == 0)
		return rc;
	err_errno(err, RC_ENVIRONMENT, "127.0.0.1", "listen");
	close(*fd);
	return RC_ENVIRONMENT;
}

enum rc sut_free_port(int *port, struct err *err)
{
	int fd;
	enum rc rc = bind_any(&fd, port, err);
	if (rc == RC_OK)
		close(fd);
	return rc;
}
