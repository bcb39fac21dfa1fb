/*
 * libFuzzer entry: any bytes as a stored result. What is read is rendered by every report, and its json read once more:
 * that must succeed and give the same bytes.
 */
#include <stdlib.h>
#include <string.h>

#include "report/report.h"
#include "report/result_read.h"
#include "report/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void render(const struct report *report, const struct run_result *result, struct text *text)
{
	struct report_style style = { .color = true, .verbose = true, .width = 80 };
	text_open(text);
	report_print(report, result, &style, text->out);
	text_close(text);
}

static void read_again(const struct text *written)
{
	struct arena *arena = arena_new();
	struct run_result result;
	struct err err = { 0 };
	struct text text;
	if (result_read(slice_from(written->bytes, written->size), arena, &result, &err) != RC_OK)
		BUG("what was written is not read: %s: %s", err.where, err.text);
	render(report_find("json"), &result, &text);
	if (text.size != written->size || memcmp(text.bytes, written->bytes, text.size) != 0)
		BUG("what was read is written otherwise");
	free(text.bytes);
	arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	struct run_result result;
	struct err err = { 0 };
	enum rc rc = result_read(slice_from(data, size), arena, &result, &err);
	if (rc != RC_OK && !err.text[0])
		BUG("refused without a word");
	for (size_t i = 0; rc == RC_OK && report_at(i); i++) {
		struct text text;
		render(report_at(i), &result, &text);
		if (!strcmp(report_at(i)->name, "json"))
			read_again(&text);
		free(text.bytes);
	}
	arena_free(arena);
	return 0;
}
