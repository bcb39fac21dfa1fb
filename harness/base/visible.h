/*
 * visible: any text made readable on one line, so that it drives no terminal and passes for no line of ours.
 */
#ifndef BASE_VISIBLE_H
#define BASE_VISIBLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The next code point; where the bytes are no UTF-8: the part that WHATWG Encoding replaces by one U+FFFD. */
struct point {
	uint32_t code; /* U+FFFD where not valid */
	size_t bytes;
	bool valid;
};

/* False at the end of the text (NULL has none); otherwise *text moves behind the point. */
bool point_next(const char **text, struct point *point);
/* C0 and C1 controls, and the marks that turn the direction of text. */
bool point_is_control(uint32_t code);

/* Control characters as \n, \t, \x1b, broken UTF-8 as \xff; NULL prints nothing. Returns the columns printed. */
size_t visible_line(FILE *out, const char *text);
/* The same, filled up with spaces to that many columns. */
void visible_column(FILE *out, const char *text, size_t columns);
/* One point of it, whose bytes these are. */
size_t visible_point(FILE *out, const struct point *point, const char *bytes);

#endif
