/* Random texts and UUIDs, one or a list of them. */
#include <string.h>

#include "case/generator.h"

static const struct shape alphabet_shape = { .kind = SHAPE_STRING,
	.name = "the characters to take from" };

static const struct shape uuid_shape = { .kind = SHAPE_OBJECT,
	.name = "UUIDs",
	.keys = (const struct shape_key[]){
		{ "generate", &generator_kind_shape, "random UUIDs (RFC 9562, version 4)", true },
		{ "count", &generator_count_shape, "a list of so many; without it one text",
			false },
		{ 0 } } };
static const struct shape text_shape = { .kind = SHAPE_OBJECT,
	.name = "a text",
	.keys = (const struct shape_key[]){
		{ "generate", &generator_kind_shape, "a random text", true },
		{ "length", &generator_size_shape, "in characters", true },
		{ "alphabet", &alphabet_shape, "a to z and 0 to 9 by default; ASCII", false },
		{ "count", &generator_count_shape, "a list of so many; without it one text",
			false },
		{ 0 } } };

const char *generator_uuid_text(struct scope_root *root)
{
	uint64_t high = (rng_next(root->rng) & ~UINT64_C(0xf000)) | 0x4000;
	uint64_t low = (rng_next(root->rng) & (UINT64_MAX >> 2)) | UINT64_C(1) << 63;
	return arena_print(root->arena, "%08x-%04x-%04x-%04x-%012llx", (unsigned)(high >> 32),
		(unsigned)(high >> 16) & 0xffff, (unsigned)high & 0xffff, (unsigned)(low >> 48),
		(unsigned long long)(low & UINT64_C(0xffffffffffff)));
}

/* One text, or a list of them where settings have a count. */
static cJSON *one_or_list(const cJSON *settings,
	const char *(*text)(struct scope_root *, const cJSON *), struct scope_root *root)
{
	if (!json_get(settings, "count"))
		return cJSON_CreateString(text(root, settings));
	cJSON *list = cJSON_CreateArray();
	for (int64_t i = generator_whole(settings, "count", 0); i > 0; i--)
		cJSON_AddItemToArray(list, cJSON_CreateString(text(root, settings)));
	return list;
}

static const char *uuid(struct scope_root *root, const cJSON *settings)
{
	(void)settings;
	return generator_uuid_text(root);
}

static enum rc make_uuid(
	struct scope_root *root, const cJSON *settings, cJSON **made, struct err *err)
{
	if (generator_whole(settings, "count", 1) > GENERATOR_COUNT_MAX)
		return err_set(err, RC_USAGE, "", "a count beyond %d", GENERATOR_COUNT_MAX);
	*made = one_or_list(settings, uuid, root);
	return RC_OK;
}

static const char *random_text(struct scope_root *root, const cJSON *settings)
{
	const char *alphabet = json_text(settings, "alphabet");
	if (!alphabet)
		alphabet = "abcdefghijklmnopqrstuvwxyz0123456789";
	size_t length = (size_t)generator_whole(settings, "length", 0), letters = strlen(alphabet);
	char *text = arena_alloc(root->arena, length + 1, 1);
	for (size_t i = 0; i < length; i++)
		text[i] = alphabet[rng_below(root->rng, letters)];
	return text;
}

static enum rc make_text(
	struct scope_root *root, const cJSON *settings, cJSON **made, struct err *err)
{
	const char *alphabet = json_text(settings, "alphabet");
	int64_t count = generator_whole(settings, "count", 1),
		length = generator_whole(settings, "length", 0);
	if (alphabet && !alphabet[0])
		return err_set(err, RC_USAGE, "", "expected an alphabet of at least one character");
	for (const char *c = alphabet ? alphabet : ""; *c; c++)
		if ((unsigned char)*c >= 0x80)
			return err_set(
				err, RC_USAGE, "", "expected an alphabet of ASCII characters");
	if (count > GENERATOR_COUNT_MAX || (count && length > GENERATOR_TEXT_MAX_BYTES / count))
		return err_set(
			err, RC_USAGE, "", "more than %d bytes of text", GENERATOR_TEXT_MAX_BYTES);
	*made = one_or_list(settings, random_text, root);
	return RC_OK;
}

const struct generator generator_uuid = { "uuid", &uuid_shape, make_uuid };
const struct generator generator_text = { "text", &text_shape, make_text };
