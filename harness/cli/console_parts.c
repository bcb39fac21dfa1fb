#include "cli/console_parts.h"

#include <string.h>

#include "base/visible.h"

enum { WORD_COLUMNS = 9, ARM_COLUMNS = 6, THRESHOLD_COLUMNS = 30 };

void console_colored(enum console_color color, const char *text, bool wanted, FILE *out)
{
	static const char *const codes[] = { [CONSOLE_RED] = "\x1b[1;31m",
		[CONSOLE_GREEN] = "\x1b[32m",
		[CONSOLE_YELLOW] = "\x1b[33m" };
	fprintf(out, "%s%s%s", wanted ? codes[color] : "", text, wanted ? "\x1b[0m" : "");
}

void console_verdict(const struct console_verdict *line, bool color, FILE *out)
{
	static const struct {
		const char *word;
		enum console_color color;
	} looks[] = { [LOAD_HELD] = { "ok", CONSOLE_GREEN },
		[LOAD_BROKEN] = { "FAIL", CONSOLE_RED },
		[LOAD_INVALID] = { "INVALID", CONSOLE_YELLOW } };
	const struct load_verdict *verdict = line->verdict;
	const char *word = looks[verdict->kind].word;
	fputs("  ", out);
	console_colored(looks[verdict->kind].color, word, color, out);
	fprintf(out, "%*s", WORD_COLUMNS - (int)strlen(word), "");
	if (line->arm)
		fprintf(out, "%-*s", ARM_COLUMNS, line->arm);
	visible_column(out, line->threshold, THRESHOLD_COLUMNS);
	fprintf(out, " found %s%s", verdict->has_found ? line->found : "nothing",
		verdict->reason ? ": " : "");
	visible_line(out, verdict->reason);
	fputc('\n', out);
}
