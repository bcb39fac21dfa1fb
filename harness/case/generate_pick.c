/* Values of a list, picked, repeated and mixed with others that it has not. */
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "case/format.h"
#include "case/generator.h"

static const struct shape source_shape = {
	.kind = SHAPE_LIST, .name = "a list to pick from", .items = &format_any, .min_items = 1
};
static const char *const ORDERS[] = { "random", "given", NULL };
static const struct shape order_shape = {
	.kind = SHAPE_STRING, .name = "\"random\" or \"given\"", .words = ORDERS
};

static bool share_valid(const char *text, struct err *err)
{
	struct quantity share;
	if (quantity_parse(text, &share, NULL) == RC_OK && share.unit == UNIT_PERCENT &&
		share.value <= 100)
		return true;
	err_set(err, RC_INVALID, "", "expected a share such as \"10%%\", found \"%s\"", text);
	return false;
}

static const struct shape share_shape = {
	.kind = SHAPE_STRING, .name = "a share such as \"10%\"", .valid = share_valid
};
static const struct shape places_shape = {
	.kind = SHAPE_LIST, .name = "a list of places, from 0", .items = &generator_count_shape
};
static const struct shape unknown_shape = { .kind = SHAPE_CHOICE,
	.name = "a count, a share such as \"10%\", or a list of places, from 0",
	.choices = (const struct shape *const[]){
		&generator_count_shape, &share_shape, &places_shape, NULL } };

static const struct shape pick_shape = { .kind = SHAPE_OBJECT,
	.name = "a pick",
	.keys = (const struct shape_key[]){
		{ "generate", &generator_kind_shape, "values picked from a list", true },
		{ "from", &source_shape, "the list", true },
		{ "count", &generator_count_shape, "how many to give", false },
		{ "times", &generator_count_shape,
			"instead of count: each of the different ones so many times", false },
		{ "distinct", &generator_count_shape,
			"how many different ones among them; the rest repeats them", false },
		{ "unknown", &unknown_shape,
			"how many, which share or which places of them are values that are not in "
			"the list: UUIDs among texts, larger ones among whole numbers",
			false },
		{ "order", &order_shape, "random by default", false }, { 0 } } };
static void shuffle(struct rng *rng, size_t *list, size_t count)
{
	for (size_t i = count; i > 1; i--) {
		size_t j = rng_below(rng, i), kept = list[i - 1];
		list[i - 1] = list[j];
		list[j] = kept;
	}
}

/* What settings come to. */
struct pick {
	const cJSON *from;
	size_t have;
	size_t count;    /* of all that is given */
	size_t unknown;  /* of them */
	size_t distinct; /* among the others */
	bool evenly;     /* each of those equally often */
	bool random;
};

/* Indices into the source: different ones, then repeats of them, then the wanted order. */
static size_t *pick_indices(struct scope_root *root, const struct pick *p)
{
	size_t count = p->count - p->unknown;
	size_t *all = arena_alloc(root->arena, p->have, sizeof *all);
	size_t *picked = arena_alloc(root->arena, count, sizeof *picked);
	for (size_t i = 0; i < p->have; i++)
		all[i] = i;
	if (p->random)
		shuffle(root->rng, all, p->have);
	for (size_t i = 0; i < count; i++)
		picked[i] = all[i < p->distinct           ? i
				: p->random && !p->evenly ? rng_below(root->rng, p->distinct)
							  : i % p->distinct];
	if (p->random)
		shuffle(root->rng, picked, count);
	return picked;
}

static enum rc read_unknown(const cJSON *settings, struct pick *p, struct err *err)
{
	const cJSON *unknown = json_get(settings, "unknown");
	struct quantity share = { .value = 0 };
	p->unknown = (size_t)generator_whole(settings, "unknown", 0);
	if (cJSON_IsArray(unknown))
		p->unknown = (size_t)cJSON_GetArraySize(unknown);
	if (!cJSON_IsString(unknown))
		return RC_OK;
	if (json_get(settings, "times"))
		return err_set(err, RC_USAGE, "",
			"unknown: expected a count or places beside times, found a share");
	if (quantity_parse(unknown->valuestring, &share, err) != RC_OK)
		return RC_USAGE;
	p->unknown = (size_t)ceil((double)p->count * share.value / 100);
	return RC_OK;
}

static enum rc read_counts(const cJSON *settings, struct pick *p, struct err *err)
{
	bool counted = json_get(settings, "count");
	size_t times = (size_t)generator_whole(settings, "times", 1);
	p->count = (size_t)generator_whole(settings, "count", 0);
	p->evenly = json_get(settings, "times");
	if (counted == p->evenly)
		return err_set(err, RC_USAGE, "", "expected either count or times, found %s",
			counted ? "both" : "neither");
	if (p->count > GENERATOR_COUNT_MAX || times > GENERATOR_COUNT_MAX)
		return err_set(err, RC_USAGE, "", "%zu values are more than %d",
			counted ? p->count : times, GENERATOR_COUNT_MAX);
	enum rc rc = read_unknown(settings, p, err);
	if (rc != RC_OK)
		return rc;
	size_t known = p->count < p->unknown ? 0 : p->count - p->unknown;
	size_t most = p->evenly || known > p->have ? p->have : known;
	p->distinct = (size_t)generator_whole(settings, "distinct", (int64_t)most);
	if (p->evenly && p->distinct > p->have)
		return err_set(err, RC_USAGE, "", "can't pick %zu distinct values from %zu",
			p->distinct, p->have);
	if (p->evenly)
		p->count = p->distinct * times + p->unknown;
	return RC_OK;
}

static enum rc read_pick(const cJSON *settings, struct pick *p, struct err *err)
{
	const char *order = json_text(settings, "order");
	*p = (struct pick){ .from = json_get(settings, "from") };
	p->have = (size_t)cJSON_GetArraySize(p->from);
	p->random = !order || strcmp(order, "random") == 0;
	enum rc rc = read_counts(settings, p, err);
	if (rc != RC_OK)
		return rc;
	if (p->count > GENERATOR_COUNT_MAX)
		return err_set(err, RC_USAGE, "", "%zu values are more than %d", p->count,
			GENERATOR_COUNT_MAX);
	if (p->unknown > p->count)
		return err_set(err, RC_USAGE, "", "%zu values can't hold %zu unknown ones",
			p->count, p->unknown);
	size_t known = p->count - p->unknown;
	if (p->distinct > p->have || p->distinct > known || (known && !p->distinct))
		return err_set(err, RC_USAGE, "",
			"can't pick %zu values, %zu of them distinct, from %zu", known, p->distinct,
			p->have);
	return RC_OK;
}

/* Which places of the result are unknown values. */
static enum rc mark_unknown(struct scope_root *root, const cJSON *settings, const struct pick *p,
	bool *marks, struct err *err)
{
	const cJSON *places = json_get(settings, "unknown"), *place;
	if (!cJSON_IsArray(places)) {
		size_t *any = arena_alloc(root->arena, p->count, sizeof *any);
		for (size_t i = 0; i < p->count; i++)
			any[i] = i;
		if (p->unknown)
			shuffle(root->rng, any, p->count);
		for (size_t i = 0; i < p->unknown; i++)
			marks[any[i]] = true;
		return RC_OK;
	}
	cJSON_ArrayForEach (place, places) {
		if (place->valuedouble >= (double)p->count)
			return err_set(err, RC_USAGE, "",
				"unknown: expected places up to %zu, found %.0f", p->count - 1,
				place->valuedouble);
		if (marks[(size_t)place->valuedouble])
			return err_set(err, RC_USAGE, "", "unknown: place %.0f stands there twice",
				place->valuedouble);
		marks[(size_t)place->valuedouble] = true;
	}
	return RC_OK;
}

/* Makes values that the source has not, of the kind it has. */
struct stranger {
	bool texts;
	double next;
};

static enum rc stranger_init(struct stranger *s, const cJSON *from, size_t count, struct err *err)
{
	*s = (struct stranger){ .texts = cJSON_IsString(from->child) };
	const cJSON *item;
	cJSON_ArrayForEach (item, from) {
		bool whole = cJSON_IsNumber(item) && item->valuedouble == floor(item->valuedouble);
		if (s->texts ? !cJSON_IsString(item) : !whole)
			return err_set(err, RC_USAGE, "",
				"unknown: expected a list of texts or of whole numbers, which new ones can "
				"be told from");
		if (whole && item->valuedouble >= s->next)
			s->next = item->valuedouble + 1;
	}
	/* Where one more is no other number, none of them would be a stranger. */
	if (s->next > 0x1p53 - (double)count)
		return err_set(err, RC_USAGE, "",
			"unknown: expected a list whose numbers leave %zu larger ones up to 2^53",
			count);
	return RC_OK;
}

static cJSON *stranger_next(struct stranger *s, struct scope_root *root)
{
	return s->texts ? cJSON_CreateString(generator_uuid_text(root))
			: cJSON_CreateNumber(s->next++);
}

static enum rc make_pick(
	struct scope_root *root, const cJSON *settings, cJSON **made, struct err *err)
{
	struct pick p;
	struct stranger stranger = { 0 };
	if (read_pick(settings, &p, err) != RC_OK ||
		(p.unknown && stranger_init(&stranger, p.from, p.unknown, err) != RC_OK))
		return RC_USAGE;
	const cJSON **items = arena_alloc(root->arena, p.have, sizeof(const cJSON *)), *item;
	size_t n = 0, bytes = 0;
	cJSON_ArrayForEach (item, p.from)
		items[n++] = item;
	size_t *picked = pick_indices(root, &p);
	bool *marks = arena_alloc(root->arena, p.count, sizeof *marks);
	enum rc rc = mark_unknown(root, settings, &p, marks, err);
	cJSON *list = cJSON_CreateArray();
	for (size_t i = 0; i < p.count && rc == RC_OK; i++)
		if (marks[i])
			cJSON_AddItemToArray(list, stranger_next(&stranger, root));
		else
			rc = generator_copy(list, items[*picked++], &bytes, err);
	if (rc == RC_OK)
		*made = list;
	else
		cJSON_Delete(list);
	return rc;
}

const struct generator generator_pick = { "pick", &pick_shape, make_pick };
