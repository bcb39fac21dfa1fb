/*
 * escape: any text made safe for the place it is printed in.
 *
 * A result quotes what a SUT sent, which may be hostile: control bytes that drive a terminal, broken UTF-8, markup,
 * workflow commands. Each function prints text (any bytes but NUL; NULL prints nothing) so that it is read as text and
 * nothing else. Nothing is dropped: where a format can say a byte, it says it; where it cannot, U+FFFD stands in.
 */
#ifndef REPORT_ESCAPE_H
#define REPORT_ESCAPE_H

#include <stdio.h>

#include "base/visible.h"

/* visible_line(): for people, on one line. Returns the columns printed. */
size_t escape_line(FILE *out, const char *text);
/* The same, but tabs stay and a line break is one, with `indent` behind it. */
void escape_block(FILE *out, const char *text, const char *indent);

/* XML 1.0 and HTML; control characters that XML can hold as escape_line: text between tags, and (line breaks and tabs kept by references) a value between quotes. */
void escape_xml(FILE *out, const char *text);
void escape_attribute(FILE *out, const char *text);

/* A JSON string (RFC 8259) with its quotes; also a double-quoted scalar of YAML 1.2, all of it printable there. */
void escape_json(FILE *out, const char *text);

/* Inside a line or a table cell of GitHub's Markdown: as escape_line, with a backslash before what would be markup. */
void escape_markdown(FILE *out, const char *text);

/* A GitHub workflow command: its message (lines kept, other control characters as escape_line) and a property. */
void escape_message(FILE *out, const char *text);
void escape_property(FILE *out, const char *text);

#endif
