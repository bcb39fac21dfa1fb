#include "base/errors.h"

#include <stdlib.h>
#include <string.h>

#include "base/visible.h"

enum { POINTER_BYTES = 200 };

void errors_release(struct errors *errors)
{
	for (size_t i = 0; i < errors->count; i++) {
		free(errors->list[i].file);
		free(errors->list[i].pointer);
		free(errors->list[i].text);
	}
	free(errors->list);
	*errors = (struct errors){ 0 };
}

void errors_add(struct errors *errors, struct place place, enum rc rc, const char *format, ...)
{
	if (errors->count == ERRORS_MAX) {
		errors->dropped++;
		return;
	}
	errors->list = mem_grow(errors->list, errors->count + 1, sizeof *errors->list);
	char *text = NULL;
	va_list args;
	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		BUG("a format that does not print: %s", format);
	va_end(args);
	struct error *e = &errors->list[errors->count++];
	*e = (struct error){ .place = place, .rc = rc, .text = text };
	e->place.file = e->file = mem_text(place.file ? place.file : "");
	e->place.pointer = e->pointer = mem_text(place.pointer ? place.pointer : "");
}

static int by_place(const void *left, const void *right)
{
	const struct error *a = left, *b = right;
	int order = strcmp(a->place.file, b->place.file);
	if (!order)
		order = a->place.line - b->place.line;
	return order ? order : a->place.col - b->place.col;
}

/* Of a value that is nested deeply the two ends tell more than all of it. */
static void print_pointer(const char *pointer, FILE *out)
{
	size_t length = strlen(pointer), half = POINTER_BYTES / 2;
	if (length <= POINTER_BYTES) {
		visible_line(out, pointer);
		return;
	}
	const char *end = strchr(pointer + length - half, '/');
	char *start = mem_text(pointer);
	start[half] = '\0';
	char *cut = strrchr(start, '/');
	if (cut && cut > start)
		*cut = '\0';
	visible_line(out, start);
	fputs("/...", out);
	visible_line(out, end ? end : pointer + length - half);
	free(start);
}

void errors_print(struct errors *errors, FILE *out)
{
	if (errors->count)
		qsort(errors->list, errors->count, sizeof *errors->list, by_place);
	for (size_t i = 0; i < errors->count; i++) {
		const struct error *e = &errors->list[i];
		visible_line(out, e->place.file);
		if (e->place.line)
			fprintf(out, ":%d:%d", e->place.line, e->place.col);
		if (e->place.pointer && e->place.pointer[0]) {
			fputs(": ", out);
			print_pointer(e->place.pointer, out);
		}
		fputs(": ", out);
		visible_line(out, e->text);
		fputc('\n', out);
	}
	if (errors->dropped)
		fprintf(out, "and %zu more\n", errors->dropped);
}
