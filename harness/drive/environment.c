#include <stdlib.h>
#include <string.h>

#include "drive/spec.h"

/*
 * A SUT gets no more of onus's environment than this, so that a case tells the whole story: a setting that happens to
 * be exported in somebody's shell changes nothing.
 */
static const char *const INHERITED[] = { "PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "TZ",
	"TMPDIR", "LD_LIBRARY_PATH", "ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS",
	"UBSAN_OPTIONS" };

enum { INHERITED_COUNT = sizeof INHERITED / sizeof *INHERITED };

static const char *value_text(struct arena *arena, const cJSON *value)
{
	if (cJSON_IsString(value))
		return value->valuestring;
	char *printed = json_print(value);
	const char *text = arena_text(arena, printed);
	free(printed);
	return text;
}

const char *const *spec_environment(
	struct arena *arena, const cJSON *env, const char *fault_name, const char *fault)
{
	size_t count = 0;
	const char **list = arena_alloc(
		arena, INHERITED_COUNT + (size_t)cJSON_GetArraySize(env) + 2, sizeof *list);
	for (size_t i = 0; i < INHERITED_COUNT; i++) {
		const char *value = getenv(INHERITED[i]);
		if (value && !json_get(env, INHERITED[i]))
			list[count++] = arena_print(arena, "%s=%s", INHERITED[i], value);
	}
	const cJSON *member;
	cJSON_ArrayForEach (member, env)
		if (!cJSON_IsNull(member) && !(fault && strcmp(member->string, fault_name) == 0))
			list[count++] = arena_print(
				arena, "%s=%s", member->string, value_text(arena, member));
	if (fault)
		list[count++] = arena_print(arena, "%s=%s", fault_name, fault);
	return list;
}
