#include "cli/prometheus_parts.h"

#include <stdlib.h>

#include "base/visible.h"

void prometheus_label(const char *text, FILE *out)
{
	struct point point;
	for (const char *at = text; point_next(&text, &point); at = text) {
		if (point.code == '\n')
			fputs("\\n", out);
		else if (!point.valid)
			fputs("\xef\xbf\xbd", out);
		else
			fprintf(out, "%s%.*s", point.code == '"' || point.code == '\\' ? "\\" : "",
				(int)point.bytes, at);
	}
}

void prometheus_number(double value, FILE *out)
{
	enum { FEW = 15, ALL = 17 };
	char text[40];
	snprintf(text, sizeof text, "%.*g", FEW, value);
	if (strtod(text, NULL) != value)
		snprintf(text, sizeof text, "%.*g", ALL, value);
	fputs(text, out);
}
