#include "http/failure.h"

#include <errno.h>
#include <string.h>

static bool of_this_machine(long os_errno)
{
	return os_errno == EADDRNOTAVAIL || os_errno == EMFILE || os_errno == ENFILE ||
	       os_errno == ENOBUFS || os_errno == ENOMEM;
}

/*
 * A connection broke, and libcurl has these words alone for more: where the poll tells of the socket's error before a read
 * could fetch it, a reset; and with TLS 1.3 a server refuses the client's certificate behind the handshake.
 */
static enum failure how_it_broke(long os_errno, const char *details)
{
	if (strstr(details, "SSL") && strstr(details, "alert"))
		return FAILURE_TLS;
	bool polled = strstr(details, "select/poll returned error") != NULL;
	return polled || os_errno == ECONNRESET || os_errno == EPIPE ? FAILURE_RESET
								     : FAILURE_CLOSED;
}

enum failure failure_of(CURLcode result, long os_errno, const char *details)
{
	switch (result) {
	case CURLE_COULDNT_RESOLVE_HOST:
	case CURLE_COULDNT_CONNECT:
		return of_this_machine(os_errno) ? FAILURE_LOCAL : FAILURE_REFUSED;
	case CURLE_OPERATION_TIMEDOUT: return FAILURE_TIMEOUT;
	case CURLE_GOT_NOTHING:
	case CURLE_PARTIAL_FILE: return FAILURE_CLOSED;
	case CURLE_HTTP2_STREAM: return FAILURE_RESET;
	case CURLE_RECV_ERROR:
	case CURLE_SEND_ERROR: return how_it_broke(os_errno, details);
	case CURLE_WEIRD_SERVER_REPLY:
	case CURLE_UNSUPPORTED_PROTOCOL: /* "Received HTTP/0.9 when not allowed" */
	case CURLE_HTTP2:
		return FAILURE_FRAMING;
		/* Its own caps on a head. */
#if LIBCURL_VERSION_NUM >= 0x080600
	case CURLE_TOO_LARGE:
#endif
	case CURLE_OUT_OF_MEMORY:
	case CURLE_FILESIZE_EXCEEDED: return FAILURE_LIMIT;
	case CURLE_SSL_CONNECT_ERROR:
	case CURLE_SSL_CERTPROBLEM:
	case CURLE_SSL_CIPHER:
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_SSL_CACERT_BADFILE:
	case CURLE_SSL_ISSUER_ERROR:
	case CURLE_SSL_CLIENTCERT: return FAILURE_TLS;
	default: return FAILURE_LOCAL;
	}
}

const char *failure_text(struct arena *arena, CURLcode result, long os_errno, const char *details)
{
	char reason[128] = "";
	const char *what = details && details[0] ? details : curl_easy_strerror(result);
	if (!os_errno)
		return arena_text(arena, what);
	const char *words = strerror_r((int)os_errno, reason, sizeof reason);
	/* libcurl often ends with the same words. */
	if (strstr(what, words))
		return arena_text(arena, what);
	return arena_print(arena, "%s: %s", what, words);
}
