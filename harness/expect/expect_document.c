#include "expect/expect_rows.h"

#include <string.h>

#include "base/buf.h"
#include "expect/matcher.h"
#include "openapi/compare.h"

enum { TOLD_MAX = 20 };

static const char *const CLASSES[] = { "breaking", "additive", "documentation", NULL };
static const struct shape class_shape = { .kind = SHAPE_STRING,
	.name = "\"breaking\", \"additive\" or \"documentation\"",
	.words = CLASSES };
static const struct shape classes_shape = { .kind = SHAPE_LIST,
	.name = "a list of classes of changes",
	.items = &class_shape,
	.min_items = 1 };

static bool is_file(const char *text, struct err *err)
{
	if (strncmp(text, "file:", 5) == 0 || strncmp(text, "root:", 5) == 0)
		return true;
	err_set(err, RC_INVALID, "",
		"expected a file such as \"file:openapi.accepted.json\", found \"%s\"", text);
	return false;
}

static const struct shape file_shape = { .kind = SHAPE_STRING,
	.name = "a file such as \"file:openapi.accepted.json\"",
	.valid = is_file };
static const struct shape document_shape = { .kind = SHAPE_OBJECT,
	.name = "the accepted document, such as {\"same_as\": \"file:openapi.accepted.json\"}",
	.keys = (const struct shape_key[]){
		{ "same_as", &file_shape, "the accepted document", true },
		{ "allow", &classes_shape, "classes of changes that are no finding", false },
		{ 0 },
	} };

static bool is_allowed(const cJSON *value, const struct change *change)
{
	const cJSON *word;
	cJSON_ArrayForEach (word, json_get(value, "allow"))
		if (strcmp(word->valuestring, change_class_name(change->class)) == 0)
			return true;
	return false;
}

/* The accepted document is the case's own: what is wrong with it is an error, not a finding. */
static struct document *read_accepted(struct judgement *j, const cJSON *value, const char *pointer)
{
	struct err err = { 0 };
	struct document *document = NULL;
	struct buf text;
	const char *reference = json_text(value, "same_as"), *path = NULL;
	if (j->world)
		path = j->world->path(j->world->self, reference, j->arena, &err);
	if (!path) {
		judge_error(j, pointer, "%s: %s", reference, err.text);
		return NULL;
	}
	buf_init(&text, DOCUMENT_MAX_BYTES + 1);
	enum rc rc = buf_read_file(&text, path, &err);
	if (rc == RC_OK)
		rc = document_read(buf_slice(&text), path, &document, &err);
	if (rc != RC_OK)
		judge_error(j, pointer, "%s: %s", reference, err.text);
	buf_release(&text);
	return document;
}

/* As many findings as there are changes, up to a number that people read. */
static void tell(
	struct judgement *j, const struct changes *changes, const cJSON *value, const char *pointer)
{
	size_t told = 0, left = 0;
	for (size_t i = 0; i < changes->count; i++) {
		const struct change *change = &changes->list[i];
		if (is_allowed(value, change))
			continue;
		if (told++ < TOLD_MAX)
			judge_check(j, false, pointer, "document", "as accepted",
				arena_print(j->arena, "%s %s (%s)", change->where, change->what,
					change_class_name(change->class)));
		else
			left++;
	}
	if (left)
		judge_finding(j, pointer, "document", "as accepted",
			arena_print(j->arena, "%zu more change%s", left, left == 1 ? "" : "s"));
	if (!told)
		judge_check(j, true, pointer, "document", "as accepted", "as accepted");
}

static void check(
	const struct expectation *row, struct judgement *j, const cJSON *value, const char *pointer)
{
	struct changes changes;
	struct document *accepted = read_accepted(j, value, pointer);
	if (!accepted)
		return;
	if (!j->document) {
		judge_check(j, false, pointer, row->name, "as accepted", "absent");
	} else {
		compare_documents(accepted, j->document, &changes);
		tell(j, &changes, value, pointer);
		changes_release(&changes);
	}
	document_free(accepted);
}

const struct expectation expect_document = {
	.name = "document",
	.shape = &document_shape,
	.help = "The served document is the accepted one, to any depth: a finding for each change that is not of a class in `allow`",
	.source = "OpenAPI 3.1",
	.subjects = EXPECT_OPENAPI,
	.selftest = "openapi",
	.check = check,
};
