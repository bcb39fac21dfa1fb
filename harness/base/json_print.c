#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/json.h"

/*
 * cJSON 1.7 prints 15 digits where that is equal within DBL_EPSILON, which takes 9007199254740992 for 9.00719925474099e+15.
 * What a case sends must be what it says, so numbers are printed here, and with them all the rest.
 */

#define WHOLE_MAX 0x1p53

static void put(struct buf *out, const char *text)
{
	if (buf_text(out, text) != RC_OK)
		BUG("JSON larger than memory");
}

static void print_number(struct buf *out, double value)
{
	char text[32];
	int digits = 15;
	if (!isfinite(value)) {
		put(out, "null");
		return;
	}
	if (fabs(value) <= WHOLE_MAX && value == floor(value)) {
		snprintf(text, sizeof text, "%.0f", value);
		put(out, text);
		return;
	}
	/* The fewest digits that read back as the same double; 17 always do. */
	do
		snprintf(text, sizeof text, "%.*g", digits, value);
	while (strtod(text, NULL) != value && ++digits <= 17);
	put(out, text);
}

/* How many bytes need no escape. */
static size_t plain_length(const char *text)
{
	size_t length = 0;
	while ((uint8_t)text[length] >= ' ' && text[length] != '"' && text[length] != '\\')
		length++;
	return length;
}

/* RFC 8259, section 7: only quotes, backslashes and control characters must be escaped. */
static void print_text(struct buf *out, const char *text)
{
	static const char *const escapes[32] = {
		['\b'] = "\\b", ['\f'] = "\\f", ['\n'] = "\\n", ['\r'] = "\\r", ['\t'] = "\\t"
	};
	put(out, "\"");
	for (; *text; text++) {
		size_t plain = plain_length(text);
		if (buf_append(out, slice_from(text, plain)) != RC_OK)
			BUG("JSON larger than memory");
		text += plain;
		if (!*text)
			break;
		char escape[8] = { *text, 0 };
		uint8_t byte = (uint8_t)*text;
		const char *known = byte < ' ' ? escapes[byte] : NULL;
		if (byte < ' ')
			snprintf(escape, sizeof escape, "\\u%04x", byte);
		if (byte == '"' || byte == '\\')
			snprintf(escape, sizeof escape, "\\%c", byte);
		put(out, known ? known : escape);
	}
	put(out, "\"");
}

static void print_value(struct buf *out, const cJSON *value);

static void print_members(struct buf *out, const cJSON *container, bool named)
{
	for (const cJSON *each = container->child; each; each = each->next) {
		if (each != container->child)
			put(out, ",");
		if (named) {
			print_text(out, each->string);
			put(out, ":");
		}
		print_value(out, each);
	}
}

static void print_value(struct buf *out, const cJSON *value)
{
	bool object = cJSON_IsObject(value);
	if (object || cJSON_IsArray(value)) {
		put(out, object ? "{" : "[");
		print_members(out, value, object);
		put(out, object ? "}" : "]");
	} else if (cJSON_IsString(value)) {
		print_text(out, value->valuestring);
	} else if (cJSON_IsNumber(value)) {
		print_number(out, value->valuedouble);
	} else if (cJSON_IsBool(value)) {
		put(out, cJSON_IsTrue(value) ? "true" : "false");
	} else {
		put(out, "null");
	}
}

char *json_print(const cJSON *value)
{
	struct buf out;
	buf_init(&out, SIZE_MAX / 2);
	print_value(&out, value);
	return (char *)out.data;
}
