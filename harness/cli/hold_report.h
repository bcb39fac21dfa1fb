/*
 * hold_report: how the reports of `onus load` print what holding streams has found. They compute nothing.
 */
#ifndef CLI_HOLD_REPORT_H
#define CLI_HOLD_REPORT_H

#include <stdio.h>

#include "cli/hold_found.h"

void hold_console_print(const struct hold_found *found, bool color, FILE *out);
void hold_json_print(const struct hold_found *found, bool color, FILE *out);
void hold_csv_print(const struct hold_found *found, bool color, FILE *out);
void hold_prometheus_print(const struct hold_found *found, bool color, FILE *out);
void hold_html_print(const struct hold_found *found, bool color, FILE *out);

#endif
