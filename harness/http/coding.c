#include "http/coding_kind.h"
#include "http/limits.h"

#include <stdlib.h>
#include <string.h>

static const struct coding_kind *const table[] = {
	&coding_gzip,
	&coding_deflate,
	&coding_brotli,
	&coding_zstd,
	NULL,
};

struct coding_stage {
	struct coding *coding;
	const struct coding_kind *kind;
	void *state;
	uint8_t *out;
	uint64_t read_bytes, given_bytes;
};

struct coding {
	/* In the order of decoding: the coding named last was applied last. */
	struct coding_stage stages[CODING_CHAIN_MAX];
	size_t count;
	void (*give)(void *self, struct slice bytes);
	void *self;
};

static const struct coding_kind *find(struct slice name)
{
	for (size_t i = 0; table[i]; i++)
		if (slice_is_nocase(name, table[i]->name) ||
			(table[i]->alias && slice_is_nocase(name, table[i]->alias)))
			return table[i];
	return NULL;
}

static enum rc add(struct coding *coding, struct slice name, struct err *err)
{
	if (!name.len || slice_is_nocase(name, "identity"))
		return RC_OK;
	const struct coding_kind *kind = find(name);
	if (!kind)
		return err_set(err, RC_INVALID, "", "\"%.*s\" is no coding that onus knows",
			SLICE_PRINT(name));
	if (coding->count == CODING_CHAIN_MAX)
		return err_set(err, RC_LIMIT, "", "more than %d codings", CODING_CHAIN_MAX);
	memmove(coding->stages + 1, coding->stages, coding->count * sizeof *coding->stages);
	coding->count++;
	coding->stages[0] = (struct coding_stage){
		.coding = coding,
		.kind = kind,
		.state = kind->open(),
		.out = mem_alloc(1, CODING_OUT_BYTES),
	};
	return RC_OK;
}

struct coding *coding_new(const char *codings, void (*give)(void *self, struct slice bytes),
	void *self, struct err *err)
{
	struct coding *coding = mem_alloc(1, sizeof *coding);
	struct slice rest = slice_of(codings), name;
	coding->give = give;
	coding->self = self;
	while (slice_next(&rest, ',', &name)) {
		if (add(coding, slice_trim(name), err) != RC_OK) {
			coding_free(coding);
			return NULL;
		}
	}
	return coding;
}

void coding_free(struct coding *coding)
{
	if (!coding)
		return;
	for (size_t i = 0; i < coding->count; i++) {
		coding->stages[i].kind->close(coding->stages[i].state);
		free(coding->stages[i].out);
	}
	free(coding);
}

void coding_consumed(struct coding_stage *stage, size_t bytes)
{
	stage->read_bytes += bytes;
}

static enum rc push_from(struct coding *coding, size_t at, struct slice bytes, struct err *err)
{
	if (at == coding->count) {
		coding->give(coding->self, bytes);
		return RC_OK;
	}
	struct coding_stage *stage = &coding->stages[at];
	return stage->kind->push(stage->state, stage, bytes, stage->out, err);
}

enum rc coding_give(struct coding_stage *stage, struct slice bytes, struct err *err)
{
	struct coding *coding = stage->coding;
	uint64_t coded = coding->stages[0].read_bytes;
	if (!bytes.len)
		return RC_OK;
	stage->given_bytes += bytes.len;
	if (stage->given_bytes > HTTP_DECODED_MAX_BYTES ||
		(stage->given_bytes > HTTP_DECODED_FREE_BYTES &&
			stage->given_bytes / HTTP_DECODED_MAX_RATIO > coded))
		return err_set(err, RC_LIMIT, "",
			"a decompression bomb: %llu bytes decode to %llu and more",
			(unsigned long long)coded, (unsigned long long)stage->given_bytes);
	return push_from(coding, (size_t)(stage - coding->stages) + 1, bytes, err);
}

enum rc coding_push(struct coding *coding, struct slice bytes, struct err *err)
{
	return bytes.len ? push_from(coding, 0, bytes, err) : RC_OK;
}

enum rc coding_end(struct coding *coding, struct err *err)
{
	for (size_t i = 0; i < coding->count; i++) {
		struct coding_stage *stage = &coding->stages[i];
		enum rc rc = stage->kind->end(stage->state, err);
		if (rc != RC_OK)
			return rc;
	}
	return RC_OK;
}

const char *coding_magic(struct slice bytes)
{
	static const struct {
		const char *name;
		uint8_t magic[4];
		size_t len;
	} magics[] = {
		{ "gzip", { 0x1f, 0x8b, 0x08 }, 3 },
		{ "zstd", { 0x28, 0xb5, 0x2f, 0xfd }, 4 },
		/* 78 5e is left out: it is the text "x^", while the others can't begin UTF-8 text. */
		{ "zlib", { 0x78, 0x01 }, 2 },
		{ "zlib", { 0x78, 0x9c }, 2 },
		{ "zlib", { 0x78, 0xda }, 2 },
	};
	for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
		if (bytes.len >= magics[i].len &&
			memcmp(bytes.ptr, magics[i].magic, magics[i].len) == 0)
			return magics[i].name;
	return NULL;
}
