#include "case/speaking.h"

#include <string.h>

static bool says_closed(const cJSON *group)
{
	const char *connection = json_text(group, "connection");
	return connection && strcmp(connection, "closed") == 0;
}

static bool expects_closed(const cJSON *expect)
{
	const cJSON *group;
	if (says_closed(expect))
		return true;
	if (!cJSON_IsArray(expect))
		return false;
	cJSON_ArrayForEach (group, expect)
		if (says_closed(group))
			return true;
	return false;
}

const char *speaking_http1_only(const struct step *step)
{
	if (step->verb == VERB_RAW)
		return "`raw` sends bytes of HTTP/1.1, and HTTP/2 is spoken here";
	if (expects_closed(step->expect))
		return "`connection: closed` is of HTTP/1.1: in HTTP/2 a stream ends, and its connection is kept";
	return NULL;
}

const char *speaking_contradiction(const cJSON *settings)
{
	const char *protocol = json_text(settings, "protocol");
	const cJSON *tls = json_get(settings, "tls");
	bool http2 = protocol && strcmp(protocol, "h2") == 0;
	bool http2c = protocol && strcmp(protocol, "h2c") == 0;
	if (http2 && !tls)
		return "h2 goes over TLS: expected `tls` beside it, or h2c";
	if (http2c && tls)
		return "h2c goes without TLS: expected no `tls` beside it, or h2";
	if (json_get(tls, "key") && !json_get(tls, "cert"))
		return "tls: expected `cert` beside `key`";
	if ((tls || http2c) && json_get(json_get(settings, "ready"), "get"))
		return "`ready.get` is asked by HTTP/1.1 without TLS: leave it out, or expected output or notify";
	return NULL;
}
