#include "expect/subject.h"

#include <stdlib.h>
#include <string.h>

struct subject subject_absent(const char *note)
{
	return (struct subject){ .kind = SUBJECT_ABSENT, .note = note };
}

static struct slice join(struct arena *arena, const struct slice *lines, size_t count)
{
	if (count == 1)
		return lines[0];
	size_t bytes = 0, used = 0;
	for (size_t i = 0; i < count; i++)
		bytes += lines[i].len + 2;
	uint8_t *text = arena_alloc(arena, bytes, 1);
	for (size_t i = 0; i < count; i++) {
		if (i) {
			text[used++] = ',';
			text[used++] = ' ';
		}
		if (lines[i].len)
			memcpy(text + used, lines[i].ptr, lines[i].len);
		used += lines[i].len;
	}
	return slice_from(text, used);
}

struct subject subject_field(struct judgement *j, const struct headers *headers, const char *name)
{
	size_t count = 0;
	for (size_t i = 0; i < headers->count; i++)
		count += slice_is_nocase(headers->list[i].name, name);
	if (!count)
		return subject_absent(NULL);
	struct slice *lines = arena_alloc(j->arena, count, sizeof *lines);
	size_t used = 0;
	for (size_t i = 0; i < headers->count; i++)
		if (slice_is_nocase(headers->list[i].name, name))
			lines[used++] = headers->list[i].value;
	struct subject subject = subject_text(join(j->arena, lines, count));
	subject.lines = lines;
	subject.line_count = count;
	return subject;
}

struct subject subject_fields(const struct headers *headers)
{
	return (struct subject){ .kind = SUBJECT_FIELDS, .fields = headers };
}

struct subject subject_layer(const struct layer *layer)
{
	struct subject subject = subject_text(layer->kept);
	subject.total = layer->bytes;
	return subject;
}

struct subject subject_text(struct slice text)
{
	if (!text.ptr)
		text = slice_from("", 0);
	return (struct subject){ .kind = SUBJECT_BYTES, .bytes = text, .total = text.len };
}

struct subject subject_json(const cJSON *value)
{
	if (!value)
		return subject_absent(NULL);
	return (struct subject){ .kind = SUBJECT_JSON, .json = value };
}

struct subject subject_number(double number)
{
	return (struct subject){ .kind = SUBJECT_NUMBER, .number = number };
}

const char *subject_json_words(struct judgement *j, const cJSON *value)
{
	char *printed = json_print(value);
	struct slice text = slice_of(printed);
	char *words = arena_slice(j->arena, slice_part(text, 0, JUDGE_TEXT_BYTES + 1));
	free(printed);
	return words;
}

const char *subject_words(struct judgement *j, const struct subject *subject)
{
	if (subject->note)
		return subject->note;
	switch (subject->kind) {
	case SUBJECT_JSON: return subject_json_words(j, subject->json);
	case SUBJECT_NUMBER: return arena_print(j->arena, "%.15g", subject->number);
	case SUBJECT_FIELDS:
		return arena_print(j->arena, "%zu header lines", subject->fields->count);
	case SUBJECT_ABSENT: return "absent";
	case SUBJECT_BYTES: break;
	}
	if (subject->total > subject->bytes.len)
		return arena_print(j->arena, "%s of %llu bytes",
			judge_quote(j, slice_part(subject->bytes, 0, JUDGE_QUOTE_BYTES / 2)),
			(unsigned long long)subject->total);
	if (subject->line_count > 1)
		return arena_print(j->arena, "%s in %zu lines", judge_quote(j, subject->bytes),
			subject->line_count);
	return judge_quote(j, subject->bytes);
}

bool subject_as_text(const struct subject *subject, struct slice *text)
{
	if (subject->kind == SUBJECT_BYTES) {
		*text = subject->bytes;
		return true;
	}
	if (subject->kind == SUBJECT_JSON && cJSON_IsString(subject->json)) {
		*text = slice_of(subject->json->valuestring);
		return true;
	}
	return false;
}
