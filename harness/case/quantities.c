#include "case/quantities.h"

#include "case/steps.h"

static const char *its_name(void *self, const struct expectation *row)
{
	(void)self;
	return row->name;
}

void quantities_declare(struct scope *scope, const struct step *step)
{
	cJSON *words = expect_quantities(step_subject(step), its_name, NULL);
	const cJSON *word;
	cJSON_ArrayForEach (word, words)
		scope_bind(scope, word->string, NULL, BINDING_RECEIVED);
	cJSON_Delete(words);
}

void quantities_bind(struct scope *scope, const struct step *step,
	const char *(*value)(void *self, const struct expectation *row), void *self)
{
	scope_bind_members(
		scope, expect_quantities(step_subject(step), value, self), BINDING_RECEIVED);
}
