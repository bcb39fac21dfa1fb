#include "openapi/fields.h"

#include <string.h>
#include <strings.h>

static bool is_token(const char *name)
{
	static const char TCHAR[] = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	return name[0] && strspn(name, TCHAR) == strlen(name);
}

static bool is_others(const char *name)
{
	static const char *const OTHERS[] = { "Accept", "Authorization", "Connection",
		"Content-Length", "Content-Type", "Expect", "Host", "Keep-Alive",
		"Proxy-Connection", "TE", "Trailer", "Transfer-Encoding", "Upgrade" };
	for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++)
		if (strcasecmp(OTHERS[i], name) == 0)
			return true;
	return false;
}

const char *fields_value(struct arena *arena, const char *text)
{
	while ((uint8_t)*text <= ' ' && *text)
		text++;
	size_t len = strnlen(text, FIELDS_VALUE_MAX_BYTES);
	char *value = arena_alloc(arena, len + 1, 1);
	for (size_t i = 0; i < len; i++)
		value[i] = (char)((uint8_t)text[i] < ' ' || text[i] == 0x7f ? ' ' : text[i]);
	while (len && value[len - 1] == ' ')
		len--;
	value[len] = 0;
	return value;
}

static bool is_field(const struct operation_parameter *parameter)
{
	return parameter->sent && strcmp(parameter->in, "header") == 0 &&
	       is_token(parameter->name) && !is_others(parameter->name);
}

void fields_make(struct operation *operation, struct arena *arena)
{
	struct operation_field *fields =
		arena_alloc(arena, operation->parameter_count, sizeof *fields);
	size_t bytes = 0;
	for (size_t i = 0; i < operation->parameter_count; i++) {
		const struct operation_parameter *one = &operation->parameters[i];
		if (!is_field(one) || strlen(one->name) > FIELDS_VALUE_MAX_BYTES)
			continue;
		struct operation_field field = { one->name, fields_value(arena, one->value) };
		bytes += strlen(field.name) + strlen(field.value) + 4;
		if (bytes > FIELDS_MAX_BYTES)
			break;
		fields[operation->field_count++] = field;
	}
	operation->fields = fields;
}
