#define PCRE2_CODE_UNIT_WIDTH 8
#include "expect/pattern.h"

#include <pcre2.h>
#include <string.h>

enum { MATCH_LIMIT = 1000 * 1000, HEAP_LIMIT_KIB = 64 * 1024 };

static enum rc compile(const char *text, pcre2_code **code, struct err *err)
{
	int number;
	size_t offset;
	*code = pcre2_compile(
		(PCRE2_SPTR)text, strlen(text), PCRE2_NEVER_UTF, &number, &offset, NULL);
	if (*code)
		return RC_OK;
	PCRE2_UCHAR message[256];
	pcre2_get_error_message(number, message, sizeof message);
	return err_set(err, RC_INVALID, "",
		"expected a pattern (PCRE2), found \"%s\": %s at offset %zu", text,
		(const char *)message, offset);
}

bool pattern_valid(const char *text, struct err *err)
{
	pcre2_code *code;
	if (compile(text, &code, err) != RC_OK)
		return false;
	pcre2_code_free(code);
	return true;
}

static struct slice part(struct slice bytes, pcre2_match_data *match, uint32_t index)
{
	const size_t *ends = pcre2_get_ovector_pointer(match);
	size_t pair = (size_t)2 * index;
	if (index >= pcre2_get_ovector_count(match) || ends[pair] == PCRE2_UNSET)
		return slice_from(NULL, 0);
	/* \K in a look-around can put the start behind the end. */
	size_t start = ends[pair], end = ends[pair + 1];
	return slice_part(bytes, start, end > start ? end - start : 0);
}

static enum rc match_error(int number, struct err *err)
{
	PCRE2_UCHAR message[256];
	pcre2_get_error_message(number, message, sizeof message);
	return err_set(err, RC_LIMIT, "", "expected a pattern that can be tried, found: %s",
		(const char *)message);
}

enum rc pattern_find(const char *pattern, struct slice bytes, bool *found, struct slice *whole,
	struct slice *group, struct err *err)
{
	pcre2_code *code;
	*found = false;
	enum rc rc = compile(pattern, &code, err);
	if (rc != RC_OK)
		return rc;
	pcre2_match_data *match = pcre2_match_data_create_from_pattern(code, NULL);
	pcre2_match_context *context = pcre2_match_context_create(NULL);
	if (!match || !context)
		BUG("no memory for a pattern");
	pcre2_set_match_limit(context, MATCH_LIMIT);
	pcre2_set_heap_limit(context, HEAP_LIMIT_KIB);
	if (!bytes.ptr)
		bytes = slice_from("", 0);
	int number = pcre2_match(code, bytes.ptr, bytes.len, 0, 0, match, context);
	*found = number >= 0;
	if (number < 0 && number != PCRE2_ERROR_NOMATCH)
		rc = match_error(number, err);
	if (*found && whole)
		*whole = part(bytes, match, 0);
	if (*found && group)
		*group = part(bytes, match, 1);
	pcre2_match_context_free(context);
	pcre2_match_data_free(match);
	pcre2_code_free(code);
	return rc;
}
