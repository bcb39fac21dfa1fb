#include "openapi/reference.h"

#include <stdlib.h>
#include <string.h>

#include "openapi/document.h"
#include "openapi/members.h"
#include "openapi/trail.h"

enum { SMALL = 16, SEGMENT_BYTES = 4096 };

/* Where members of an object are names that the document chose, not keywords. */
static const char *const NAME_MAPS[] = { "properties", "patternProperties", "$defs", "definitions",
	"dependentSchemas", "paths", "webhooks", "responses", "content", "headers", "callbacks",
	"schemas", "parameters", "examples", "requestBodies", "securitySchemes", "links",
	"pathItems", "encoding", "variables", NULL };

/* What stands there is data. */
static const char *const LITERALS[] = { "enum", "const", "default", "example", "value", "mapping",
	"scopes", NULL };

static bool among(const char *const *words, const char *word)
{
	for (; *words; words++)
		if (strcmp(*words, word) == 0)
			return true;
	return false;
}

/* Members by name; items of a list by position. */
static const struct members *index_of(struct references *references, const cJSON *container)
{
	union node_word *word = nodes_put(&references->lists, container, NULL, 0);
	if (word->pointer)
		return word->pointer;
	struct members *index = arena_alloc(references->arena, 1, sizeof *index);
	word->pointer = index;
	if (cJSON_IsObject(container)) {
		members_init(index, container, references->arena);
		return index;
	}
	size_t count = (size_t)cJSON_GetArraySize(container);
	index->list = arena_alloc(references->arena, count + 1, sizeof(void *));
	for (const cJSON *item = container->child; item; item = item->next)
		index->list[index->count++] = item;
	return index;
}

static const cJSON *child_of(
	struct references *references, const cJSON *container, const char *name)
{
	uint64_t wanted = 0, at = 0;
	bool list = cJSON_IsArray(container);
	if (!list && !cJSON_IsObject(container))
		return NULL;
	bool number = slice_number(slice_of(name), INT32_MAX, &wanted);
	if (list && (!number || (name[0] == '0' && name[1])))
		return NULL;
	const cJSON *child = container->child;
	for (; child && at < SMALL; child = child->next, at++)
		if (list ? at == wanted : strcmp(child->string, name) == 0)
			return child;
	if (!child)
		return NULL;
	const struct members *index = index_of(references, container);
	if (list)
		return wanted < index->count ? index->list[wanted] : NULL;
	return members_find(index, name);
}

static int hex(char c)
{
	static const char DIGITS[] = "0123456789abcdef";
	const char *at = c ? strchr(DIGITS, c | 0x20) : NULL;
	return at && *at ? (int)(at - DIGITS) : -1;
}

/* A byte of a URI, %xx decoded (RFC 3986, section 2.1), *at moved to its last character; 0 where it is none. */
static char decoded(const char **at)
{
	if (**at != '%')
		return **at;
	int high = hex((*at)[1]), low = high < 0 ? -1 : hex((*at)[2]);
	if (low < 0)
		return 0;
	*at += 2;
	return (char)(high * 16 + low);
}

/* ~0 and ~1 in place (RFC 6901, section 4); false for another ~. */
static bool unescape(char *text)
{
	char *to = text;
	for (const char *from = text; *from; from++) {
		char c = *from;
		if (c == '~') {
			from++;
			if (*from != '0' && *from != '1')
				return false;
			c = *from == '1' ? '/' : '~';
		}
		*to++ = c;
	}
	*to = 0;
	return true;
}

/* The next segment; false where it doesn't fit or is none. */
static bool next_segment(const char **at, char *text, size_t size)
{
	size_t len = 0;
	for ((*at)++; **at && **at != '/'; (*at)++) {
		char c = decoded(at);
		if (c == 0 || len + 1 >= size)
			return false;
		text[len++] = c;
	}
	text[len] = 0;
	return unescape(text);
}

const cJSON *references_find(struct references *references, const char *reference)
{
	char segment[SEGMENT_BYTES];
	const cJSON *at = references->root;
	if (*reference != '#' || (reference[1] && reference[1] != '/'))
		return NULL;
	for (const char *rest = reference + 1; at && *rest;) {
		if (!next_segment(&rest, segment, sizeof segment))
			return NULL;
		at = child_of(references, at, segment);
	}
	return at;
}

const cJSON *references_target(const struct references *references, const cJSON *object)
{
	/* Most objects have none: their members are at hand, a look into the table costs more. */
	const cJSON *member = object->child;
	while (member && (!member->string || strcmp(member->string, "$ref") != 0))
		member = member->next;
	const union node_word *word =
		member ? nodes_find(&references->targets, object, NULL, 0) : NULL;
	return word ? word->pointer : NULL;
}

struct walk {
	struct references *references;
	struct err *err;
	bool check; /* the second pass: no new $ref, but chains */
};

static enum rc refuse(const struct trail *at, struct err *err, const char *what, const char *found)
{
	char where[512];
	trail_print(at, where, sizeof where);
	return err_set(err, RC_INVALID, NULL, "%s/$ref: expected %s, found \"%.200s\"", where, what,
		found);
}

static enum rc follow(
	struct walk *walk, const cJSON *object, const char *text, const struct trail *at)
{
	static const char INTO[] =
		"a reference into this document such as \"#/components/schemas/Name\"";
	if (!walk->check) {
		const cJSON *target = references_find(walk->references, text);
		if (*text != '#' || (text[1] && text[1] != '/'))
			return refuse(at, walk->err, INTO, text);
		if (!target)
			return refuse(at, walk->err,
				"the place of a value in this document, nothing is there", text);
		nodes_put(&walk->references->targets, object, NULL, 0)->pointer = target;
		return RC_OK;
	}
	const cJSON *end = object;
	for (int i = 0; end && i <= DOCUMENT_REFERENCES; i++) {
		end = references_target(walk->references, end);
		if (end == object)
			return refuse(
				at, walk->err, "a value in the end, it leads back to itself", text);
	}
	if (end)
		return refuse(at, walk->err, "a value within 32 references", text);
	return RC_OK;
}

/* names: the members of this object are names. Depth is the parser's, JSON_DEPTH. */
static enum rc walk_value(struct walk *walk, const cJSON *value, bool names, const struct trail *up)
{
	const char *text = names ? NULL : json_text(value, "$ref");
	enum rc rc = text ? follow(walk, value, text, up) : RC_OK;
	bool list = cJSON_IsArray(value);
	size_t index = 0;
	for (const cJSON *child = value->child; child && rc == RC_OK;
		child = child->next, index++) {
		struct trail at = { up, TRAIL_MEMBER, child->string, index };
		if (!cJSON_IsObject(child) && !cJSON_IsArray(child))
			continue;
		if (list || names) {
			rc = walk_value(walk, child, false, &at);
			continue;
		}
		/* A schema's examples are a list of data, elsewhere they are named objects. */
		bool data = among(LITERALS, child->string) ||
			    strncmp(child->string, "x-", 2) == 0 ||
			    (strcmp(child->string, "examples") == 0 && cJSON_IsArray(child));
		if (!data)
			rc = walk_value(walk, child,
				cJSON_IsObject(child) && among(NAME_MAPS, child->string), &at);
	}
	return rc;
}

enum rc references_init(
	struct references *references, const cJSON *root, struct arena *arena, struct err *err)
{
	*references = (struct references){ .root = root, .arena = arena };
	struct walk walk = { .references = references, .err = err };
	enum rc rc = walk_value(&walk, root, false, NULL);
	walk.check = true;
	if (rc == RC_OK)
		rc = walk_value(&walk, root, false, NULL);
	return rc;
}

void references_release(struct references *references)
{
	nodes_release(&references->targets);
	nodes_release(&references->lists);
}
