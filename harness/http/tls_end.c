#include "http/tls_end.h"

#include <openssl/ssl.h>
#include <string.h>

static void on_info(const SSL *ssl, int where, int alert)
{
	struct tls_end *end = SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl));
	/* The level is in the upper byte. */
	if (end && where == SSL_CB_READ_ALERT && (alert & 0xff) == SSL_AD_CLOSE_NOTIFY)
		end->notified = true;
}

static CURLcode on_context(CURL *easy, void *context, void *self)
{
	struct tls_ends *ends = self;
	struct tls_end *end = arena_alloc(ends->arena, 1, sizeof *end);
	*end = (struct tls_end){ .next = ends->list, .easy = easy, .context = context };
	ends->list = end;
	SSL_CTX_set_app_data((SSL_CTX *)context, end);
	SSL_CTX_set_info_callback(context, on_info);
	return CURLE_OK;
}

/* libcurl may be built with another library, whose contexts are others. */
static bool is_openssl_3(void)
{
	const char *library = curl_version_info(CURLVERSION_NOW)->ssl_version;
	return library && strncmp(library, "OpenSSL/3.", 10) == 0;
}

bool tls_end_listen(struct tls_ends *ends, CURL *easy)
{
	if (!is_openssl_3())
		return true;
	return curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, on_context) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_SSL_CTX_DATA, ends) == 0;
}

const struct tls_end *tls_end_opened(const struct tls_ends *ends, CURL *easy)
{
	const struct tls_end *end = ends->list;
	while (end && end->easy != easy)
		end = end->next;
	return end;
}

const struct tls_end *tls_end_used(const struct tls_ends *ends, CURL *easy)
{
	struct curl_tlssessioninfo *info = NULL;
	if (!ends->list || curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &info) != CURLE_OK ||
		!info || !info->internals)
		return NULL;
	const void *context = SSL_get_SSL_CTX(info->internals);
	const struct tls_end *end = ends->list;
	while (end && end->context != context)
		end = end->next;
	return end;
}
