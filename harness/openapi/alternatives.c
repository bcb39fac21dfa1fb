#include <stdlib.h>
#include <string.h>

#include "openapi/comparison.h"
#include "openapi/fingerprint.h"
#include "openapi/literal.h"

enum { LEFT_MAX = 64 };

/* One of allOf, anyOf or oneOf. */
struct alternative {
	const cJSON *schema;
	size_t index;
	uint64_t print; /* what it looks like some references deep */
	const char *
		name; /* of the component or its title, to tell look-alikes apart and for people; "" */
	bool beside; /* what a $ref beside other keywords leads to, not an item of the list */
	bool paired;
};

struct alternatives {
	struct alternative *list;
	size_t count;
};

static const char *name_of(const cJSON *schema)
{
	const char *reference = json_text(schema, "$ref");
	const char *title = json_text(schema, "title");
	const char *slash = reference ? strrchr(reference, '/') : NULL;
	if (slash)
		return slash + 1;
	return title ? title : "";
}

static void add(struct alternatives *all, const cJSON *schema)
{
	struct alternative *one = &all->list[all->count];
	*one = (struct alternative){
		.schema = schema, .index = all->count, .name = name_of(schema)
	};
	all->count++;
}

static struct alternatives collect(
	struct comparison *c, const struct view *view, const cJSON *list, bool all_of)
{
	size_t count = list ? (size_t)cJSON_GetArraySize(list) : 0;
	struct alternatives all = { arena_alloc(c->arena, count + 1, sizeof *all.list), 0 };
	for (const cJSON *one = list ? list->child : NULL; one; one = one->next)
		add(&all, one);
	/* The object itself has a $ref beside its keywords. */
	if (all_of && view->beside) {
		add(&all, view->beside);
		all.list[all.count - 1].beside = true;
	}
	return all;
}

static int by_print_and_name(const void *a, const void *b)
{
	const struct alternative *x = a, *y = b;
	if (x->print != y->print)
		return x->print < y->print ? -1 : 1;
	int order = strcmp(x->name, y->name);
	return order ? order : (x->index > y->index) - (x->index < y->index);
}

static int by_print(const void *a, const void *b)
{
	const struct alternative *x = a, *y = b;
	return x->print == y->print ? 0 : x->print < y->print ? -1 : 1;
}

static int by_print_name(const void *a, const void *b)
{
	const struct alternative *x = a, *y = b;
	return x->print == y->print ? strcmp(x->name, y->name) : by_print(a, b);
}

static int by_name(const void *a, const void *b)
{
	const struct alternative *x = a, *y = b;
	return strcmp(x->name, y->name);
}

static bool has_twins(const struct alternatives *all)
{
	for (size_t i = 1; i < all->count; i++)
		if (all->list[i].print == all->list[i - 1].print)
			return true;
	return false;
}

static void print_all(struct comparison *c, const struct document *document,
	struct alternatives *all, unsigned deep)
{
	for (size_t i = 0; i < all->count; i++)
		all->list[i].print =
			fingerprint(&c->prints, document, all->list[i].schema, deep, c->arena);
	qsort(all->list, all->count, sizeof *all->list, by_print_and_name);
}

/* A glance tells most alternatives apart; where it doesn't, a longer look is taken at all of them. */
static void sort_by_print(struct comparison *c, struct alternatives *old, struct alternatives *new)
{
	if (old->count == 1 && new->count == 1)
		return;
	print_all(c, c->old, old, 0);
	print_all(c, c->new, new, 0);
	if (!has_twins(old) && !has_twins(new))
		return;
	print_all(c, c->old, old, FINGERPRINT_DEEP);
	print_all(c, c->new, new, FINGERPRINT_DEEP);
}

static void pair(
	struct comparison *c, struct alternative *x, struct alternative *y, struct spot spot)
{
	struct referred old = { x->schema, x->beside }, new = { y->schema, y->beside };
	x->paired = y->paired = true;
	comparison_referred(c, old, new, spot_item(c, spot, x->index));
}

/* Pairs what compares equal; both lists are sorted by that. */
static void pair_equal(struct comparison *c, struct alternatives *old, struct alternatives *new,
	int (*compare)(const void *, const void *), bool named, struct spot spot)
{
	size_t i = 0, j = 0;
	while (i < old->count && j < new->count) {
		struct alternative *x = &old->list[i], *y = &new->list[j];
		if (x->paired || (named && !*x->name)) {
			i++;
			continue;
		}
		if (y->paired || (named && !*y->name)) {
			j++;
			continue;
		}
		int order = compare(x, y);
		if (!order)
			pair(c, x, y, spot);
		i += order <= 0;
		j += order >= 0;
	}
}

/* Moves those that have found their other side out of the list. */
static void drop_paired(struct alternatives *all)
{
	size_t kept = 0;
	for (size_t i = 0; i < all->count; i++)
		if (!all->list[i].paired)
			all->list[kept++] = all->list[i];
	all->count = kept;
}

/* The most alike of those that are left, or NULL where none has anything in common. */
static struct alternative *find_alike(
	struct comparison *c, const struct alternative *one, struct alternatives *all)
{
	struct alternative *best = NULL;
	size_t most = 0;
	for (size_t i = 0; i < all->count; i++) {
		if (all->list[i].paired)
			continue;
		size_t alike = likeness(c->old, one->schema, c->new, all->list[i].schema, c->arena);
		if (alike > most)
			best = &all->list[i];
		most = alike > most ? alike : most;
	}
	return best;
}

/* Few are left in any document but one made to be slow. */
static void pair_alike(
	struct comparison *c, struct alternatives *old, struct alternatives *new, struct spot spot)
{
	if (old->count == 1 && new->count == 1) {
		pair(c, &old->list[0], &new->list[0], spot);
		return;
	}
	if (old->count > LEFT_MAX || new->count > LEFT_MAX)
		return;
	for (size_t i = 0; i < old->count; i++) {
		struct alternative *other = find_alike(c, &old->list[i], new);
		if (other)
			pair(c, &old->list[i], other, spot);
	}
}

static void tell_left(struct comparison *c, const struct alternatives *all, enum effect effect,
	const char *what, struct spot spot)
{
	for (size_t i = 0; i < all->count; i++) {
		const struct alternative *one = &all->list[i];
		comparison_tell(c, spot_item(c, spot, one->index), effect, "%s%s%.200s", what,
			*one->name ? ": " : "", one->name);
	}
}

static bool is_list(const cJSON *value)
{
	return !value || cJSON_IsArray(value);
}

void compare_alternatives(
	struct comparison *c, const struct rule *rule, const struct sides *sides, struct spot spot)
{
	bool all_of = strcmp(rule->keyword, "allOf") == 0;
	if (!is_list(sides->old) || !is_list(sides->new)) {
		compare_exact(c, rule, sides, spot);
		return;
	}
	struct alternatives old = collect(c, sides->in_old, sides->old, all_of);
	struct alternatives new = collect(c, sides->in_new, sides->new, all_of);
	sort_by_print(c, &old, &new);
	pair_equal(c, &old, &new, by_print_name, false, spot);
	pair_equal(c, &old, &new, by_print, false, spot);
	drop_paired(&old);
	drop_paired(&new);
	qsort(old.list, old.count, sizeof *old.list, by_name);
	qsort(new.list, new.count, sizeof *new.list, by_name);
	pair_equal(c, &old, &new, by_name, true, spot);
	drop_paired(&old);
	drop_paired(&new);
	pair_alike(c, &old, &new, spot);
	drop_paired(&old);
	drop_paired(&new);
	/* A list that goes as a whole allows more, whatever it was. */
	bool one_of = !all_of;
	enum effect removed = one_of && !sides->new ? EFFECT_WIDENED : rule->removed;
	enum effect added = one_of && !sides->old ? EFFECT_NARROWED : rule->added;
	tell_left(c, &old, removed, "removed", spot);
	tell_left(c, &new, added, "added", spot);
}
