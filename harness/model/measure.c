#include "model/measure.h"

#include <string.h>

enum { ROOM_FIRST = 16 };

bool spoil_leaves(const struct spoil *spoil, const struct comparison *comparison, bool holds)
{
	if (!spoil->text)
		return true;
	if (spoil->way == SPOIL_RAISED)
		return holds && comparison_holds_of_less(comparison);
	return spoil->way == SPOIL_LOWERED && holds && comparison_holds_of_more(comparison);
}

void measures_init(struct measures *measures, struct arena *arena)
{
	*measures = (struct measures){ .arena = arena };
}

struct measure *measures_add(
	struct measures *measures, const char *name, struct quantity quantity, const char *note)
{
	measures->list = arena_grow(measures->arena, measures->list, measures->count,
		&measures->room, ROOM_FIRST, sizeof *measures->list);
	struct measure *added = &measures->list[measures->count++];
	*added = (struct measure){ .name = name, .quantity = quantity, .note = note };
	return added;
}

void measures_add_spread(struct measures *measures, const char *word, const struct spread *spread)
{
	const struct {
		const char *name;
		int64_t ns;
	} parts[] = { { "min", spread->min_ns }, { "p50", spread->p50_ns },
		{ "p90", spread->p90_ns }, { "p99", spread->p99_ns }, { "p999", spread->p999_ns },
		{ "max", spread->max_ns } };
	measures_add(measures, arena_print(measures->arena, "%s.count", word),
		(struct quantity){ UNIT_COUNT, (double)spread->count }, NULL);
	for (size_t i = 0; spread->count && i < sizeof parts / sizeof *parts; i++)
		measures_add(measures, arena_print(measures->arena, "%s.%s", word, parts[i].name),
			(struct quantity){ UNIT_NS, (double)parts[i].ns }, NULL);
}

const struct measure *measures_find(const struct measures *measures, const char *name)
{
	for (size_t i = 0; measures && i < measures->count; i++)
		if (strcmp(measures->list[i].name, name) == 0)
			return &measures->list[i];
	return NULL;
}
