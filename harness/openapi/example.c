#include "openapi/example.h"
#include "openapi/members.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES_MAX = 5000, DEPTH_MAX = 64, LENGTH_MAX = 4096, BYTES_MAX = 1024 * 1024 };

struct maker {
	const struct document *document;
	size_t values; /* made so far */
	size_t left_bytes;
};

static cJSON *make(struct maker *maker, const cJSON *schema, unsigned depth);

/* Few bytes of a document, a list of references to one long example, could ask for more than there is memory. */
static bool spend(struct maker *maker, size_t bytes)
{
	bool enough = bytes <= maker->left_bytes;
	maker->left_bytes -= enough ? bytes : maker->left_bytes;
	return enough;
}

static cJSON *copy(struct maker *maker, const cJSON *value)
{
	if (!maker->left_bytes || !spend(maker, json_size(value)))
		return cJSON_CreateNull();
	cJSON *made = cJSON_Duplicate(value, true);
	if (!made)
		BUG("no memory for a copy");
	return made;
}

/* Of this very schema, or NULL. */
static const cJSON *given(const cJSON *schema)
{
	static const char *const KEYS[] = { "example", "examples", "default", "const", "enum" };
	for (size_t i = 0; i < sizeof KEYS / sizeof *KEYS; i++) {
		const cJSON *value = json_get(schema, KEYS[i]);
		bool list = strcmp(KEYS[i], "examples") == 0 || strcmp(KEYS[i], "enum") == 0;
		if (list)
			value = members_items(value);
		if (value)
			return value;
	}
	return NULL;
}

static double bound(const cJSON *schema, const char *key, double otherwise)
{
	const cJSON *value = json_get(schema, key);
	return cJSON_IsNumber(value) ? value->valuedouble : otherwise;
}

/* Bounds of either version as a lower and an upper one, and whether these are out themselves. */
struct range {
	double least, most, above, below;
};

static struct range range_of(const cJSON *schema)
{
	struct range r = { bound(schema, "minimum", -HUGE_VAL), bound(schema, "maximum", HUGE_VAL),
		bound(schema, "exclusiveMinimum", -HUGE_VAL),
		bound(schema, "exclusiveMaximum", HUGE_VAL) };
	if (cJSON_IsTrue(json_get(schema, "exclusiveMinimum")))
		r.above = r.least;
	if (cJSON_IsTrue(json_get(schema, "exclusiveMaximum")))
		r.below = r.most;
	return r;
}

/* 1, or the nearest to it that is within. */
static double within(struct range r, bool whole)
{
	double value = 1;
	double over = whole ? floor(r.above) + 1 : r.above + 1;
	double under = whole ? ceil(r.below) - 1 : r.below - 1;
	if (value < r.least || value <= r.above)
		value = r.least > r.above ? r.least : over;
	if (value > r.most || value >= r.below)
		value = r.most < r.below ? r.most : under;
	return value <= r.above ? (r.above + r.below) / 2 : value;
}

static cJSON *make_number(const cJSON *schema, bool whole)
{
	struct range r = range_of(schema);
	double value = within(r, whole), step = bound(schema, "multipleOf", whole ? 1 : 0);
	if (step > 0) {
		value = ceil(value / step) * step;
		value -= value > r.most || value >= r.below ? step : 0;
	}
	return cJSON_CreateNumber(isfinite(value) ? value : 1);
}

static const struct {
	const char *format, *value;
} FORMATS[] = {
	{ "uuid", "00000000-0000-4000-8000-000000000001" },
	{ "date", "2024-01-01" },
	{ "date-time", "2024-01-01T00:00:00Z" },
	{ "time", "00:00:00Z" },
	{ "duration", "PT1S" },
	{ "email", "a@example.com" },
	{ "hostname", "example.com" },
	{ "ipv4", "192.0.2.1" },
	{ "ipv6", "2001:db8::1" },
	{ "uri", "https://example.com/" },
	{ "url", "https://example.com/" },
	{ "uri-reference", "/x" },
	{ "json-pointer", "/x" },
	{ "regex", "x" },
	{ "byte", "eA==" },
};

/* How long a text has to be. */
static size_t text_bytes(const cJSON *schema)
{
	double length = bound(schema, "minLength", 1);
	if (bound(schema, "maxLength", 1) < 1)
		return 0;
	return length < 1 ? 1 : length > LENGTH_MAX ? LENGTH_MAX : (size_t)length;
}

static cJSON *make_text(const cJSON *schema)
{
	const char *format = json_text(schema, "format");
	for (size_t i = 0; format && i < sizeof FORMATS / sizeof *FORMATS; i++)
		if (strcmp(FORMATS[i].format, format) == 0)
			return cJSON_CreateString(FORMATS[i].value);
	char text[LENGTH_MAX + 1];
	size_t len = text_bytes(schema);
	memset(text, 'x', len);
	text[len] = 0;
	return cJSON_CreateString(text);
}

static cJSON *make_list(struct maker *maker, const cJSON *schema, unsigned depth)
{
	cJSON *list = cJSON_CreateArray();
	const cJSON *row = json_get(schema, "prefixItems");
	double least = bound(schema, "minItems", 0);
	for (const cJSON *one = members_items(row); one; one = one->next)
		cJSON_AddItemToArray(list, make(maker, one, depth + 1));
	for (double i = cJSON_GetArraySize(list); i < least && maker->values < VALUES_MAX; i++)
		cJSON_AddItemToArray(list, make(maker, json_get(schema, "items"), depth + 1));
	return list;
}

/* One part of an object: what the schema itself requires. */
static void add_required(struct maker *maker, cJSON *object, const cJSON *schema, unsigned depth)
{
	const cJSON *properties = json_get(schema, "properties"),
		    *required = json_get(schema, "required");
	for (const cJSON *one = members_items(required); one && maker->values < VALUES_MAX;
		one = one->next) {
		const char *name = cJSON_GetStringValue(one);
		const cJSON *property = name ? json_get(properties, name) : NULL;
		const cJSON *inner = document_resolve(maker->document, property);
		maker->values++;
		if (!name || json_get(object, name) || cJSON_IsTrue(json_get(inner, "readOnly")))
			continue;
		cJSON_AddItemToObject(object, name, make(maker, property, depth + 1));
	}
}

/* Joins an object that another part of allOf gave; what is there stays. */
static void join(cJSON *object, cJSON *part)
{
	while (part->child) {
		cJSON *member = cJSON_DetachItemViaPointer(part, part->child);
		if (json_get(object, member->string))
			cJSON_Delete(member);
		else
			cJSON_AddItemToObject(object, member->string, member);
	}
}

static cJSON *make_object(struct maker *maker, const cJSON *schema, unsigned depth)
{
	cJSON *object = cJSON_CreateObject();
	add_required(maker, object, schema, depth);
	return object;
}

static const char *type_of(const cJSON *schema)
{
	const cJSON *type = json_get(schema, "type");
	for (const cJSON *one = members_items(type); one; one = one->next)
		if (cJSON_IsString(one) && strcmp(one->valuestring, "null") != 0)
			return one->valuestring;
	if (cJSON_IsString(type))
		return type->valuestring;
	if (json_get(schema, "properties") || json_get(schema, "required"))
		return "object";
	if (json_get(schema, "items") || json_get(schema, "prefixItems"))
		return "array";
	return NULL;
}

static cJSON *make_typed(struct maker *maker, const cJSON *schema, const char *type, unsigned depth)
{
	if (strcmp(type, "integer") == 0 || strcmp(type, "number") == 0)
		return make_number(schema, type[0] == 'i');
	if (strcmp(type, "boolean") == 0)
		return cJSON_CreateTrue();
	if (strcmp(type, "null") == 0)
		return cJSON_CreateNull();
	if (strcmp(type, "array") == 0)
		return make_list(maker, schema, depth);
	if (strcmp(type, "object") == 0)
		return make_object(maker, schema, depth);
	return make_text(schema);
}

/* The first of alternatives that is more than null. */
static const cJSON *first_of(const struct document *document, const cJSON *schema)
{
	const cJSON *list = json_get(schema, "oneOf");
	list = list ? list : json_get(schema, "anyOf");
	for (const cJSON *one = members_items(list); one; one = one->next) {
		const char *type = json_text(document_resolve(document, one), "type");
		if (!type || strcmp(type, "null") != 0)
			return one;
	}
	return NULL;
}

/* Adds one part to what the others gave, which may be nothing yet. Takes both. */
static cJSON *joined(cJSON *whole, cJSON *part)
{
	if (!whole)
		return part;
	if (cJSON_IsNull(whole) && !cJSON_IsNull(part)) {
		cJSON_Delete(whole);
		return part;
	}
	if (cJSON_IsObject(whole) && cJSON_IsObject(part))
		join(whole, part);
	cJSON_Delete(part);
	return whole;
}

static cJSON *make_all(struct maker *maker, const cJSON *schema, unsigned depth)
{
	const char *type = type_of(schema);
	cJSON *whole = type ? make_typed(maker, schema, type, depth) : NULL;
	const cJSON *all = json_get(schema, "allOf"), *first = first_of(maker->document, schema);
	for (const cJSON *one = members_items(all); one && maker->values < VALUES_MAX;
		one = one->next)
		whole = joined(whole, make(maker, one, depth + 1));
	return first ? joined(whole, make(maker, first, depth + 1)) : whole;
}

static cJSON *make(struct maker *maker, const cJSON *schema, unsigned depth)
{
	/* What stands beside a $ref comes before it. */
	for (const cJSON *at = schema; at; at = document_target(maker->document, at))
		if (given(at))
			return copy(maker, given(at));
	schema = document_resolve(maker->document, schema);
	if (++maker->values > VALUES_MAX || depth > DEPTH_MAX ||
		!spend(maker, sizeof(cJSON) + text_bytes(schema)))
		return cJSON_CreateNull();
	cJSON *made = cJSON_IsObject(schema) ? make_all(maker, schema, depth) : NULL;
	return made ? made : cJSON_CreateString("x");
}

static cJSON *of_object(struct maker *maker, const cJSON *object)
{
	const cJSON *example = json_get(object, "example"), *named = json_get(object, "examples");
	if (example)
		return copy(maker, example);
	for (const cJSON *one = cJSON_IsObject(named) ? named->child : NULL; one; one = one->next) {
		const cJSON *value = json_get(document_resolve(maker->document, one), "value");
		if (value)
			return copy(maker, value);
	}
	return make(maker, json_get(object, "schema"), 0);
}

cJSON *example_of_object(const struct document *document, const cJSON *object, size_t *left_bytes)
{
	size_t most = *left_bytes < BYTES_MAX ? *left_bytes : BYTES_MAX;
	struct maker maker = { .document = document, .left_bytes = most };
	cJSON *made = of_object(&maker, object);
	*left_bytes -= most - maker.left_bytes;
	return made;
}
