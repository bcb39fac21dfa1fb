#include "http/retry_after.h"

#include <curl/curl.h>
#include <string.h>

#include "base/clock.h"

enum { LONGEST_S = 365 * 24 * 3600 };

enum rc retry_after_read(
	const struct exchange *exchange, time_t now, int64_t *wait_ns, struct err *err)
{
	const char *text = exchange_header(exchange, "Retry-After");
	uint64_t seconds;
	if (!text)
		return err_set(err, RC_INVALID, "", "no Retry-After");
	if (slice_number(slice_of(text), LONGEST_S, &seconds)) {
		if (!seconds)
			return err_set(err, RC_INVALID, "",
				"Retry-After: 0, which asks to try again at once");
		*wait_ns = (int64_t)seconds * NS_PER_S;
		return RC_OK;
	}
	if (text[0] == '-')
		return err_set(err, RC_INVALID, "", "Retry-After: %s, which is negative", text);
	time_t date = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") ? curl_getdate(text, NULL) : -1;
	if (date == -1)
		return err_set(err, RC_INVALID, "",
			"Retry-After: \"%.100s\", which is neither seconds nor a date", text);
	if (date <= now)
		return err_set(err, RC_INVALID, "", "Retry-After: \"%s\", which is past", text);
	*wait_ns = (int64_t)(date - now) * NS_PER_S;
	return RC_OK;
}
