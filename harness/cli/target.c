#include "cli/target.h"

#include <arpa/inet.h>
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

enum rc target_parse(const char *url, struct arena *arena, struct target *target, struct err *err)
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
	*target =
		(struct target){ .scheme = scheme, .host = part(parsed, CURLUPART_HOST, 0, arena) };
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

/* "127.0.0.1", "::1" or "[::1]". */
static bool is_address(struct slice text)
{
	char bare[INET6_ADDRSTRLEN], parsed[sizeof(struct in6_addr)];
	if (text.len >= 2 && text.ptr[0] == '[' && text.ptr[text.len - 1] == ']')
		text = slice_part(text, 1, text.len - 2);
	if (text.len >= sizeof bare)
		return false;
	snprintf(bare, sizeof bare, "%.*s", SLICE_PRINT(text));
	return inet_pton(AF_INET, bare, parsed) == 1 || inet_pton(AF_INET6, bare, parsed) == 1;
}

static bool takes_resolve(const char *text)
{
	struct slice rest = slice_of(text), host, port, address;
	uint64_t number = 0;
	if (slice_starts(rest, "[")) {
		size_t end = slice_find(rest, slice_of("]:"));
		host = slice_part(rest, 0, end == SIZE_MAX ? 0 : end + 1);
		rest = slice_part(rest, host.len + 1, SIZE_MAX);
		if (!is_address(host))
			return false;
	} else if (!slice_next(&rest, ':', &host) || !host.len) {
		return false;
	}
	if (!slice_next(&rest, ':', &port) || !slice_number(port, 65535, &number) || !number)
		return false;
	size_t count = 0;
	for (; slice_next(&rest, ',', &address); count++)
		if (!is_address(address))
			return false;
	return count > 0;
}

enum rc target_check_resolve(const char *text, struct err *err)
{
	if (takes_resolve(text))
		return RC_OK;
	return err_set(
		err, RC_USAGE, "--resolve", "expected HOST:PORT:ADDRESS, found \"%s\"", text);
}

static bool set_options(
	CURL *easy, const struct run *run, const char *url, struct curl_slist *resolve)
{
	bool ok = curl_easy_setopt(easy, CURLOPT_URL, url) == CURLE_OK &&
		  curl_easy_setopt(easy, CURLOPT_CONNECT_ONLY, 1L) == CURLE_OK &&
		  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
		  curl_easy_setopt(easy, CURLOPT_PROXY, "") == CURLE_OK &&
		  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, REACH_MS) == CURLE_OK;
	if (resolve)
		ok = ok && curl_easy_setopt(easy, CURLOPT_RESOLVE, resolve) == CURLE_OK;
	if (run->cacert)
		ok = ok && curl_easy_setopt(easy, CURLOPT_CAINFO, run->cacert) == CURLE_OK;
	if (run->insecure)
		ok = ok && curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 0L) == CURLE_OK &&
		     curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 0L) == CURLE_OK;
	return ok;
}

enum rc target_reach(const struct run *run, struct err *err)
{
	const struct target *target = run->target;
	char *url = mem_print("%s://%s:%d/", target->scheme, target->host, target->port);
	struct curl_slist *resolve = NULL;
	for (size_t i = 0; run->resolve && run->resolve[i]; i++)
		resolve = curl_slist_append(resolve, run->resolve[i]);
	CURL *easy = curl_easy_init();
	CURLcode code = easy && set_options(easy, run, url, resolve) ? curl_easy_perform(easy)
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
