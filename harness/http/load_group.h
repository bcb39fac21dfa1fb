/*
 * load_group: connections of one thread under one libcurl multi handle, and the calls over them. Small, since libcurl
 * looks a connection up by going through all of them.
 *
 * Unlike multi.c it leaves a descriptor in the epoll set while its connection is idle, for the next request will want
 * the same: libcurl speaks of it twice for each request, the kernel hears of it once for each connection.
 */
#ifndef HTTP_LOAD_GROUP_H
#define HTTP_LOAD_GROUP_H

#include "http/load_thread.h"

struct load_group {
	struct load_thread *thread;
	size_t index; /* of the thread's */
	CURLM *handle;
	struct timer timer;
	size_t in_flight;
	bool acting, again;
	/* For load_group_version alone. */
	size_t open;              /* sockets */
	bool ended;               /* by the server, while idle */
	struct load_call *opener; /* is about to connect */
	struct load_call **idle;  /* by kind: handles that wait for their next request */
};

/* size: how many are in flight at most. */
struct load_group *load_group_new(struct load_thread *thread, size_t index, size_t size) MUST_USE;
/* Nothing may be in flight; closes its connections. */
void load_group_free(struct load_group *group);

/* Lets libcurl do at once what is due, such as to send what was added; from inside itself, once it has come back. */
void load_group_act(struct load_group *group);

/*
 * For PROTOCOL_HTTP2C, before each request: where connection_prior_knowledge_holds() is false, only the call that connects
 * is told that the server speaks HTTP/2.
 */
void load_group_version(struct load_group *group, struct load_call *call);

/* libcurl's callbacks for the sockets of a call: set them on its handle. */
curl_socket_t load_group_open(void *call, curlsocktype purpose, struct curl_sockaddr *address);
int load_group_close(void *group, curl_socket_t fd);

/* Frees the thread's table; its groups are gone. */
void load_group_forget_sockets(struct load_thread *thread);

#endif
