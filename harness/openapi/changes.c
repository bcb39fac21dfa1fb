#include "openapi/changes.h"

void changes_release(struct changes *changes)
{
	arena_free(changes->arena);
	*changes = (struct changes){ 0 };
}

const char *change_class_name(enum change_class class)
{
	static const char *const NAMES[] = { "breaking", "additive", "documentation" };
	return NAMES[class];
}
