#include "base/errors.h"

#include <stdlib.h>
#include <string.h>

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

void errors_print(struct errors *errors, FILE *out)
{
	if (errors->count)
		qsort(errors->list, errors->count, sizeof *errors->list, by_place);
	for (size_t i = 0; i < errors->count; i++) {
		const struct error *e = &errors->list[i];
		fprintf(out, "%s", e->place.file);
		if (e->place.line)
			fprintf(out, ":%d:%d", e->place.line, e->place.col);
		if (e->place.pointer && e->place.pointer[0])
			fprintf(out, ": %s", e->place.pointer);
		fprintf(out, ": %s\n", e->text);
	}
	if (errors->dropped)
		fprintf(out, "and %zu more\n", errors->dropped);
}
