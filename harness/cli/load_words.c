#include "cli/load_words.h"

#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "base/words.h"

#define RATE_MOST 1e9

static enum rc refuse(const char *option, const char *expected, const char *text, struct err *err)
{
	char where[32];
	snprintf(where, sizeof where, "--%s", option);
	return err_set(err, RC_USAGE, where, "expected %s, found \"%s\"", expected, text);
}

enum rc load_word_count(const char *option, const char *text, uint64_t least, uint64_t most,
	uint64_t *value, struct err *err)
{
	char expected[80];
	if (!text)
		return RC_OK;
	if (slice_number(slice_of(text), most, value) && *value >= least)
		return RC_OK;
	snprintf(expected, sizeof expected, "a whole number from %llu to %llu",
		(unsigned long long)least, (unsigned long long)most);
	return refuse(option, expected, text, err);
}

enum rc load_word_time(
	const char *option, const char *text, bool seconds, int64_t *ns, struct err *err)
{
	struct quantity quantity;
	if (!text)
		return RC_OK;
	if (duration_parse(text, ns, NULL) == RC_OK)
		return RC_OK;
	if (quantity_parse(text, &quantity, NULL) == RC_OK && quantity.unit == UNIT_COUNT &&
		(seconds || quantity.value == 0) && quantity.value < 1e9) {
		*ns = (int64_t)(quantity.value * (double)NS_PER_S);
		return RC_OK;
	}
	return refuse(option, "a time such as 500ms or 10s", text, err);
}

enum rc load_word_rate(const char *option, const char *text, double *per_s, struct err *err)
{
	struct quantity quantity;
	if (!text)
		return RC_OK;
	if (quantity_parse(text, &quantity, NULL) != RC_OK ||
		(quantity.unit != UNIT_COUNT && quantity.unit != UNIT_PER_S) ||
		!(quantity.value > 0) || quantity.value > RATE_MOST)
		return refuse(option, "requests a second, such as 2000", text, err);
	*per_s = quantity.value;
	return RC_OK;
}

enum rc load_word_choice(const char *option, const char *text, const char *const *words,
	size_t count, size_t *index, struct err *err)
{
	char expected[160] = "";
	if (!text)
		return RC_OK;
	for (size_t i = 0; i < count; i++) {
		size_t used = strlen(expected);
		if (strcmp(text, words[i]) == 0) {
			*index = i;
			return RC_OK;
		}
		snprintf(expected + used, sizeof expected - used, "%s%s",
			!i ? "" : (i + 1 == count ? " or " : ", "), words[i]);
	}
	return refuse(option, expected, text, err);
}

bool load_word_is_token(struct slice text)
{
	for (size_t i = 0; i < text.len; i++) {
		uint8_t c = text.ptr[i];
		bool letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
		if (!c || (!letter && !(c >= '0' && c <= '9') && !strchr("!#$%&'*+-.^_`|~", c)))
			return false;
	}
	return text.len > 0;
}

enum rc load_word_header(
	const char *text, struct arena *arena, struct request_header *header, struct err *err)
{
	static const char *const framing[] = { "Content-Length", "Transfer-Encoding" };
	struct slice whole = slice_of(text);
	size_t colon = slice_find_byte(whole, ':');
	struct slice name = slice_part(whole, 0, colon == SIZE_MAX ? 0 : colon);
	if (!load_word_is_token(name))
		return refuse("header", "a field such as \"Accept: text/html\"", text, err);
	struct slice value = slice_trim(slice_part(whole, colon + 1, SIZE_MAX));
	for (size_t i = 0; i < value.len; i++)
		if ((value.ptr[i] < ' ' && value.ptr[i] != '\t') || value.ptr[i] == 0x7f)
			return refuse("header", "a value without control characters", text, err);
	for (size_t i = 0; i < sizeof framing / sizeof *framing; i++)
		if (slice_is_nocase(name, framing[i]))
			return refuse("header", "a field that is not of the framing, which is ours",
				text, err);
	header->name = arena_slice(arena, name);
	header->value = arena_slice(arena, value);
	return RC_OK;
}
