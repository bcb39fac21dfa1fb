#include "cli/html_parts.h"

#include "cli/cli.h"
#include "report/page.h"

enum { CELL_BYTES = 64 };

static const char *const verdict_classes[] = { "ok", "bad", "warn" };

void html_quantity(struct quantity quantity, FILE *out)
{
	char text[CELL_BYTES];
	quantity_print(quantity, text, sizeof text);
	page_number(text, out);
}

void html_count(uint64_t count, FILE *out)
{
	html_quantity((struct quantity){ UNIT_COUNT, (double)count }, out);
}

void html_fact_quantity(const char *name, struct quantity quantity, FILE *out)
{
	char text[CELL_BYTES];
	quantity_print(quantity, text, sizeof text);
	page_fact(name, text, out);
}

void html_fact_count(const char *name, uint64_t count, FILE *out)
{
	html_fact_quantity(name, (struct quantity){ UNIT_COUNT, (double)count }, out);
}

void html_note(const char *class, const char *title, const char *text, FILE *out)
{
	if (!text)
		return;
	fprintf(out, "<div class=\"box %s\">\n", class);
	page_text("h4", title, out);
	page_text("p", text, out);
	fputs("</div>\n", out);
}

void html_title(const char *url, int exit, const char *held, struct arena *arena, FILE *out)
{
	static const struct {
		int exit;
		const char *element, *words;
	} rows[] = {
		{ EXIT_BROKEN, "h1 class=\"bad\"", "a threshold is broken" },
		{ EXIT_INVALID, "h1 class=\"warn\"", "a threshold's number may not be used" },
		{ EXIT_ENVIRONMENT, "h1 class=\"error\"", "it could not be measured" },
		{ EXIT_HELD, "h1 class=\"ok\"", NULL },
	};
	size_t row = 0;
	while (rows[row].exit != exit && rows[row].exit != EXIT_HELD)
		row++;
	const char *text = arena_print(
		arena, "onus load: %s: %s", url, rows[row].words ? rows[row].words : held);
	page_begin(text, out);
	page_text(rows[row].element, text, out);
}

void html_verdict(
	const struct load_verdict *verdict, const char *arm, const char *threshold, FILE *out)
{
	page_row_begin(out);
	fprintf(out, "<td><span class=\"word %s\">%s</span></td>", verdict_classes[verdict->kind],
		load_verdict_word(verdict->kind));
	if (arm)
		page_cell(arm, out);
	fputs("<td>", out);
	page_text("span", threshold, out);
	if (verdict->reason)
		page_text("p class=\"muted\"", verdict->reason, out);
	fputs("</td>", out);
	if (verdict->has_found)
		html_quantity(verdict->found, out);
	else
		page_number("–", out);
	page_row_end(out);
}
