#include "cli/target.h"

#include <stdlib.h>
#include <string.h>
#include <curl/curl.h>

#define REACH_MS 5000L
#define FORM     "expected a URL such as http://127.0.0.1:8080"

static char *part(CURLU *url, CURLUPart which, unsigned flags, struct arena *arena)
{
	char *text = NULL, *copy = NULL;
	if (curl_url_get(url, which, &text, flags) == CURLUE_OK)
		copy = arena_text(arena, text);
	curl_free(text);
	return copy;
}

enum rc target_parse(
	const char *url, struct arena *arena, struct client_options *target, struct err *err)
{
	CURLU *parsed = curl_url();
	enum rc rc = RC_OK;
	uint64_t port = 0;
	if (!strstr(url, "://") || curl_url_set(parsed, CURLUPART_URL, url, 0) != CURLUE_OK) {
		curl_url_cleanup(parsed);
		return err_set(err, RC_USAGE, "--target", FORM ", found \"%s\"", url);
	}
	const char *scheme = part(parsed, CURLUPART_SCHEME, 0, arena),
		   *path = part(parsed, CURLUPART_PATH, 0, arena);
	const char *number = part(parsed, CURLUPART_PORT, CURLU_DEFAULT_PORT, arena);
	*target = (struct client_options){ .scheme = scheme,
		.host = part(parsed, CURLUPART_HOST, 0, arena) };
	if (!scheme || (strcmp(scheme, "http") != 0 && strcmp(scheme, "https") != 0))
		rc = err_set(err, RC_USAGE, "--target", FORM ", found the scheme \"%s\"",
			scheme ? scheme : "");
	else if (!target->host || !target->host[0])
		rc = err_set(err, RC_USAGE, "--target", FORM ", found no host in \"%s\"", url);
	else if (part(parsed, CURLUPART_USER, 0, arena) ||
		 part(parsed, CURLUPART_PASSWORD, 0, arena))
		rc = err_set(err, RC_USAGE, "--target",
			"expected a URL without user and password: the cases have the headers");
	else if ((path && strcmp(path, "/") != 0) || part(parsed, CURLUPART_QUERY, 0, arena) ||
		 part(parsed, CURLUPART_FRAGMENT, 0, arena))
		rc = err_set(err, RC_USAGE, "--target",
			"expected a URL without a path: the cases have the targets");
	else if (!number || !slice_number(slice_of(number), 65535, &port) || !port)
		rc = err_set(err, RC_USAGE, "--target", "expected a port from 1 to 65535");
	target->port = (int)port;
	curl_url_cleanup(parsed);
	return rc;
}

static bool set_options(CURL *easy, const struct client_options *target, const char *url,
	struct curl_slist *resolve)
{
	struct client_options options = *target;
	/* Prior knowledge asks for nothing before the first request. */
	if (options.protocol == PROTOCOL_HTTP2C)
		options.protocol = PROTOCOL_HTTP1;
	bool ok = curl_easy_setopt(easy, CURLOPT_URL, url) == CURLE_OK &&
		  curl_easy_setopt(easy, CURLOPT_CONNECT_ONLY, 1L) == CURLE_OK &&
		  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
		  curl_easy_setopt(easy, CURLOPT_PROXY, "") == CURLE_OK &&
		  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, REACH_MS) == CURLE_OK;
	if (resolve)
		ok = ok && curl_easy_setopt(easy, CURLOPT_RESOLVE, resolve) == CURLE_OK;
	return ok && connection_set(easy, &options);
}

enum rc target_reach(const struct client_options *target, struct err *err)
{
	char *url = mem_print("%s://%s:%d/", target->scheme, target->host, target->port);
	struct curl_slist *resolve = NULL;
	for (size_t i = 0; target->resolve && target->resolve[i]; i++)
		resolve = curl_slist_append(resolve, target->resolve[i]);
	CURL *easy = curl_easy_init();
	CURLcode code = easy && set_options(easy, target, url, resolve) ? curl_easy_perform(easy)
									: CURLE_FAILED_INIT;
	enum rc rc = RC_OK;
	if (code != CURLE_OK)
		rc = err_set(err, RC_ENVIRONMENT, "--target", "%s cannot be reached: %s", url,
			curl_easy_strerror(code));
	curl_easy_cleanup(easy);
	curl_slist_free_all(resolve);
	free(url);
	return rc;
}
