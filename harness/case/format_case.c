#include <string.h>

#include "case/format.h"
#include "case/steps.h"

/* Numbers with one dot between two of them. */
static bool is_version(const char *text)
{
	const char *digits = "0123456789";
	size_t count = strspn(text, digits);
	while (count && text[count] == '.') {
		text += count + 1;
		count = strspn(text, digits);
	}
	return count && !text[count];
}

static bool version_valid(const char *text, struct err *err)
{
	static const char *const SIGNS[] = { "<", "<=", ">", ">=", "=", "==" };
	size_t sign = strspn(text, "<>=");
	for (size_t i = 0; i < sizeof SIGNS / sizeof *SIGNS; i++)
		if (strlen(SIGNS[i]) == sign && strncmp(SIGNS[i], text, sign) == 0 &&
			is_version(text + sign + strspn(text + sign, " ")))
			return true;
	return err_set(err, RC_INVALID, "", "expected a version such as \">= 2.4\", found \"%s\"",
		       text) == RC_OK;
}

static const char *const OWNED[] = { "owned", NULL };
static const struct shape owned_shape = {
	.kind = SHAPE_STRING, .name = "\"owned\"", .words = OWNED, .literal = true
};
static const struct shape version_shape = { .kind = SHAPE_STRING,
	.name = "a version such as \">= 2.4\"",
	.valid = version_valid,
	.literal = true };

static const struct shape require_command = { .kind = SHAPE_OBJECT,
	.name = "a requirement",
	.keys = KEYS({ "command", &format_literal, "a program in PATH", true },
		{ "version", &version_shape, "what its --version must say at least", false }) };
static const struct shape require_sut = { .kind = SHAPE_OBJECT,
	.name = "a requirement",
	.keys = KEYS({ "sut", &owned_shape, "the SUT is started by onus, not a --target", true }) };

static const char *const FEATURES[] = { "memory_cap", NULL };
static const struct shape feature_shape = {
	.kind = SHAPE_STRING, .name = "\"memory_cap\"", .words = FEATURES, .literal = true
};
static const struct shape require_feature = { .kind = SHAPE_OBJECT,
	.name = "a requirement",
	.keys = KEYS({ "feature", &feature_shape,
		"what the machine must allow; memory_cap: cgroups for memory_max can be made",
		true }) };

static const struct shape_variant REQUIREMENTS[] = { { "command", &require_command },
	{ "sut", &require_sut }, { "feature", &require_feature } };

static const struct shape_variant *requirement_at(size_t index)
{
	return index < sizeof REQUIREMENTS / sizeof *REQUIREMENTS ? &REQUIREMENTS[index] : NULL;
}

static const struct shape requirement_shape = { .kind = SHAPE_VARIANT,
	.variant_word = "requirement",
	.name = "a requirement",
	.variant_at = requirement_at,
	.literal = true };
static const struct shape requires_shape = { .kind = SHAPE_LIST,
	.name = "a list of requirements",
	.items = &requirement_shape,
	.min_items = 1,
	.literal = true };

static const struct shape pointer_shape = { .kind = SHAPE_STRING,
	.name = "the JSON pointer of a finding such as \"/steps/0/expect/headers/Vary\"",
	.valid = json_pointer_valid,
	.literal = true };
static const struct shape pointers_shape = { .kind = SHAPE_LIST,
	.name = "a list of JSON pointers",
	.items = &pointer_shape,
	.min_items = 1,
	.literal = true };
static const struct shape caught_shape = { .kind = SHAPE_CHOICE,
	.name = "the JSON pointer of a finding, or a list of them",
	.choices = (const struct shape *const[]){ &pointer_shape, &pointers_shape, NULL },
	.literal = true };
static const struct shape caught_map = {
	.kind = SHAPE_MAP, .name = "an object of faults", .items = &caught_shape, .literal = true
};
static const struct shape literals_shape = {
	.kind = SHAPE_LIST, .name = "a list of names", .items = &format_literal, .literal = true
};
static const struct shape catches_shape = { .kind = SHAPE_CHOICE,
	.name = "a list of faults, or an object of faults with the pointers of their findings",
	.choices = (const struct shape *const[]){ &literals_shape, &caught_map, NULL },
	.literal = true };

static const struct shape suts_shape = {
	.kind = SHAPE_MAP, .name = "an object of SUTs", .items = &format_sut, .literal = true
};
static const struct shape floor_count = {
	.kind = SHAPE_COUNT, .name = "a count such as 3", .literal = true
};
static const struct shape floor_shape = { .kind = SHAPE_OBJECT,
	.name = "floors",
	.keys = KEYS({ "cells", &floor_count, "at least so many cells", false },
		{ "checks", &floor_count, "at least so many checks", false },
		{ "requests", &floor_count, "at least so many requests", false },
		{ "events", &floor_count, "at least so many events of streams", false },
		{ "routes", &floor_count, "at least so many operations of OpenAPI documents",
			false }),
	.literal = true };

const struct shape case_shape = { .kind = SHAPE_OBJECT,
	.name = "a case",
	.literal = true,
	.keys = KEYS({ "$schema", &format_literal, "for editors", false },
		{ "title", &format_literal, "the contract, in one sentence", true },
		{ "why", &format_literal, "what broke once, or why `catches` is empty", false },
		{ "source", &format_literal, "where the contract comes from: a document, an RFC",
			false },
		{ "tags", &literals_shape, "for --tag", false },
		{ "requires", &requires_shape, "not there: skipped, with the reason", false },
		{ "catches", &catches_shape, "the faults under which this case must fail", false },
		{ "must_fail", &pointers_shape,
			"the findings that must appear, exactly; the case passes only then",
			false },
		{ "sut", &format_sut, "settings over the suite's SUT", false },
		{ "suts", &suts_shape, "named SUTs, each merged over `sut`; then `to` is required",
			false },
		{ "variables", &format_variables, "for the whole case", false },
		{ "matrix", &format_matrix, "the case once for each cell, with a fresh SUT",
			false },
		{ "upstream", &format_upstream, "settings over the suite's upstream", false },
		{ "to", &format_literal, "one of `suts`, for every request", false },
		{ "as", &format_literal, "a user of the suite's `sessions`, for every request",
			false },
		{ "headers", &format_headers, "sent with every request", false },
		{ "steps", &steps_shape, "what is done and expected, in order", true },
		{ "floor", &floor_shape, "what must at least have been done", false }) };
