/* The table of how a request of a load can fail, and how libcurl's words for it are told apart. */
#include <string.h>

#include "http/failure.h"
#include "http/load_call.h"

static const struct load_failure_kind rows[] = {
	[LOAD_REFUSED] = { "refused", "SC", "the connection was refused" },
	[LOAD_RESET_IDLE] = { "reset-idle", "SI",
		"a connection that had served before was ended, and nothing of the answer came" },
	[LOAD_RESET] = { "reset", "SR", "reset before the answer was complete" },
	[LOAD_CLOSED_EARLY] = { "closed", "SD", "closed before the answer was complete" },
	[LOAD_TIMEOUT_CONNECT] = { "timeout-connect", "sC",
		"timed out before there was a connection, TLS included" },
	[LOAD_TIMEOUT_HEAD] = { "timeout-head", "sH", "timed out before the answer began" },
	[LOAD_TIMEOUT_BODY] = { "timeout-body", "sD", "timed out in the answer" },
	[LOAD_FRAMING] = { "framing", "PH", "an answer that is not HTTP of the version asked for" },
	[LOAD_TLS] = { "tls", "ST", "TLS was not agreed on, or the certificate was not trusted" },
	[LOAD_RESOLVE] = { "resolve", "SN", "the name did not resolve" },
	[LOAD_LOCAL] = { "local", "RC",
		"no descriptor, port or memory was left on the machine that sends" },
};

const struct load_failure_kind *load_failure_at(size_t index)
{
	return index < LOAD_FAILURE_COUNT ? &rows[index] : NULL;
}

static enum load_failure when_not_connected(CURLcode result, enum failure failure)
{
	if (failure == FAILURE_LOCAL)
		return LOAD_LOCAL;
	return result == CURLE_COULDNT_RESOLVE_HOST ? LOAD_RESOLVE : LOAD_REFUSED;
}

enum load_failure load_failure_of(const struct load_call *call, CURLcode result)
{
	long os_errno = call->socket_errno;
	if (call->gone)
		return LOAD_RESET_IDLE;
	if (!os_errno)
		curl_easy_getinfo(call->easy, CURLINFO_OS_ERRNO, &os_errno);
	enum failure failure = failure_of(result, os_errno, call->error);
	if (result == CURLE_COULDNT_CONNECT || result == CURLE_COULDNT_RESOLVE_HOST)
		return when_not_connected(result, failure);
	/* Also where libcurl calls it an error in receiving. */
	if (strstr(call->error, "Too large response headers"))
		return LOAD_FRAMING;
	switch (failure) {
	case FAILURE_RESET: return LOAD_RESET;
	case FAILURE_CLOSED: return LOAD_CLOSED_EARLY;
	case FAILURE_TIMEOUT: return LOAD_TIMEOUT_CONNECT;
	/* What is too large for libcurl in a head is no head either. */
	case FAILURE_LIMIT:
	case FAILURE_FRAMING: return LOAD_FRAMING;
	case FAILURE_TLS: return LOAD_TLS;
	default: return LOAD_LOCAL;
	}
}

enum load_failure load_failure_of_timeout(const struct load_call *call)
{
	if (!call->sent_ns)
		return LOAD_TIMEOUT_CONNECT;
	return call->headed ? LOAD_TIMEOUT_BODY : LOAD_TIMEOUT_HEAD;
}
