#include "drive/session.h"

#include <string.h>

#include "base/words.h"
#include "case/template.h"
#include "drive/steps.h"

static struct session_user *find(const struct case_run *c, const char *variant, const char *name)
{
	for (struct session_user *u = c->users; u; u = u->next)
		if (words_same(u->variant, variant) && strcmp(u->name, name) == 0)
			return u;
	return NULL;
}

const struct session_user *session_of(const struct case_run *c, const struct step *step)
{
	return step->as ? find(c, step->to, step->as) : NULL;
}

/* As Basic authentication sends them (RFC 7617): base64 (RFC 4648 section 4) of "name:password". */
static const char *basic_credentials(struct arena *arena, const char *name, const char *password)
{
	static const char DIGITS[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *pair = arena_print(arena, "%s:%s", name, password);
	size_t length = strlen(pair);
	char *text = arena_alloc(arena, length / 3 * 4 + 5, 1), *to = text;
	for (size_t i = 0; i < length; i += 3) {
		uint32_t bits = 0;
		for (size_t k = 0; k < 3; k++)
			bits = bits << 8 | (i + k < length ? (uint8_t)pair[i + k] : 0);
		for (size_t k = 0; k < 4; k++) {
			const char *digit = &DIGITS[bits >> (18 - 6 * k) & 63];
			*to++ = *(i + k > length ? "=" : digit);
		}
	}
	return text;
}

/* `${user.name}`, `${user.password}` and whatever else the suite says of the user. */
static void bind_user(struct scope *scope, const char *name, const cJSON *settings)
{
	cJSON *user = cJSON_Duplicate(settings, true);
	const char *password = json_text(settings, "password");
	cJSON_DeleteItemFromObjectCaseSensitive(user, "name");
	cJSON_AddStringToObject(user, "name", name);
	scope_bind_owned(scope, "user", user, BINDING_RECEIVED);
	if (!password)
		return;
	scope_add_secret(scope->root, password);
	scope_add_secret(scope->root, basic_credentials(scope->root->arena, name, password));
}

/* The steps' captures are all in the frame that the walk made for their list. */
struct signing {
	struct case_run *c;
	cJSON *captured;
};

static enum rc visit(void *self, const struct walk_step *at)
{
	struct signing *s = self;
	const cJSON *member;
	struct tally_mark mark = tally_mark(&s->c->tally);
	enum rc rc = steps_visit(s->c, at);
	if (tally_changed(&s->c->tally, &mark))
		return RC_CLOSED;
	cJSON_ArrayForEach (member, json_get(at->step->node, "capture")) {
		struct binding *b = scope_find(at->names, member->string, strlen(member->string));
		if (b && b->value)
			cJSON_AddItemToObject(
				s->captured, member->string, cJSON_Duplicate(b->value, true));
	}
	return rc;
}

static void broken(void *self, const struct step *step, const struct err *err)
{
	struct signing *s = self;
	steps_broken(s->c, step, err);
}

static bool resolve_adds(struct case_run *c, struct scope *scope, struct session_user *user)
{
	const cJSON *adds = json_get(json_get(c->run->suite->sessions, "adds"), "headers"), *member;
	cJSON *headers = NULL;
	struct err err = { 0 };
	struct scope *inner = scope_push(scope);
	cJSON_ArrayForEach (member, user->captured)
		scope_bind(inner, member->string, member, BINDING_RECEIVED);
	if (adds && template_resolve(inner, adds, &headers, &err) != RC_OK) {
		tally_problem(&c->tally, PROBLEM_USAGE, json_place(c->run->suite->json, adds), "%s",
			err.text);
		return false;
	}
	user->headers = headers;
	return true;
}

static bool sign_in(struct case_run *c, const struct step *step, struct scope *outer)
{
	const struct suite *suite = c->run->suite;
	const cJSON *settings = json_get(json_get(suite->sessions, "users"), step->as);
	struct signing s = { c, scope_keep(&c->root, cJSON_CreateObject()) };
	struct walker walker = { .self = &s, .visit = visit, .broken = broken };
	struct scope *scope = scope_push(outer);
	struct session_user *user = arena_alloc(c->cell_arena, 1, sizeof *user);
	*user = (struct session_user){
		.variant = step->to, .name = step->as, .captured = s.captured
	};
	scope->origin = arena_print(c->cell_arena, "%s %s", outer->origin, step->as);
	bind_user(scope, step->as, settings);
	c->signing = step;
	enum rc rc = walk_steps(
		&walker, suite->session_steps, suite->session_step_count, scope, cell_text_none);
	c->signing = NULL;
	if (rc != RC_OK || !resolve_adds(c, scope, user))
		return false;
	user->next = c->users;
	c->users = user;
	return true;
}

/* A step that goes to none of several SUTs, such as a look at the journal, has nobody to sign in with. */
static bool must_sign_in(const struct case_run *c, const struct step *step)
{
	return step->as && (step->to || !c->one->suts) && !find(c, step->to, step->as);
}

static bool sign_in_steps(
	struct case_run *c, const struct step *steps, size_t count, struct scope *scope)
{
	for (size_t i = 0; i < count; i++) {
		const struct step *step = &steps[i];
		struct step control = *step;
		control.as = step->control;
		if (must_sign_in(c, step) && !sign_in(c, step, scope))
			return false;
		if (must_sign_in(c, &control) && !sign_in(c, &control, scope))
			return false;
		if (!sign_in_steps(c, step->steps, step->step_count, scope) ||
			!sign_in_steps(c, step->inner, step->inner_count, scope))
			return false;
		for (size_t l = 0; l < step->list_count; l++)
			if (!sign_in_steps(c, step->lists[l].steps, step->lists[l].count, scope))
				return false;
	}
	return true;
}

bool session_sign_in(struct case_run *c, struct scope *scope)
{
	c->users = NULL;
	return sign_in_steps(c, c->one->steps, c->one->step_count, scope);
}
