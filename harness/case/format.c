#include "case/format.h"

#include "base/units.h"

#define OBJECT(...)                                                                                \
	.kind = SHAPE_OBJECT, .keys = (const struct shape_key[])                                   \
	{                                                                                          \
		__VA_ARGS__,                                                                       \
		{                                                                                  \
			0                                                                          \
		}                                                                                  \
	}
#define CHOICE(...)                                                                                \
	.kind = SHAPE_CHOICE, .choices = (const struct shape *const[])                             \
	{                                                                                          \
		__VA_ARGS__, NULL                                                                  \
	}

const struct shape format_text = { .kind = SHAPE_STRING, .name = "a text" };
const struct shape format_literal = {
	.kind = SHAPE_STRING, .name = "a text without variables", .literal = true
};
const struct shape format_any = { .kind = SHAPE_ANY, .name = "a JSON value" };
const struct shape format_bool = { .kind = SHAPE_BOOL, .name = "true or false" };
const struct shape format_count = { .kind = SHAPE_COUNT, .name = "a count such as 3" };
const struct shape format_some = {
	.kind = SHAPE_COUNT, .name = "a count of at least 1", .least = 1
};
const struct shape format_duration = { .kind = SHAPE_STRING,
	.name = "a duration such as \"150ms\"",
	.valid = duration_valid,
	.pattern = "^[0-9]+(\\.[0-9]+)? ?(us|ms|s|min)$" };
static bool wait_valid(const char *text, struct err *err)
{
	int64_t ns;
	if (duration_parse(text, &ns, err) != RC_OK)
		return false;
	if (ns > 0)
		return true;
	err_set(err, RC_INVALID, "", "expected a duration longer than nothing, found \"%s\"", text);
	return false;
}

const struct shape format_wait = { .kind = SHAPE_STRING,
	.name = "a duration such as \"150ms\"",
	.valid = wait_valid,
	.pattern = "^[0-9.]*[1-9][0-9.]* ?(us|ms|s|min)$" };
const struct shape format_texts = {
	.kind = SHAPE_LIST, .name = "a list of texts", .items = &format_text
};
const struct shape format_command = { .kind = SHAPE_LIST,
	.name = "a command such as [\"nginx\", \"-c\", \"${files}/nginx.conf\"]",
	.items = &format_text,
	.min_items = 1,
	.literal = true };
static const struct shape args_shape = {
	.kind = SHAPE_LIST, .name = "a list of texts", .items = &format_text, .literal = true
};

static const struct shape null_shape = { .kind = SHAPE_NULL, .name = "null" };
static const struct shape number_shape = { .kind = SHAPE_NUMBER, .name = "a number" };
static const struct shape header_value = {
	.name = "a field value, null to leave it out, or a list with one a line",
	CHOICE(&format_text, &number_shape, &null_shape, &format_texts)
};
const struct shape format_headers = { .kind = SHAPE_MAP,
	.name = "an object of header fields",
	.items = &header_value,
	.schema_name = "headers" };

const struct shape format_variables = {
	.kind = SHAPE_MAP, .name = "an object of variables", .items = &format_any, .literal = true
};

static const struct shape matrix_list = {
	.kind = SHAPE_LIST, .name = "a list of values", .items = &format_any, .min_items = 1
};
/* More than that it is an object is known to generate_check(). */
static const struct shape matrix_generator = {
	.kind = SHAPE_MAP, .name = "a generator of a list", .items = &format_any
};
static const struct shape matrix_axis = { .name = "a list of values",
	CHOICE(&matrix_list, &matrix_generator) };
static const struct shape matrix_product = {
	.kind = SHAPE_MAP, .name = "an object of lists", .items = &matrix_axis, .literal = true
};
static const struct shape matrix_rows = { .kind = SHAPE_LIST,
	.name = "a list of rows",
	.items = &format_variables,
	.min_items = 1,
	.literal = true };
const struct shape format_matrix = { .name = "an object of lists, or a list of rows",
	CHOICE(&matrix_product, &matrix_rows),
	.literal = true,
	.schema_name = "matrix" };

const struct shape format_env = { .kind = SHAPE_MAP,
	.name = "an object of environment variables",
	.items = &format_any,
	.literal = true };
const struct shape format_files = {
	.kind = SHAPE_MAP, .name = "an object of files", .items = &format_text, .literal = true
};

const struct shape format_size = {
	.kind = SHAPE_STRING, .name = "a size such as \"96MiB\"", .valid = size_valid
};

static const char *const PROTOCOL_WORDS[] = { "http/1.1", "h2", "h2c", NULL };
const struct shape format_protocol = { .kind = SHAPE_STRING,
	.name = "\"http/1.1\", \"h2\" or \"h2c\"",
	.words = PROTOCOL_WORDS,
	.literal = true };
const struct shape format_true_or_false = {
	.kind = SHAPE_BOOL, .name = "true or false", .literal = true
};
const struct shape format_tls = { .name = "how it is spoken to over TLS",
	.literal = true,
	OBJECT({ "cacert", &format_text, "a PEM file of the certificates to trust", false },
		{ "cert", &format_text, "the client's certificate, a PEM file", false },
		{ "key", &format_text, "its key; in the file of `cert` by default", false },
		{ "name", &format_text,
			"whose certificate it must be, and what Host says; 127.0.0.1 by default",
			false },
		{ "insecure", &format_true_or_false, "the certificate is not verified", false }) };

const struct shape format_settings = { .name = "settings of the SUT",
	OBJECT({ "root", &format_text, "one of the suite's roots, or a folder", false },
		{ "env", &format_env,
			"environment variables; null unsets one, a list or an object is handed over as JSON text",
			false },
		{ "args", &args_shape, "added to the suite's command", false }),
	.schema_name = "settings",
	.literal = true };

const struct shape format_sut = { .name = "settings of the SUT",
	OBJECT({ "root", &format_text, "one of the suite's roots, or a folder", false },
		{ "env", &format_env,
			"environment variables; null unsets one, a list or an object is handed over as JSON text",
			false },
		{ "args", &args_shape, "added to the command", false },
		{ "profile", &format_literal,
			"a profile of the suite that takes the place of its SUT", false },
		{ "files", &format_files,
			"templates rendered into ${files}, by the name they get there", false },
		{ "memory_max", &format_size,
			"all of its processes together may use so much, such as 96MiB; where that is full the kernel kills it",
			false },
		SPEAKING_KEYS,
		{ "to", &format_literal, "which of `suts` this one stands before: its ${to.port}",
			false }),
	.schema_name = "sut",
	.literal = true };

const struct shape format_upstream = { .name = "settings of the upstream", OBJECT(UPSTREAM_KEYS) };
