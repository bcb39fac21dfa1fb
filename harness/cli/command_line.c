#include "cli/command_line.h"

#include <string.h>

#include "base/slice.h"
#include "case/cells.h"

/* Fields whose values are credentials: RFC 9110 section 11.6, RFC 6265 section 4.2. */
static const char *const SECRET_FIELDS[] = { "Authorization", "Proxy-Authorization", "Cookie" };

/* -H, --header, and what getopt_long(3) takes for it, in one word with the field or in front of it. */
static const char *field_of(const char *word)
{
	const char *equals = strchr(word, '=');
	if (strncmp(word, "-H", 2) == 0)
		return word + 2;
	if (strncmp(word, "--", 2) == 0 && equals)
		return equals + 1;
	return word;
}

static const char *masked(const char *word, struct arena *arena)
{
	const char *field = field_of(word), *colon = strchr(field, ':');
	if (!colon)
		return word;
	struct slice name = slice_from(field, (size_t)(colon - field));
	for (size_t i = 0; i < sizeof SECRET_FIELDS / sizeof *SECRET_FIELDS; i++)
		if (slice_is_nocase(name, SECRET_FIELDS[i]))
			return arena_print(arena, "%.*s: ****", (int)(colon - word), word);
	return word;
}

const char *command_line(int argc, char *const *argv, struct arena *arena)
{
	const char *line = "onus";
	for (int i = 0; i < argc; i++)
		line = arena_print(arena, "%s %s", line, cell_quote(arena, masked(argv[i], arena)));
	return line;
}
