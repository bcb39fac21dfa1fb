#include "expect/operator.h"

#include "base/buf.h"
#include "expect/difference.h"
#include "expect/list_difference.h"

enum { FILE_MAX_BYTES = 64 * 1024 * 1024, DIFFERENCES_TOLD = 5 };

static bool is_file(const char *reference)
{
	return slice_starts(slice_of(reference), "root:") ||
	       slice_starts(slice_of(reference), "file:");
}

static bool step_name_valid(const char *text, struct err *err)
{
	if (!is_file(text) && text[0])
		return true;
	err_set(err, RC_INVALID, "", "expected the name of an earlier step, found \"%s\"", text);
	return false;
}

static const struct shape reference_shape = {
	.kind = SHAPE_STRING,
	.name = "an earlier step's name, \"root:PATH\" or \"file:PATH\"",
};
static const struct shape step_name_shape = {
	.kind = SHAPE_STRING,
	.name = "an earlier step's name",
	.valid = step_name_valid,
};
static const struct shape name_shape = { .kind = SHAPE_STRING, .name = "a header's name" };
static const struct shape names_shape = {
	.kind = SHAPE_LIST,
	.name = "a list of header names",
	.items = &name_shape,
};

/* NULL with an error where there is no such exchange. */
static const struct exchange *other_exchange(const struct matching *m, const char *name)
{
	const struct judge_world *world = m->j->world;
	const struct exchange *other = world ? world->named(world->self, name) : NULL;
	if (!other)
		judge_error(m->j, m->pointer,
			"same_as: expected the name of an earlier step that has run, found \"%s\"",
			name);
	return other;
}

static const char *other_path(const struct matching *m, const char *reference)
{
	const struct judge_world *world = m->j->world;
	struct err err = { .text = "no files here" };
	const char *path = world ? world->path(world->self, reference, m->j->arena, &err) : NULL;
	if (!path)
		judge_error(m->j, m->pointer, "same_as \"%s\": %s", reference, err.text);
	return path;
}

static const char *same_words(const struct matching *m, const cJSON *argument)
{
	return arena_print(m->j->arena, "same as %s", argument->valuestring);
}

/* A field: the one of the same name, or absent as it is there. */
static bool same_field(struct matching *m, const cJSON *argument)
{
	const struct exchange *other = other_exchange(m, argument->valuestring);
	if (!other)
		return false;
	struct subject theirs = subject_field(m->j, &other->headers, m->key);
	bool holds = theirs.kind == m->subject.kind && slice_equal(theirs.bytes, m->subject.bytes);
	if (!holds)
		m->found = arena_print(m->j->arena, "%s, and there %s",
			subject_words(m->j, &m->subject), subject_words(m->j, &theirs));
	return holds;
}

static bool told_same(struct matching *m, const struct difference *difference,
	const struct side *mine, const struct side *theirs)
{
	if (difference->differs)
		m->found = arena_print(m->j->arena, "%s; there %s",
			difference_words(m->j, difference, mine),
			difference_words(m->j, difference, theirs));
	return !difference->differs;
}

static bool same_as_file(struct matching *m, const char *reference, const struct side *mine)
{
	const char *path = other_path(m, reference);
	struct digest digest;
	struct side theirs;
	struct err err;
	bool holds = false;
	if (!path)
		return false;
	if (side_of_file(path, &digest, &theirs, &err) != RC_OK) {
		judge_error(
			m->j, m->pointer, "same_as \"%s\": %s: %s", reference, err.where, err.text);
		goto release;
	}
	struct difference difference = difference_find(mine, &theirs);
	if (difference.differs &&
		side_read(&theirs, path, difference.at, m->j->arena, &err) == RC_OK)
		difference_refine(&difference, mine, &theirs);
	holds = told_same(m, &difference, mine, &theirs);
release:
	digest_release(&digest);
	return holds;
}

/* A body: the same layer of another answer, or a file. */
static bool same_body(struct matching *m, const cJSON *argument)
{
	struct side mine = side_of_layer(&m->j->exchange->layers[m->layer]);
	if (is_file(argument->valuestring))
		return same_as_file(m, argument->valuestring, &mine);
	const struct exchange *other = other_exchange(m, argument->valuestring);
	if (!other)
		return false;
	struct side theirs = side_of_layer(&other->layers[m->layer]);
	struct difference difference = difference_find(&mine, &theirs);
	return told_same(m, &difference, &mine, &theirs);
}

/* The JSON of another step's body or of a file; NULL with an error. The caller frees it. */
static cJSON *other_json(const struct matching *m, const char *reference)
{
	struct buf file;
	struct err err = { .text = "" };
	struct slice text = slice_from(NULL, 0);
	cJSON *root = NULL;
	buf_init(&file, FILE_MAX_BYTES);
	if (is_file(reference)) {
		const char *path = other_path(m, reference);
		if (path && buf_read_file(&file, path, &err) == RC_OK)
			text = buf_slice(&file);
	} else {
		const struct exchange *other = other_exchange(m, reference);
		const struct layer *body = other ? &other->layers[LAYER_DECODED] : NULL;
		if (body && body->whole)
			text = body->kept;
		else if (body)
			(void)!err_set(&err, RC_LIMIT, "",
				"its body of %llu bytes is too long to be read as JSON",
				(unsigned long long)body->bytes);
	}
	if (text.ptr)
		root = json_parse(text, &err);
	if (!root)
		judge_error(m->j, m->pointer, "same_as \"%s\": %s", reference,
			err.text[0] ? err.text : "there is no JSON");
	buf_release(&file);
	return root;
}

/* JSON: what stands at the same pointer there, or absent as it is there. */
static bool same_json(struct matching *m, const cJSON *argument)
{
	cJSON *root = other_json(m, argument->valuestring);
	if (!root)
		return false;
	bool owned;
	cJSON *found = json_pointer(root, m->key, true, &owned);
	bool holds = m->subject.kind == SUBJECT_ABSENT
			     ? !found
			     : found && json_equal(found, m->subject.json);
	struct subject theirs = subject_json(found);
	if (!holds && cJSON_IsArray(m->subject.json) && cJSON_IsArray(found)) {
		struct list_difference difference = list_difference_find(found, m->subject.json);
		m->found = list_difference_words(m->j, &difference);
	} else if (!holds) {
		m->found = arena_print(m->j->arena, "%s, and there %s",
			subject_words(m->j, &m->subject), subject_words(m->j, &theirs));
	}
	if (owned)
		cJSON_Delete(found);
	cJSON_Delete(root);
	return holds;
}

/* Collects the first few fields that two answers differ in. */
struct contrast {
	struct matching *m;
	const char *words;
	size_t count;
};

static bool is_listed(const struct matching *m, const char *option, struct slice name)
{
	const cJSON *list = json_get(m->matcher, option);
	for (const cJSON *item = list ? list->child : NULL; item; item = item->next)
		if (slice_is_nocase(name, item->valuestring))
			return true;
	return false;
}

static void contrast_add(struct contrast *contrast, const char *name, const struct subject *here,
	const struct subject *there)
{
	struct judgement *j = contrast->m->j;
	contrast->count++;
	contrast->words = arena_print(j->arena, "%s%s%s: %s, and there %s", contrast->words,
		contrast->words[0] ? "; " : "", name, subject_words(j, here),
		subject_words(j, there));
}

/* One line of either answer; a field is looked at where its first line stands. */
static void contrast_field(struct contrast *contrast, const struct headers *of, size_t index,
	const struct exchange *other, bool missing_only)
{
	struct matching *m = contrast->m;
	struct slice name = of->list[index].name;
	for (size_t i = 0; i < index; i++)
		if (slice_equal_nocase(of->list[i].name, name))
			return;
	if (is_listed(m, "except", name))
		return;
	const char *text = arena_slice(m->j->arena, name);
	struct subject here = subject_field(m->j, m->subject.fields, text);
	struct subject there = subject_field(m->j, &other->headers, text);
	if (missing_only && here.kind != SUBJECT_ABSENT)
		return;
	if (here.kind == SUBJECT_ABSENT && is_listed(m, "may_lack", name))
		return;
	if (here.kind != there.kind || !slice_equal(here.bytes, there.bytes))
		contrast_add(contrast, text, &here, &there);
}

static bool same_fields(struct matching *m, const cJSON *argument)
{
	const struct exchange *other = other_exchange(m, argument->valuestring);
	if (!other)
		return false;
	struct contrast contrast = { .m = m, .words = "" };
	const struct headers *mine = m->subject.fields;
	for (size_t i = 0; i < mine->count && contrast.count < DIFFERENCES_TOLD; i++)
		contrast_field(&contrast, mine, i, other, false);
	for (size_t i = 0; i < other->headers.count && contrast.count < DIFFERENCES_TOLD; i++)
		contrast_field(&contrast, &other->headers, i, other, true);
	m->found = contrast.words;
	return contrast.count == 0;
}

static const char *option_words(
	const struct matching *m, const char *words, const char *option, const char *spoken)
{
	const cJSON *list = json_get(m->matcher, option);
	for (const cJSON *item = list ? list->child : NULL; item; item = item->next)
		words = arena_print(m->j->arena, "%s, %s %s", words, spoken, item->valuestring);
	return words;
}

static const char *fields_words(const struct matching *m, const cJSON *argument)
{
	const char *words = same_words(m, argument);
	words = option_words(m, words, "except", "except");
	return option_words(m, words, "may_lack", "may lack");
}

const struct operator_row operators_same[] = {
	{
		.key = { "same_as", &step_name_shape,
			"the field is what it was in the answer to an earlier step", false },
		.places = PLACE_HEADER,
		.takes_absent = true,
		.holds = same_field,
		.words = same_words,
	},
	{
		.key = { "same_as", &step_name_shape,
			"the fields, in any order, are those of the answer to an earlier step",
			true },
		.places = PLACE_FIELDS,
		.holds = same_fields,
		.words = fields_words,
	},
	{
		.key = { "same_as", &reference_shape,
			"byte for byte the body of an earlier step, or a file", false },
		.places = PLACE_BODY,
		.holds = same_body,
		.words = same_words,
	},
	{
		.key = { "same_as", &reference_shape,
			"the JSON at this pointer in an earlier step's body, or in a file", false },
		.places = PLACE_JSON,
		.takes_absent = true,
		.holds = same_json,
		.words = same_words,
	},
	{
		.key = { "except", &names_shape, "beside same_as: fields that may differ", false },
		.places = PLACE_FIELDS,
	},
	{
		.key = { "may_lack", &names_shape,
			"beside same_as: fields that may be absent, but not differ", false },
		.places = PLACE_FIELDS,
	},
	{ .key = { .name = NULL } },
};
