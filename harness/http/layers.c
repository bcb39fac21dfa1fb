#include "http/layers.h"

#include "http/limits.h"

#include <stdlib.h>

void layers_init(struct layers *layers, struct arena *arena, size_t kept_bytes)
{
	*layers = (struct layers){ .arena = arena };
	for (size_t i = 0; i < LAYER_COUNT; i++) {
		buf_init(&layers->stores[i].bytes, kept_bytes);
		digest_init(&layers->stores[i].digest);
	}
}

void layers_release(struct layers *layers)
{
	coding_free(layers->coding);
	for (size_t i = 0; i < LAYER_COUNT; i++) {
		buf_release(&layers->stores[i].bytes);
		digest_release(&layers->stores[i].digest);
	}
	*layers = (struct layers){ 0 };
}

/* Keeps the start of a layer that has grown past the cap. */
static void cut(struct buf *buf, struct slice more)
{
	struct buf start;
	buf_init(&start, HTTP_KEPT_START_BYTES);
	struct slice kept = slice_part(buf_slice(buf), 0, HTTP_KEPT_START_BYTES);
	if (buf_append(&start, kept) != RC_OK ||
		buf_append(&start, slice_part(more, 0, HTTP_KEPT_START_BYTES - kept.len)) != RC_OK)
		BUG("the start of a layer is longer than its cap");
	buf_release(buf);
	*buf = start;
}

static void store(struct layer_store *store, struct slice bytes)
{
	store->length += bytes.len;
	digest_push(&store->digest, bytes);
	if (store->over || buf_append(&store->bytes, bytes) == RC_OK)
		return;
	store->over = true;
	cut(&store->bytes, bytes);
}

static void give_decoded(void *self, struct slice bytes)
{
	struct layers *layers = self;
	store(&layers->stores[LAYER_DECODED], bytes);
}

static void end_coding(struct layers *layers)
{
	coding_free(layers->coding);
	layers->coding = NULL;
}

void layers_begin(struct layers *layers, bool chunked, const char *coding)
{
	layers->chunked = chunked;
	if (!coding)
		return;
	layers->coding = coding_new(coding, give_decoded, layers, &layers->err);
	layers->coded = layers->coding != NULL;
	layers->rc = layers->coding ? RC_OK : RC_INVALID;
}

void layers_wire(struct layers *layers, struct slice bytes)
{
	store(&layers->stores[LAYER_WIRE], bytes);
}

void layers_content(struct layers *layers, struct slice bytes)
{
	if (layers->chunked)
		store(&layers->stores[LAYER_DECHUNKED], bytes);
	if (!layers->coding)
		return;
	layers->rc = coding_push(layers->coding, bytes, &layers->err);
	if (layers->rc != RC_OK)
		end_coding(layers);
}

static void release_digest(void *digest)
{
	digest_release(digest);
}

static struct layer take(struct layers *layers, enum layer_name name)
{
	struct layer_store *from = &layers->stores[name];
	digest_end(&from->digest);
	struct layer layer = {
		.bytes = from->length,
		.kept = buf_slice(&from->bytes),
		.whole = !from->over,
		.digest = from->digest,
	};
	struct digest *owned = arena_alloc(layers->arena, 1, sizeof *owned);
	*owned = from->digest;
	arena_defer(layers->arena, release_digest, owned);
	if (from->bytes.data)
		arena_defer(layers->arena, free, from->bytes.data);
	buf_init(&from->bytes, from->bytes.max);
	digest_init(&from->digest);
	return layer;
}

void layers_end(struct layers *layers, bool complete, struct layer *out)
{
	if (layers->coding && complete)
		layers->rc = coding_end(layers->coding, &layers->err);
	end_coding(layers);
	out[LAYER_WIRE] = take(layers, LAYER_WIRE);
	out[LAYER_DECHUNKED] = layers->chunked ? take(layers, LAYER_DECHUNKED) : out[LAYER_WIRE];
	out[LAYER_DECODED] = layers->coded ? take(layers, LAYER_DECODED) : out[LAYER_DECHUNKED];
}

const char *layers_error(const struct layers *layers)
{
	return layers->rc == RC_OK ? NULL : arena_text(layers->arena, layers->err.text);
}
