/*
 * failure: why libcurl could not do a transfer, as an enum failure and a text for people.
 */
#ifndef HTTP_FAILURE_H
#define HTTP_FAILURE_H

#include <curl/curl.h>

#include "model/exchange.h"

/* os_errno is CURLINFO_OS_ERRNO's, details CURLOPT_ERRORBUFFER's text; result is not CURLE_OK. */
enum failure failure_of(CURLcode result, long os_errno, const char *details);

/* details is CURLOPT_ERRORBUFFER's text, which may be empty. Of the arena. */
const char *failure_text(struct arena *arena, CURLcode result, long os_errno, const char *details);

#endif
