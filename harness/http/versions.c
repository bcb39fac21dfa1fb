/* The libraries that the harness speaks HTTP and content codings with, and their start. */
#include "http/client.h"

#include <brotli/decode.h>
#include <curl/curl.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

enum rc http_init(struct err *err)
{
	CURLcode code = curl_global_init(CURL_GLOBAL_DEFAULT);
	if (code != CURLE_OK)
		return err_set(err, RC_ENVIRONMENT, "libcurl", "expected to start, found: %s",
			curl_easy_strerror(code));
	return RC_OK;
}

const char *http_libcurl_version(void)
{
	return curl_version_info(CURLVERSION_NOW)->version;
}

/* "OpenSSL/3.0.17" as libcurl writes it, with a space. */
static const char *spaced(struct arena *arena, const char *text)
{
	char *copy = arena_text(arena, text ? text : "no TLS");
	char *slash = strchr(copy, '/');
	if (slash)
		*slash = ' ';
	return copy;
}

const char *http_versions(struct arena *arena)
{
	const curl_version_info_data *curl = curl_version_info(CURLVERSION_NOW);
	uint32_t brotli = BrotliDecoderVersion();
	return arena_print(arena,
		"libcurl %s · %s · nghttp2 %s · zlib %s · brotli %u.%u.%u · zstd %s", curl->version,
		spaced(arena, curl->ssl_version),
		curl->nghttp2_version ? curl->nghttp2_version : "none", zlibVersion(), brotli >> 24,
		(brotli >> 12) & 0xfff, brotli & 0xfff, ZSTD_versionString());
}
