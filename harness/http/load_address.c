/* Where a load goes: the URL for libcurl, and the name resolved once for all threads. */
#include "http/load_setup.h"

#include <netdb.h>
#include <string.h>

enum { ADDRESSES_MAX = 8 };

/* Does the caller say where it is? */
static bool is_told(const struct client_options *options, const char *place)
{
	for (size_t i = 0; options->resolve && options->resolve[i]; i++)
		if (strncmp(options->resolve[i], place, strlen(place)) == 0)
			return true;
	return false;
}

static void add_line(struct load_setup *setup, const char *line)
{
	struct curl_slist *longer = curl_slist_append(setup->resolve, line);
	if (!longer)
		BUG("curl_slist_append");
	setup->resolve = longer;
}

/* "HOST:PORT:ADDRESS,ADDRESS": each of them once, in the order in which they are to be tried. */
static const char *line_of(struct arena *arena, const char *place, const struct addrinfo *addresses)
{
	const char *line = place, *last = "";
	size_t count = 0;
	for (const struct addrinfo *a = addresses; a && count < ADDRESSES_MAX; a = a->ai_next) {
		char text[NI_MAXHOST];
		if (getnameinfo(a->ai_addr, a->ai_addrlen, text, sizeof text, NULL, 0,
			    NI_NUMERICHOST) != 0 ||
			strcmp(text, last) == 0)
			continue;
		bool v6 = a->ai_family == AF_INET6;
		last = arena_text(arena, text);
		line = arena_print(arena, v6 ? "%s%s[%s]" : "%s%s%s", line, count ? "," : "", text);
		count++;
	}
	return line;
}

static enum rc look_up(struct load_setup *setup, const char *place, struct err *err)
{
	const char *host = setup->plan->address.host;
	const struct addrinfo hints = { .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM };
	struct addrinfo *addresses = NULL;
	int64_t start_ns = clock_now_ns();
	int code = getaddrinfo(host, NULL, &hints, &addresses);
	if (code != 0)
		return err_set(err, RC_ENVIRONMENT, host, "expected an address of it, found: %s",
			gai_strerror(code));
	setup->dns_ns = clock_now_ns() - start_ns;
	add_line(setup, line_of(setup->arena, place, addresses));
	freeaddrinfo(addresses);
	return RC_OK;
}

enum rc load_address_prepare(struct load_setup *setup, struct err *err)
{
	const struct client_options *options = &setup->plan->address;
	bool bare = strchr(options->host, ':') && options->host[0] != '[';
	const char *place = arena_print(setup->arena, "%s:%d:", options->host, options->port);
	const char *url = arena_print(setup->arena, bare ? "%s://[%s]:%d/" : "%s://%s:%d/",
		options->scheme, options->host, options->port);
	setup->url = curl_url();
	if (!setup->url || curl_url_set(setup->url, CURLUPART_URL, url, 0) != CURLUE_OK)
		return err_set(err, RC_USAGE, "address",
			"expected a scheme, host and port that make a URL, found %s", url);
	for (size_t i = 0; options->resolve && options->resolve[i]; i++)
		add_line(setup, options->resolve[i]);
	if (setup->plan->address.unix_path || connection_is_address(slice_of(options->host)) ||
		is_told(options, place))
		return RC_OK;
	return look_up(setup, place, err);
}
