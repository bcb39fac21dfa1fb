#include "http/framing_length.h"

static const struct header *find(const struct headers *headers, const char *name)
{
	for (size_t i = 0; i < headers->count; i++)
		if (slice_is_nocase(headers->list[i].name, name))
			return &headers->list[i];
	return NULL;
}

void framing_length_interim(const struct headers *headers, struct framing_violations *violations)
{
	const struct header *length = find(headers, "Content-Length");
	const struct header *coding = find(headers, "Transfer-Encoding");
	if (length)
		framing_violations_show(
			violations, VIOLATION_LENGTH_IN_1XX, "Content-Length", length->value);
	if (coding)
		framing_violations_show(violations, VIOLATION_TRANSFER_CODING_IN_1XX,
			"Transfer-Encoding", coding->value);
}

/* One number out of a Content-Length; false where it is none or another than before. */
static bool add_length(struct framing *framing, struct slice number)
{
	uint64_t value;
	if (!slice_number(number, INT64_MAX, &value)) {
		framing_violations_show(
			&framing->violations, VIOLATION_BAD_LENGTH, "Content-Length", number);
		return false;
	}
	if (framing->has_length && framing->length != value) {
		framing_violations_add(&framing->violations, VIOLATION_LENGTHS_DIFFER,
			"Content-Length is %llu and %llu", (unsigned long long)framing->length,
			(unsigned long long)value);
		return false;
	}
	if (framing->has_length)
		framing_violations_show(&framing->violations, VIOLATION_LENGTH_REPEATED,
			"Content-Length is repeated", number);
	framing->has_length = true;
	framing->length = value;
	return true;
}

static bool read_lengths(struct framing *framing)
{
	bool usable = true;
	const struct headers *headers = &framing->head.headers;
	for (size_t i = 0; i < headers->count; i++) {
		struct slice rest = headers->list[i].value, number;
		if (!slice_is_nocase(headers->list[i].name, "Content-Length"))
			continue;
		if (!rest.len)
			usable = add_length(framing, rest) && usable;
		while (slice_next(&rest, ',', &number))
			usable = add_length(framing, slice_trim(number)) && usable;
	}
	if (!usable)
		framing->has_length = false;
	return usable;
}

static void add_coding(struct framing *framing, struct slice coding, size_t *chunked)
{
	bool is_chunked = slice_is_nocase(coding, "chunked");
	if (!is_chunked)
		framing_violations_show(&framing->violations, VIOLATION_UNKNOWN_TRANSFER_CODING,
			"Transfer-Encoding", coding);
	*chunked += is_chunked;
	if (*chunked > 1)
		framing_violations_show(&framing->violations, VIOLATION_CHUNKED_TWICE,
			"Transfer-Encoding again has", coding);
	framing->chunked_last = is_chunked;
}

/* True where Transfer-Encoding was sent. */
static bool read_codings(struct framing *framing)
{
	bool sent = false;
	size_t chunked = 0;
	const struct headers *headers = &framing->head.headers;
	for (size_t i = 0; i < headers->count; i++) {
		struct slice rest = headers->list[i].value, coding;
		if (!slice_is_nocase(headers->list[i].name, "Transfer-Encoding"))
			continue;
		sent = true;
		while (head_list_next(&rest, &coding))
			add_coding(framing, coding, &chunked);
	}
	if (chunked && !framing->chunked_last)
		framing_violations_add(&framing->violations, VIOLATION_CHUNKED_NOT_LAST,
			"another transfer coding stands behind chunked");
	return sent;
}

static void judge_both(struct framing *framing, bool codings)
{
	struct framing_violations *violations = &framing->violations;
	const struct headers *headers = &framing->head.headers;
	const struct header *length = find(headers, "Content-Length");
	if (codings && length)
		framing_violations_show(violations, VIOLATION_LENGTH_AND_CHUNKED,
			"beside Transfer-Encoding there is Content-Length", length->value);
	if (codings && framing->head.version == 10)
		framing_violations_show(violations, VIOLATION_CHUNKED_IN_HTTP10,
			"Transfer-Encoding", find(headers, "Transfer-Encoding")->value);
	if (framing->head.status == 204 && length)
		framing_violations_show(
			violations, VIOLATION_LENGTH_IN_204, "Content-Length", length->value);
	if (framing->head.status == 204 && codings)
		framing_violations_show(violations, VIOLATION_TRANSFER_CODING_IN_204,
			"Transfer-Encoding", find(headers, "Transfer-Encoding")->value);
	if (framing->head.status == 101)
		framing_length_interim(headers, violations);
}

void framing_length_find(struct framing *framing)
{
	int status = framing->head.status;
	bool usable = read_lengths(framing), codings = read_codings(framing);
	judge_both(framing, codings);
	if (framing->http2) {
		bool none = framing->to_head || status == 204 || status == 304;
		framing->rule = none ? FRAMING_NO_BODY : FRAMING_STREAM;
		return;
	}
	framing->remaining = framing->length;
	if (status == 101 || (framing->to_connect && status / 100 == 2))
		framing->rule = FRAMING_TUNNEL;
	else if (framing->to_head || status == 204 || status == 304)
		framing->rule = FRAMING_NO_BODY;
	else if (codings)
		framing->rule = framing->chunked_last ? FRAMING_CHUNKED : FRAMING_CLOSE;
	else if (!usable)
		framing->state = FRAMING_BROKEN;
	else
		framing->rule = framing->has_length ? FRAMING_LENGTH : FRAMING_CLOSE;
}
