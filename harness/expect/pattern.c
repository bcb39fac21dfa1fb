#define PCRE2_CODE_UNIT_WIDTH 8
#include "expect/pattern.h"

#include <pcre2.h>
#include <stdlib.h>
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

/* A pattern, and what it takes to try it. */
struct compiled {
	struct compiled *next;
	const char *text;
	pcre2_code *code;
	pcre2_match_data *match;
	pcre2_match_context *context;
};

static enum rc compiled_init(struct compiled *c, const char *text, struct err *err)
{
	*c = (struct compiled){ .text = text };
	enum rc rc = compile(text, &c->code, err);
	if (rc != RC_OK)
		return rc;
	c->match = pcre2_match_data_create_from_pattern(c->code, NULL);
	c->context = pcre2_match_context_create(NULL);
	if (!c->match || !c->context)
		BUG("no memory for a pattern");
	pcre2_set_match_limit(c->context, MATCH_LIMIT);
	pcre2_set_heap_limit(c->context, HEAP_LIMIT_KIB);
	return RC_OK;
}

static void compiled_release(struct compiled *c)
{
	pcre2_match_context_free(c->context);
	pcre2_match_data_free(c->match);
	pcre2_code_free(c->code);
}

static enum rc attempt(const struct compiled *c, struct slice bytes, bool *found, struct err *err)
{
	if (!bytes.ptr)
		bytes = slice_from("", 0);
	int number = pcre2_match(c->code, bytes.ptr, bytes.len, 0, 0, c->match, c->context);
	*found = number >= 0;
	return number < 0 && number != PCRE2_ERROR_NOMATCH ? match_error(number, err) : RC_OK;
}

enum rc pattern_find(const char *pattern, struct slice bytes, bool *found, struct slice *whole,
	struct slice *group, struct err *err)
{
	struct compiled c;
	*found = false;
	enum rc rc = compiled_init(&c, pattern, err);
	if (rc != RC_OK)
		return rc;
	rc = attempt(&c, bytes, found, err);
	if (*found && whole)
		*whole = part(bytes, c.match, 0);
	if (*found && group)
		*group = part(bytes, c.match, 1);
	compiled_release(&c);
	return rc;
}

enum rc patterns_find(struct patterns *patterns, const char *pattern, struct slice bytes,
	bool *found, struct err *err)
{
	struct compiled *c = patterns->first;
	*found = false;
	while (c && c->text != pattern)
		c = c->next;
	if (!c) {
		struct compiled fresh;
		enum rc rc = compiled_init(&fresh, pattern, err);
		if (rc != RC_OK)
			return rc;
		fresh.next = patterns->first;
		c = patterns->first = mem_alloc(1, sizeof *c);
		*c = fresh;
	}
	return attempt(c, bytes, found, err);
}

void patterns_release(struct patterns *patterns)
{
	struct compiled *c = patterns->first;
	while (c) {
		struct compiled *next = c->next;
		compiled_release(c);
		free(c);
		c = next;
	}
	patterns->first = NULL;
}
