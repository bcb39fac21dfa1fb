#include "expect/operator.h"

#include <string.h>

static const struct operator_row *const tables[] = {
	operators_value,
	operators_text,
	operators_number,
	operators_items,
	operators_same,
	NULL,
};

const struct operator_row *operator_at(size_t index)
{
	for (size_t t = 0; tables[t]; t++)
		for (const struct operator_row *row = tables[t]; row->key.name; row++)
			if (index-- == 0)
				return row;
	return NULL;
}

const struct operator_row *operator_find(const char *name, enum matcher_place place)
{
	for (size_t t = 0; tables[t]; t++)
		for (const struct operator_row *row = tables[t]; row->key.name; row++)
			if ((row->places & place) && !strcmp(row->key.name, name))
				return row;
	return NULL;
}
