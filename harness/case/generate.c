#include "case/generate.h"

#include <math.h>
#include <string.h>

#include "base/units.h"
#include "case/generator.h"

static const char KIND[] = "generate";

static const struct generator *const GENERATORS[] = { &generator_range, &generator_around,
	&generator_ladder, &generator_pick, &generator_known, &generator_uuid, &generator_text };
static const char *const KINDS[] = { "range", "around", "ladder", "pick", "known", "uuid", "text",
	NULL };

const struct shape generator_kind_shape = {
	.kind = SHAPE_STRING, .name = "a kind of generator", .words = KINDS, .literal = true
};
const struct shape generator_count_shape = { .kind = SHAPE_COUNT, .name = "a count" };
static const struct shape unit_shape = {
	.kind = SHAPE_STRING, .name = "a size such as \"8KiB\"", .valid = size_valid
};
const struct shape generator_size_shape = { .kind = SHAPE_CHOICE,
	.name = "a count, or a size such as \"8KiB\"",
	.choices = (const struct shape *const[]){ &generator_count_shape, &unit_shape, NULL } };

/* For what has no kind that is known: the error is that of the kind alone. */
static const struct shape any_generator = { .kind = SHAPE_MAP,
	.name = "a generator such as {\"generate\": \"range\", \"from\": 1, \"to\": 9}",
	.items = &(const struct shape){ .kind = SHAPE_ANY },
	.keys = (const struct shape_key[]){
		{ "generate", &generator_kind_shape, "what it makes", true }, { 0 } } };

int64_t generator_whole(const cJSON *settings, const char *key, int64_t otherwise)
{
	const cJSON *value = json_get(settings, key);
	uint64_t bytes = 0;
	if (cJSON_IsString(value) && size_parse(value->valuestring, &bytes, NULL) == RC_OK)
		return (int64_t)(bytes < (uint64_t)0x1p53 ? bytes : (uint64_t)0x1p53);
	if (!cJSON_IsNumber(value))
		return otherwise;
	return (int64_t)fmax(-0x1p53, fmin(0x1p53, value->valuedouble));
}

enum rc generator_copy(cJSON *list, const cJSON *item, size_t *bytes, struct err *err)
{
	*bytes += json_size(item);
	if (*bytes > GENERATOR_COPY_MAX_BYTES)
		return err_set(err, RC_USAGE, "", "these values take more than %d bytes",
			GENERATOR_COPY_MAX_BYTES);
	cJSON_AddItemToArray(list, cJSON_Duplicate(item, true));
	return RC_OK;
}

/* NULL for a kind that is not known. */
static const struct generator *find(const cJSON *settings)
{
	const char *kind = json_text(settings, KIND);
	for (size_t i = 0; kind && i < sizeof GENERATORS / sizeof(struct generator *); i++)
		if (strcmp(GENERATORS[i]->name, kind) == 0)
			return GENERATORS[i];
	return NULL;
}

bool generate_is(const cJSON *value)
{
	return cJSON_IsObject(value) && json_get(value, KIND);
}

bool generate_check(const struct json *json, const cJSON *settings, struct errors *errors)
{
	const struct generator *generator = find(settings);
	if (!generate_is(settings)) {
		errors_add(errors, json_place(json, settings), RC_USAGE,
			"expected a list of values or %s, found an object without \"generate\"",
			any_generator.name);
		return false;
	}
	return shape_check(generator ? generator->shape : &any_generator, json, settings, errors);
}

enum rc generate(struct scope_root *root, const cJSON *settings, cJSON **made, struct err *err)
{
	const struct generator *generator = find(settings);
	struct err form = { 0 };
	if (!shape_check_resolved(generator ? generator->shape : &any_generator, settings, &form))
		return err_set(err, RC_USAGE, "", "%s%s%s", generator ? generator->name : "",
			generator ? ": " : "", form.text);
	if (!generator)
		BUG("a generator without a kind went past its shape");
	return generator->make(root, settings, made, err);
}

enum rc generate_for(struct scope_root *root, const char *origin, const char *name,
	const cJSON *settings, cJSON **made, struct err *err)
{
	struct rng own = scope_random(root, origin, name), *shared = root->rng;
	root->rng = &own;
	enum rc rc = generate(root, settings, made, err);
	root->rng = shared;
	return rc;
}
