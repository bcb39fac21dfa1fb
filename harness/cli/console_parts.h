/*
 * console_parts: what the tables for people of a load and of held streams share: colours, and the verdicts on thresholds.
 */
#ifndef CLI_CONSOLE_PARTS_H
#define CLI_CONSOLE_PARTS_H

#include <stdio.h>

#include "cli/threshold.h"

enum console_color { CONSOLE_RED, CONSOLE_GREEN, CONSOLE_YELLOW };

/* The text, in colour where that is wanted. */
void console_colored(enum console_color color, const char *text, bool wanted, FILE *out);

/* A line; found: the quantity as the table has it; arm: or NULL. */
struct console_verdict {
	const struct load_verdict *verdict;
	const char *arm, *threshold, *found;
};
void console_verdict(const struct console_verdict *line, bool color, FILE *out);

#endif
