#include "case/frames.h"

#include <stdio.h>

struct scope *frames_outer(struct scope_root *root, const struct suite *suite,
	const struct case_file *one, uint64_t seed, bool lenient)
{
	static const char *const GIVEN[] = { "sut", "root", "files", "to", "services", "upstream",
		"session" };
	struct scope *scope = scope_new(root, lenient);
	scope_bind(scope, "env", NULL, BINDING_RECEIVED);
	scope_bind(scope, "unique", NULL, BINDING_RECEIVED);
	const char *text = arena_print(root->arena, "0x%llx", (unsigned long long)seed);
	scope_bind_owned(scope, "seed", cJSON_CreateString(text), BINDING_RECEIVED);
	for (size_t i = 0; lenient && i < sizeof GIVEN / sizeof *GIVEN; i++)
		scope_bind(scope, GIVEN[i], NULL, BINDING_RECEIVED);
	scope = scope_push(scope);
	scope_bind_all(scope, suite->variables);
	scope = scope_push(scope);
	scope_bind_all(scope, one->variables);
	return scope;
}

static void bind_text(struct scope *scope, const char *name, const char *text)
{
	if (text)
		scope_bind_owned(scope, name, cJSON_CreateString(text), BINDING_RECEIVED);
}

static cJSON *address(const struct frames_sut *sut)
{
	cJSON *object = cJSON_CreateObject();
	char url[300];
	const char *scheme = sut->scheme ? sut->scheme : "http";
	if (sut->socket)
		snprintf(url, sizeof url, "%s://%s", scheme, sut->host);
	else
		snprintf(url, sizeof url, "%s://%s:%d", scheme, sut->host, sut->port);
	cJSON_AddStringToObject(object, "host", sut->host);
	if (sut->socket)
		cJSON_AddStringToObject(object, "socket", sut->socket);
	else
		cJSON_AddNumberToObject(object, "port", sut->port);
	cJSON_AddStringToObject(object, "url", url);
	return object;
}

struct scope *frames_sut(const struct scope *outer, const struct frames_sut *sut)
{
	struct scope *scope = scope_push(outer);
	bind_text(scope, "root", sut->root);
	bind_text(scope, "files", sut->files);
	if (sut->port || sut->socket)
		scope_bind_owned(scope, "sut", address(sut), BINDING_RECEIVED);
	if (sut->to_port) {
		cJSON *to = cJSON_CreateObject();
		cJSON_AddNumberToObject(to, "port", sut->to_port);
		scope_bind_owned(scope, "to", to, BINDING_RECEIVED);
	}
	if (sut->services)
		scope_bind(scope, "services", sut->services, BINDING_RECEIVED);
	return scope;
}
