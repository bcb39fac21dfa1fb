#include "http/connection.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A row by enum protocol. The names are those of ALPN (RFC 9113 section 3.1), of which h2c once was one. */
static const struct {
	const char *name;
	long curl;
} protocols[] = {
	[PROTOCOL_HTTP1] = { "http/1.1", CURL_HTTP_VERSION_1_1 },
	[PROTOCOL_HTTP2] = { "h2", CURL_HTTP_VERSION_2TLS },
	[PROTOCOL_HTTP2C] = { "h2c", CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE },
};

const char *protocol_name(enum protocol protocol)
{
	return protocols[protocol].name;
}

bool protocol_find(const char *name, enum protocol *protocol)
{
	for (size_t i = 0; i < sizeof protocols / sizeof *protocols; i++) {
		if (strcmp(protocols[i].name, name) == 0) {
			*protocol = (enum protocol)i;
			return true;
		}
	}
	return false;
}

static pthread_once_t asked = PTHREAD_ONCE_INIT;
static bool prior_knowledge_holds;

static void ask_version(void)
{
	prior_knowledge_holds = curl_version_info(CURLVERSION_NOW)->version_num >= 0x080000;
}

/* Asked once: libcurl puts its answer together anew each time, in one place for all threads. */
bool connection_prior_knowledge_holds(void)
{
	if (pthread_once(&asked, ask_version) != 0)
		BUG("pthread_once");
	return prior_knowledge_holds;
}

bool connection_is_address(struct slice host)
{
	char bare[INET6_ADDRSTRLEN];
	struct in6_addr parsed; /* room for either */
	if (host.len >= 2 && host.ptr[0] == '[' && host.ptr[host.len - 1] == ']')
		host = slice_part(host, 1, host.len - 2);
	if (host.len >= sizeof bare)
		return false;
	snprintf(bare, sizeof bare, "%.*s", SLICE_PRINT(host));
	return inet_pton(AF_INET, bare, &parsed) == 1 || inet_pton(AF_INET6, bare, &parsed) == 1;
}

static enum rc check_file(const char *what, const char *path, struct err *err)
{
	if (!path || access(path, R_OK) == 0)
		return RC_OK;
	return err_errno(err, RC_ENVIRONMENT, path, "expected the %s", what);
}

enum rc connection_check(const struct client_options *options, struct err *err)
{
	bool tls = strcmp(options->scheme, "https") == 0;
	enum rc rc = check_file("certificates to trust", options->cacert, err);
	if (rc == RC_OK)
		rc = check_file("client's certificate", options->certificate, err);
	if (rc == RC_OK)
		rc = check_file("client's key", options->key, err);
	if (rc != RC_OK)
		return rc;
	if (options->protocol == PROTOCOL_HTTP2 && !tls)
		return err_set(err, RC_USAGE, "protocol", "HTTP/2 by ALPN needs https, found %s",
			options->scheme);
	if (options->protocol == PROTOCOL_HTTP2C && tls)
		return err_set(err, RC_USAGE, "protocol",
			"HTTP/2 by prior knowledge needs http, found https");
	return RC_OK;
}

static bool set_tls(CURL *easy, const struct client_options *options)
{
	bool ok = true;
	if (options->certificate)
		ok = curl_easy_setopt(easy, CURLOPT_SSLCERT, options->certificate) == 0;
	if (options->key)
		ok = ok && curl_easy_setopt(easy, CURLOPT_SSLKEY, options->key) == 0;
	if (options->cacert)
		ok = ok && curl_easy_setopt(easy, CURLOPT_CAINFO, options->cacert) == 0;
	if (options->insecure)
		ok = ok && curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 0L) == 0 &&
		     curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 0L) == 0;
	return ok;
}

bool connection_set(CURL *easy, const struct client_options *options)
{
	bool ok = curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, protocols[options->protocol].curl) ==
		  0;
	if (options->protocol != PROTOCOL_HTTP1)
		ok = ok && curl_easy_setopt(easy, CURLOPT_PIPEWAIT, 1L) == 0;
	if (options->unix_path)
		ok = ok &&
		     curl_easy_setopt(easy, CURLOPT_UNIX_SOCKET_PATH, options->unix_path) == 0;
	if (options->proxy_line)
		ok = ok && curl_easy_setopt(easy, CURLOPT_HAPROXYPROTOCOL, 1L) == 0;
	return ok && set_tls(easy, options);
}
