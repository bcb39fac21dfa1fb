/*
 * text: what several reports say alike, as plain lines: a place, a finding, a problem, the totals.
 *
 * All of it went through escape_line or escape_block, so that it holds no control characters and is valid UTF-8; a
 * report with markup of its own escapes it once more.
 */
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include <stdio.h>

#include "model/result.h"

/* A stream into memory, for a report that has to escape what was printed: print to out, then take bytes. */
struct text {
	FILE *out;
	char *bytes; /* the caller's to free, once closed */
	size_t size;
};

void text_open(struct text *text);
void text_close(struct text *text);

/* "onus 0.1.0 · libcurl 7.88.1 · seed 0x9a1f · 31 cases", without a line break. */
void text_header(const struct run_result *result, FILE *out);
/* "29 passed · 1 failed · 1 skipped · 412 checks · 2.1 s", without a line break. */
void text_totals(const struct run_result *result, FILE *out);
/* "83 ms", from 10 s on "12.3 s", right-aligned to width. */
void text_duration(int64_t ns, int width, FILE *out);

/* "file:line:col", or what there is of it. */
void text_place(const struct place *place, FILE *out);
/* "header Vary: expected has token accept-encoding, found absent". */
void text_finding_line(const struct finding *finding, FILE *out);
/* "83.12 ms": the value of a figure as it reads best. */
void text_figure(const struct figure *figure, FILE *out);
/* "environment: the SUT never became ready". */
void text_problem_line(const struct problem *problem, FILE *out);
/* What a case is about in one line: its first problem, else its first finding, else its skip_reason. */
void text_case_line(const struct case_result *one, FILE *out);

/* Findings (the first `most` and how many more), problems and, where wanted, the SUT's output, each line indented. */
struct text_wish {
	const char *indent;
	size_t most;
	bool output;
};

void text_case(const struct case_result *one, const struct text_wish *wish, FILE *out);

/* Where a case went wrong: of its first problem that has a line, else of its first finding, else the start of its file. */
struct place text_case_place(const struct case_result *one);

#endif
