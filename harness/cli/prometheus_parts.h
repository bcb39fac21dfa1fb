/*
 * prometheus_parts: what the text format 0.0.4 wants of a label's value and of a number, wherever it is printed.
 */
#ifndef CLI_PROMETHEUS_PARTS_H
#define CLI_PROMETHEUS_PARTS_H

#include <stdio.h>

/* UTF-8, with backslash, quote and line feed escaped; what is no UTF-8 replaced. Without the quotes around it. */
void prometheus_label(const char *text, FILE *out);

/* As few digits as read back as the same double, but not so few that whole numbers get an exponent. */
void prometheus_number(double value, FILE *out);

#endif
