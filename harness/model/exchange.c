#include "model/exchange.h"

#include "base/buf.h"

void exchange_free(struct exchange *exchange)
{
	/* The exchange itself lies in its arena. */
	if (exchange)
		arena_free(exchange->arena);
}

size_t exchange_header_lines(const struct exchange *exchange, const char *name)
{
	size_t lines = 0;
	for (size_t i = 0; i < exchange->headers.count; i++)
		lines += slice_is_nocase(exchange->headers.list[i].name, name);
	return lines;
}

const char *exchange_header(const struct exchange *exchange, const char *name)
{
	const struct headers *headers = &exchange->headers;
	struct buf joined;
	if (!exchange_header_lines(exchange, name))
		return NULL;
	buf_init(&joined, SIZE_MAX / 2);
	bool first = true;
	enum rc rc = RC_OK;
	for (size_t i = 0; i < headers->count && rc == RC_OK; i++) {
		if (!slice_is_nocase(headers->list[i].name, name))
			continue;
		rc = first ? RC_OK : buf_text(&joined, ", ");
		first = false;
		if (rc == RC_OK)
			rc = buf_append(&joined, headers->list[i].value);
	}
	if (rc != RC_OK)
		BUG("a head is longer than half the memory");
	const char *text = arena_slice(exchange->arena, buf_slice(&joined));
	buf_release(&joined);
	return text;
}
