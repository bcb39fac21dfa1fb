/* Which of some values a list knows: what is expected of an answer that has null in the place of the others. */
#include <stdlib.h>

#include "base/json_hash.h"
#include "case/format.h"
#include "case/generator.h"

static const struct shape list_shape = {
	.kind = SHAPE_LIST, .name = "a list of values", .items = &format_any
};
static const struct shape known_shape = { .kind = SHAPE_OBJECT,
	.name = "known values",
	.keys = (const struct shape_key[]){
		{ "generate", &generator_kind_shape,
			"values one for one, with null for those that a list has not", true },
		{ "of", &list_shape, "the values", true }, { "in", &list_shape, "the list", true },
		{ 0 } } };

/* The values of a list, to be found by hash. */
struct lexicon {
	const cJSON **slots;
	size_t mask;
};

static void lexicon_init(struct lexicon *l, const cJSON *list)
{
	size_t room = 2;
	while (room < 2 * (size_t)cJSON_GetArraySize(list))
		room *= 2;
	l->slots = mem_alloc(room, sizeof(const cJSON *));
	l->mask = room - 1;
	const cJSON *item;
	cJSON_ArrayForEach (item, list) {
		size_t i = json_hash(item) & l->mask;
		while (l->slots[i] && !json_equal(l->slots[i], item))
			i = (i + 1) & l->mask;
		l->slots[i] = item;
	}
}

static bool lexicon_has(const struct lexicon *l, const cJSON *value)
{
	size_t i = json_hash(value) & l->mask;
	while (l->slots[i] && !json_equal(l->slots[i], value))
		i = (i + 1) & l->mask;
	return l->slots[i];
}

static enum rc make_known(
	struct scope_root *root, const cJSON *settings, cJSON **made, struct err *err)
{
	(void)root;
	const cJSON *of = json_get(settings, "of"), *item;
	struct lexicon lexicon;
	size_t bytes = 0;
	enum rc rc = RC_OK;
	lexicon_init(&lexicon, json_get(settings, "in"));
	cJSON *list = cJSON_CreateArray();
	cJSON_ArrayForEach (item, of) {
		if (rc == RC_OK && lexicon_has(&lexicon, item))
			rc = generator_copy(list, item, &bytes, err);
		else
			cJSON_AddItemToArray(list, cJSON_CreateNull());
	}
	free(lexicon.slots);
	if (rc == RC_OK)
		*made = list;
	else
		cJSON_Delete(list);
	return rc;
}

const struct generator generator_known = { "known", &known_shape, make_known };
