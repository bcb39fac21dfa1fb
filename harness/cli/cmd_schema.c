#include <string.h>

#include "case/format.h"
#include "cli/cli.h"

static int schema(const struct options *options)
{
	const char *what = options->paths.count ? options->paths.list[0] : "case";
	bool suite = strcmp(what, "suite") == 0;
	if (options->paths.count > 1 || (!suite && strcmp(what, "case") != 0)) {
		fprintf(stderr, "onus: schema: expected case or suite, found \"%s\"\n",
			options->paths.list[options->paths.count - 1]);
		return EXIT_USAGE;
	}
	cJSON *tree = shape_schema(
		suite ? &suite_shape : &case_shape, suite ? "onus suite" : "onus case");
	char *text = cJSON_Print(tree);
	puts(text);
	cJSON_free(text);
	cJSON_Delete(tree);
	return EXIT_HELD;
}

const struct command cmd_schema = {
	.name = "schema",
	.operands = "[case|suite]",
	.help = "the JSON Schema of case files, or of a suite",
	.set = OPTIONS_NONE,
	.run = schema,
};
