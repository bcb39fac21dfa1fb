#include "cli/load_urls.h"

#include <curl/curl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FORM "expected a URL such as http://127.0.0.1:8080/"

/* "3*" in front of it. */
static enum rc take_weight(const char **text, double *weight, struct err *err)
{
	const char *star = strchr(*text, '*'), *colon = strstr(*text, "://");
	char *end;
	*weight = 1;
	if (!star || (colon && colon < star))
		return RC_OK;
	*weight = strtod(*text, &end);
	if (end != star || end == *text || !isfinite(*weight) || *weight <= 0)
		return err_set(err, RC_USAGE, "",
			"expected a weight above 0 in front of the *, found \"%.*s\"",
			(int)(star - *text), *text);
	*text = star + 1;
	return RC_OK;
}

/* What stands behind the authority, without the fragment. */
static const char *target_of(const char *url, struct arena *arena)
{
	const char *rest = strstr(url, "://") + 3;
	rest += strcspn(rest, "/?#");
	char *target = arena_slice(arena, slice_from(rest, strcspn(rest, "#")));
	return target[0] == '/' ? target : arena_print(arena, "/%s", target);
}

/* RFC 3986 has none of these; in a request line they would end the target. */
static bool is_sendable(const char *target)
{
	for (const unsigned char *at = (const unsigned char *)target; *at; at++)
		if (*at <= ' ' || *at == 0x7f)
			return false;
	return true;
}

static char *part(CURLU *url, CURLUPart which, unsigned flags, struct arena *arena)
{
	char *text = NULL, *copy = NULL;
	if (curl_url_get(url, which, &text, flags) == CURLUE_OK)
		copy = arena_text(arena, text);
	curl_free(text);
	return copy;
}

static enum rc take_server(
	CURLU *url, const char *text, struct load_urls *urls, struct arena *arena, struct err *err)
{
	const char *scheme = part(url, CURLUPART_SCHEME, 0, arena);
	const char *host = part(url, CURLUPART_HOST, 0, arena);
	const char *number = part(url, CURLUPART_PORT, CURLU_DEFAULT_PORT, arena);
	uint64_t port = 0;
	if (!scheme || (strcmp(scheme, "http") != 0 && strcmp(scheme, "https") != 0))
		return err_set(
			err, RC_USAGE, "", FORM ", found the scheme \"%s\"", scheme ? scheme : "");
	if (!host || !host[0])
		return err_set(err, RC_USAGE, "", FORM ", found no host in \"%s\"", text);
	if (part(url, CURLUPART_USER, 0, arena) || part(url, CURLUPART_PASSWORD, 0, arena))
		return err_set(err, RC_USAGE, "",
			"expected a URL without user and password; -H 'Authorization: …' sends them");
	if (!number || !slice_number(slice_of(number), 65535, &port) || !port)
		return err_set(err, RC_USAGE, "", "expected a port from 1 to 65535");
	bool tls = strcmp(scheme, "https") == 0;
	if (urls->count && (tls != urls->tls || (int)port != urls->port ||
				   !slice_is_nocase(slice_of(host), urls->host)))
		return err_set(err, RC_USAGE, "",
			"expected all URLs to be of one server, found %s://%s:%d and %s",
			urls->scheme, urls->host, urls->port, text);
	urls->tls = tls;
	urls->scheme = scheme;
	urls->host = host;
	urls->port = (int)port;
	return RC_OK;
}

static enum rc parse(const char *text, struct load_urls *urls, struct arena *arena, struct err *err)
{
	CURLU *url = curl_url();
	const char *scheme = strstr(text, "://");
	enum rc rc;
	if (!url)
		return err_set(err, RC_ENVIRONMENT, "", "no memory for a URL");
	if (scheme && strchr("/?#", scheme[3])) {
		/* libcurl would take the path for a host. */
		rc = err_set(err, RC_USAGE, "", FORM ", found no host in \"%s\"", text);
	} else if (!scheme) {
		bool has_host = text[0] && text[0] != '/' && text[0] != '-';
		rc = err_set(err, RC_USAGE, "", FORM ", found \"%s\"%s%s%s", text,
			has_host ? "; did you mean http://" : "", has_host ? text : "",
			has_host ? "?" : "");
	} else {
		CURLUcode code = curl_url_set(url, CURLUPART_URL, text,
			CURLU_NON_SUPPORT_SCHEME | CURLU_PATH_AS_IS | CURLU_ALLOW_SPACE);
		rc = code == CURLUE_OK ? take_server(url, text, urls, arena, err)
				       : err_set(err, RC_USAGE, "", FORM ", found \"%s\": %s", text,
						 curl_url_strerror(code));
	}
	curl_url_cleanup(url);
	return rc;
}

enum rc load_urls_add(
	struct load_urls *urls, const char *text, struct arena *arena, struct err *err)
{
	struct load_url *one = &urls->list[urls->count];
	if (urls->count == LOAD_URLS_MAX)
		return err_set(err, RC_USAGE, "", "expected at most %d URLs", LOAD_URLS_MAX);
	enum rc rc = take_weight(&text, &one->weight, err);
	if (rc == RC_OK)
		rc = parse(text, urls, arena, err);
	if (rc != RC_OK)
		return rc;
	one->target = target_of(text, arena);
	if (!is_sendable(one->target))
		return err_set(err, RC_USAGE, "",
			"expected a URL without spaces and control characters, found \"%s\"",
			one->target);
	urls->count++;
	return RC_OK;
}

enum rc load_urls_add_lines(
	struct load_urls *urls, struct slice text, struct arena *arena, struct err *err)
{
	struct slice line;
	size_t before = urls->count;
	for (uint64_t number = 1; slice_next(&text, '\n', &line); number++) {
		if (line.len && line.ptr[line.len - 1] == '\r')
			line.len--;
		line = slice_trim(line);
		if (!line.len || line.ptr[0] == '#')
			continue;
		enum rc rc = load_urls_add(urls, arena_slice(arena, line), arena, err);
		if (rc != RC_OK && err)
			snprintf(err->where, sizeof err->where, "standard input:%llu",
				(unsigned long long)number);
		if (rc != RC_OK)
			return rc;
	}
	if (urls->count == before)
		return err_set(
			err, RC_USAGE, "standard input", "expected URLs, one a line, found none");
	return RC_OK;
}
