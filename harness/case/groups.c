#include "case/groups.h"

#include "case/template.h"
#include "expect/expect.h"

/* One variable of a `when`, by its dotted name. */
static enum rc variable(
	struct scope *scope, const char *name, cJSON **value, bool *unknown, struct err *err)
{
	cJSON *reference = cJSON_CreateString(arena_print(scope->root->arena, "${%s}", name));
	enum rc rc = template_resolve(scope, reference, value, err);
	if (rc == RC_OK)
		*unknown = template_waits(scope, *value);
	cJSON_Delete(reference);
	return rc;
}

static enum rc when_holds(
	struct scope *scope, const cJSON *when, struct group_choice *choice, struct err *err)
{
	const cJSON *member;
	choice->applies = true;
	cJSON_ArrayForEach (member, when) {
		cJSON *value, *matcher;
		bool unknown = false;
		enum rc rc = variable(scope, member->string, &value, &unknown, err);
		if (rc == RC_OK)
			rc = template_resolve(scope, member, &matcher, err);
		if (rc != RC_OK)
			return rc;
		unknown = unknown || template_waits(scope, matcher);
		choice->unknown = choice->unknown || unknown;
		if (!unknown && !expect_matches(value, matcher, scope->root->arena))
			choice->applies = false;
	}
	if (!choice->applies)
		choice->unknown = false;
	return RC_OK;
}

/* `otherwise` applies where no other `when` holds; where one only may hold, so may it. */
static void choose_otherwise(struct group_choices *choices)
{
	bool holds = false, may_hold = false;
	for (size_t i = 0; i < choices->count; i++) {
		const struct group_choice *choice = &choices->list[i];
		choices->conditional = choices->conditional || choice->conditional;
		if (!choice->conditional || !choice->applies)
			continue;
		holds = holds || !choice->unknown;
		may_hold = may_hold || choice->unknown;
	}
	choices->covered = holds || may_hold;
	for (size_t i = 0; i < choices->count; i++) {
		struct group_choice *choice = &choices->list[i];
		if (!cJSON_IsString(json_get(choice->group, "when")) || holds)
			continue;
		choice->applies = choices->covered = true;
		choice->unknown = may_hold;
	}
}

enum rc groups_choose(
	struct scope *scope, const cJSON *expect, struct group_choices *choices, struct err *err)
{
	const cJSON *group = cJSON_IsArray(expect) ? expect->child : expect;
	size_t count = cJSON_IsArray(expect) ? (size_t)cJSON_GetArraySize(expect) : expect ? 1 : 0;
	*choices = (struct group_choices){ .list = arena_alloc(scope->root->arena, count,
						   sizeof *choices->list) };
	for (; group && choices->count < count; group = group->next) {
		struct group_choice *choice = &choices->list[choices->count++];
		const cJSON *when = json_get(group, "when");
		*choice = (struct group_choice){
			.group = group, .conditional = when != NULL, .applies = !when
		};
		enum rc rc = cJSON_IsObject(when) ? when_holds(scope, when, choice, err) : RC_OK;
		if (rc != RC_OK)
			return rc;
	}
	choose_otherwise(choices);
	return RC_OK;
}
