#include "case/generate.h"

#include <math.h>
#include <string.h>

enum { COUNT_MAX = 1000 * 1000, TEXT_MAX_BYTES = 64 * 1024 * 1024 };

/* Up to here every whole number is a double of its own. */
static const double WHOLE_MAX = 9007199254740992.0;

static const struct shape integer_shape = { .kind = SHAPE_NUMBER, .name = "a whole number" };
static const struct shape count_shape = { .kind = SHAPE_COUNT, .name = "a count" };
static const struct shape alphabet_shape = { .kind = SHAPE_STRING,
	.name = "the characters to take from" };
static const struct shape any_shape = { .kind = SHAPE_ANY, .name = "a value" };
static const struct shape source_shape = {
	.kind = SHAPE_LIST, .name = "a list to pick from", .items = &any_shape, .min_items = 1
};
static const char *const ORDERS[] = { "random", "given", NULL };
static const struct shape order_shape = {
	.kind = SHAPE_STRING, .name = "\"random\" or \"given\"", .words = ORDERS
};
static const struct shape kind_shape = {
	.kind = SHAPE_STRING, .name = "the kind of generator", .literal = true
};

static const char KIND[] = "generate";

static const struct shape range_shape = { .kind = SHAPE_OBJECT,
	.name = "a range",
	.keys = (const struct shape_key[]){
		{ "generate", &kind_shape, "whole numbers from one to another", true },
		{ "from", &integer_shape, "the first", true },
		{ "to", &integer_shape, "the last, included", true },
		{ "step", &integer_shape, "the distance between two, 1 by default", false },
		{ 0 } } };
static const struct shape pick_shape = { .kind = SHAPE_OBJECT,
	.name = "a pick",
	.keys = (const struct shape_key[]){
		{ "generate", &kind_shape, "values picked from a list", true },
		{ "from", &source_shape, "the list", true },
		{ "count", &count_shape, "how many to give", true },
		{ "distinct", &count_shape,
			"how many different ones among them; the rest repeats them", false },
		{ "order", &order_shape, "random by default", false }, { 0 } } };
static const struct shape uuid_shape = { .kind = SHAPE_OBJECT,
	.name = "UUIDs",
	.keys = (const struct shape_key[]){
		{ "generate", &kind_shape, "random UUIDs (RFC 9562, version 4)", true },
		{ "count", &count_shape, "a list of so many; without it one text", false },
		{ 0 } } };
static const struct shape text_shape = { .kind = SHAPE_OBJECT,
	.name = "a text",
	.keys = (const struct shape_key[]){ { "generate", &kind_shape, "a random text", true },
		{ "length", &count_shape, "in characters", true },
		{ "alphabet", &alphabet_shape, "a to z and 0 to 9 by default; ASCII", false },
		{ "count", &count_shape, "a list of so many; without it one text", false },
		{ 0 } } };

/* Numbers past WHOLE_MAX count as that, which is more than any cap here. */
static int64_t whole(const cJSON *settings, const char *key, int64_t otherwise)
{
	const cJSON *value = json_get(settings, key);
	if (!cJSON_IsNumber(value))
		return otherwise;
	return (int64_t)fmax(-WHOLE_MAX, fmin(WHOLE_MAX, value->valuedouble));
}

static enum rc check_whole(const cJSON *settings, const char *key, struct err *err)
{
	const cJSON *value = json_get(settings, key);
	double number = cJSON_IsNumber(value) ? value->valuedouble : 0;
	if (number == floor(number) && fabs(number) <= WHOLE_MAX)
		return RC_OK;
	return err_set(err, RC_USAGE, "", "%s: expected a whole number, found %g", key, number);
}

static enum rc make_range(
	struct scope_root *root, const cJSON *settings, cJSON **made, struct err *err)
{
	(void)root;
	static const char *const KEYS[] = { "from", "to", "step" };
	for (size_t i = 0; i < sizeof KEYS / sizeof *KEYS; i++)
		if (check_whole(settings, KEYS[i], err) != RC_OK)
			return RC_USAGE;
	int64_t from = whole(settings, "from", 0), to = whole(settings, "to", 0),
		step = whole(settings, "step", 1);
	if (step == 0 || (to > from && step < 0) || (to < from && step > 0))
		return err_set(err, RC_USAGE, "", "a range from %ld to %ld has no step of %ld",
			(long)from, (long)to, (long)step);
	int64_t count = (to - from) / step + 1;
	if (count > COUNT_MAX)
		return err_set(err, RC_USAGE, "", "a range of %ld values is longer than %d",
			(long)count, COUNT_MAX);
	*made = cJSON_CreateArray();
	for (int64_t i = 0; i < count; i++)
		cJSON_AddItemToArray(*made, cJSON_CreateNumber((double)(from + i * step)));
	return RC_OK;
}

static void shuffle(struct rng *rng, size_t *list, size_t count)
{
	for (size_t i = count; i > 1; i--) {
		size_t j = rng_below(rng, i), kept = list[i - 1];
		list[i - 1] = list[j];
		list[j] = kept;
	}
}

/* Indices into the source: `distinct` different ones, then repeats of them, then the wanted order. */
static size_t *pick_indices(
	struct scope_root *root, size_t from, size_t count, size_t distinct, bool random)
{
	size_t *all = arena_alloc(root->arena, from, sizeof *all);
	size_t *picked = arena_alloc(root->arena, count, sizeof *picked);
	for (size_t i = 0; i < from; i++)
		all[i] = i;
	if (random)
		shuffle(root->rng, all, from);
	for (size_t i = 0; i < count; i++)
		picked[i] = all[i < distinct ? i
				: random     ? rng_below(root->rng, distinct)
					     : i % distinct];
	if (random)
		shuffle(root->rng, picked, count);
	return picked;
}

static enum rc make_pick(
	struct scope_root *root, const cJSON *settings, cJSON **made, struct err *err)
{
	const cJSON *from = json_get(settings, "from"), *item;
	size_t have = (size_t)cJSON_GetArraySize(from), count = (size_t)whole(settings, "count", 0);
	size_t distinct =
		(size_t)whole(settings, "distinct", (int64_t)(count < have ? count : have));
	if (count > COUNT_MAX)
		return err_set(err, RC_USAGE, "", "%zu values are more than %d", count, COUNT_MAX);
	if (distinct > have || distinct > count || (count && !distinct))
		return err_set(err, RC_USAGE, "",
			"can't pick %zu values, %zu of them distinct, from %zu", count, distinct,
			have);
	const cJSON **items = arena_alloc(root->arena, have, sizeof(const cJSON *));
	size_t n = 0;
	cJSON_ArrayForEach (item, from)
		items[n++] = item;
	const char *order = json_text(settings, "order");
	size_t *picked =
		pick_indices(root, have, count, distinct, !order || strcmp(order, "random") == 0);
	*made = cJSON_CreateArray();
	for (size_t i = 0; i < count; i++)
		cJSON_AddItemToArray(*made, cJSON_Duplicate(items[picked[i]], true));
	return RC_OK;
}

/* One text, or a list of them where settings have a count. */
static cJSON *one_or_list(const cJSON *settings,
	const char *(*text)(struct scope_root *, const cJSON *), struct scope_root *root)
{
	if (!json_get(settings, "count"))
		return cJSON_CreateString(text(root, settings));
	cJSON *list = cJSON_CreateArray();
	for (int64_t i = whole(settings, "count", 0); i > 0; i--)
		cJSON_AddItemToArray(list, cJSON_CreateString(text(root, settings)));
	return list;
}

static const char *uuid_text(struct scope_root *root, const cJSON *settings)
{
	(void)settings;
	uint64_t high = (rng_next(root->rng) & ~UINT64_C(0xf000)) | 0x4000;
	uint64_t low = (rng_next(root->rng) & (UINT64_MAX >> 2)) | UINT64_C(1) << 63;
	return arena_print(root->arena, "%08x-%04x-%04x-%04x-%012llx", (unsigned)(high >> 32),
		(unsigned)(high >> 16) & 0xffff, (unsigned)high & 0xffff, (unsigned)(low >> 48),
		(unsigned long long)(low & UINT64_C(0xffffffffffff)));
}

static enum rc make_uuid(
	struct scope_root *root, const cJSON *settings, cJSON **made, struct err *err)
{
	if (whole(settings, "count", 1) > COUNT_MAX)
		return err_set(err, RC_USAGE, "", "a count beyond %d", COUNT_MAX);
	*made = one_or_list(settings, uuid_text, root);
	return RC_OK;
}

static const char *random_text(struct scope_root *root, const cJSON *settings)
{
	const char *alphabet = json_text(settings, "alphabet");
	if (!alphabet)
		alphabet = "abcdefghijklmnopqrstuvwxyz0123456789";
	size_t length = (size_t)whole(settings, "length", 0), letters = strlen(alphabet);
	char *text = arena_alloc(root->arena, length + 1, 1);
	for (size_t i = 0; i < length; i++)
		text[i] = alphabet[rng_below(root->rng, letters)];
	return text;
}

static enum rc make_text(
	struct scope_root *root, const cJSON *settings, cJSON **made, struct err *err)
{
	const char *alphabet = json_text(settings, "alphabet");
	int64_t count = whole(settings, "count", 1), length = whole(settings, "length", 0);
	if (alphabet && !alphabet[0])
		return err_set(err, RC_USAGE, "", "expected an alphabet of at least one character");
	for (const char *c = alphabet ? alphabet : ""; *c; c++)
		if ((unsigned char)*c >= 0x80)
			return err_set(
				err, RC_USAGE, "", "expected an alphabet of ASCII characters");
	if (count > COUNT_MAX || (count && length > TEXT_MAX_BYTES / count))
		return err_set(err, RC_USAGE, "", "more than %d bytes of text", TEXT_MAX_BYTES);
	*made = one_or_list(settings, random_text, root);
	return RC_OK;
}

static const struct generator {
	const char *name;
	const struct shape *shape;
	enum rc (*make)(
		struct scope_root *root, const cJSON *settings, cJSON **made, struct err *err);
} GENERATORS[] = {
	{ "range", &range_shape, make_range },
	{ "pick", &pick_shape, make_pick },
	{ "uuid", &uuid_shape, make_uuid },
	{ "text", &text_shape, make_text },
};

bool generate_is(const cJSON *value)
{
	return cJSON_IsObject(value) && json_get(value, KIND);
}

enum rc generate(struct scope_root *root, const cJSON *settings, cJSON **made, struct err *err)
{
	const char *kind = json_text(settings, KIND);
	for (size_t i = 0; kind && i < sizeof GENERATORS / sizeof *GENERATORS; i++) {
		if (strcmp(GENERATORS[i].name, kind) != 0)
			continue;
		struct err form = { 0 };
		if (!shape_check_resolved(GENERATORS[i].shape, settings, &form))
			return err_set(err, RC_USAGE, "", "%s: %s", kind, form.text);
		return GENERATORS[i].make(root, settings, made, err);
	}
	return err_set(err, RC_USAGE, "", "expected range, pick, uuid or text, found \"%s\"",
		kind ? kind : "");
}
