#include "stats/base64.h"

#include <string.h>

/* Not a string: 0 is no character of it. */
static const uint8_t alphabet[64] =
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

enum rc base64_write(struct buf *text, struct slice bytes)
{
	for (size_t i = 0; i < bytes.len; i += 3) {
		size_t left = bytes.len - i;
		uint32_t group = (uint32_t)bytes.ptr[i] << 16;
		if (left > 1)
			group |= (uint32_t)bytes.ptr[i + 1] << 8;
		if (left > 2)
			group |= bytes.ptr[i + 2];
		uint8_t four[4];
		for (size_t j = 0; j < 4; j++)
			four[j] = j > left ? '=' : alphabet[group >> (18 - 6 * j) & 63];
		enum rc rc = buf_append(text, slice_from(four, 4));
		if (rc != RC_OK)
			return rc;
	}
	return RC_OK;
}

/* Four characters, of which `padding` at the end are "="; false where one isn't of the alphabet. */
static bool read_group(const uint8_t *four, size_t padding, uint32_t *group)
{
	*group = 0;
	for (size_t i = 0; i < 4; i++) {
		const uint8_t *found = alphabet;
		if (i < 4 - padding)
			found = memchr(alphabet, four[i], sizeof alphabet);
		if (!found)
			return false;
		*group = *group << 6 | (uint32_t)(found - alphabet);
	}
	return true;
}

enum rc base64_read(struct buf *bytes, struct slice text)
{
	if (text.len % 4)
		return RC_INVALID;
	for (size_t i = 0; i < text.len; i += 4) {
		const uint8_t *four = text.ptr + i;
		bool last = i + 4 == text.len;
		size_t padding =
			last ? (size_t)(four[3] == '=') + (four[3] == '=' && four[2] == '=') : 0;
		uint32_t group;
		if (!read_group(four, padding, &group) ||
			group & ((UINT32_C(1) << 8 * padding) - 1))
			return RC_INVALID;
		uint8_t three[] = { (uint8_t)(group >> 16), (uint8_t)(group >> 8), (uint8_t)group };
		enum rc rc = buf_append(bytes, slice_from(three, 3 - padding));
		if (rc != RC_OK)
			return rc;
	}
	return RC_OK;
}
