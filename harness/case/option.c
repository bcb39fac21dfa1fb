#include "case/option.h"

#include <string.h>

#include "base/units.h"
#include "case/steps.h"
#include "case/template.h"

enum { COUNT_MAX = 1000 * 1000 * 1000 };

static const struct shape *key_shape(const struct step *step, const char *key)
{
	const struct shape *shape = step_kind_find(step->word)->variant.shape;
	for (const struct shape_key *k = shape->keys; k->name; k++)
		if (strcmp(k->name, key) == 0)
			return k->shape;
	const struct shape_key *k;
	for (size_t i = 0; shape->key_at && (k = shape->key_at(i)); i++)
		if (strcmp(k->name, key) == 0)
			return k->shape;
	BUG("%s has no key %s", step->word, key);
}

enum rc option_get(struct scope *scope, const struct step *step, const char *key, cJSON **value,
	struct err *err)
{
	const cJSON *written = json_get(step->node, key);
	struct err form = { 0 };
	*value = NULL;
	if (!written)
		return RC_OK;
	enum rc rc = template_resolve(scope, written, value, err);
	if (rc != RC_OK)
		return rc;
	if (!template_waits(scope, *value) &&
		!shape_check_resolved(key_shape(step, key), *value, &form))
		return err_set(err, RC_USAGE, "", "%s: %s", key, form.text);
	return RC_OK;
}

enum rc option_duration(struct scope *scope, const struct step *step, const char *key,
	int64_t otherwise_ns, int64_t *ns, struct err *err)
{
	cJSON *value;
	*ns = otherwise_ns;
	enum rc rc = option_get(scope, step, key, &value, err);
	if (rc != RC_OK || !value || !cJSON_IsString(value))
		return rc;
	return duration_parse(value->valuestring, ns, err);
}

enum rc option_count(struct scope *scope, const struct step *step, const char *key,
	size_t otherwise, size_t *count, struct err *err)
{
	cJSON *value;
	*count = otherwise;
	enum rc rc = option_get(scope, step, key, &value, err);
	if (rc == RC_OK && value && cJSON_IsNumber(value))
		*count = value->valuedouble < COUNT_MAX ? (size_t)value->valuedouble : COUNT_MAX;
	return rc;
}
