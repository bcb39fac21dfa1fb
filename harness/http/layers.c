#include "http/layers.h"

#include "http/limits.h"

#include <stdlib.h>

void layers_init(struct layers *layers, struct arena *arena, size_t kept_bytes)
{
	*layers = (struct layers){ .arena = arena };
	for (size_t i = 0; i < LAYER_COUNT; i++)
		buf_init(&layers->stores[i].bytes, kept_bytes);
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

/* While all is kept the digest can wait until the end: its state is larger than what most event streams bring. */
static void begin_digest(struct layer_store *store)
{
	digest_init(&store->digest);
	digest_push(&store->digest, buf_slice(&store->bytes));
}

static void store(struct layer_store *store, struct slice bytes)
{
	store->length += bytes.len;
	if (!store->over && buf_append(&store->bytes, bytes) == RC_OK)
		return;
	if (!store->over) {
		begin_digest(store);
		cut(&store->bytes, bytes);
	}
	store->over = true;
	digest_push(&store->digest, bytes);
}

static void give_decoded(void *self, struct slice bytes)
{
	struct layers *layers = self;
	store(&layers->stores[LAYER_DECODED], bytes);
	if (layers->watch)
		layers->watch(layers->watcher, bytes);
}

static void end_coding(struct layers *layers)
{
	coding_free(layers->coding);
	layers->coding = NULL;
}

static void settle(struct layers *layers, enum rc rc, const struct err *err)
{
	layers->rc = rc;
	layers->error = rc == RC_OK ? NULL : arena_text(layers->arena, err->text);
}

void layers_begin(struct layers *layers, bool chunked, const char *coding)
{
	layers->chunked = chunked;
	if (!coding)
		return;
	struct err err = { 0 };
	layers->coding = coding_new(coding, give_decoded, layers, &err);
	layers->coded = layers->coding != NULL;
	settle(layers, layers->coding ? RC_OK : RC_INVALID, &err);
}

void layers_wire(struct layers *layers, struct slice bytes)
{
	store(&layers->stores[LAYER_WIRE], bytes);
}

void layers_content(struct layers *layers, struct slice bytes)
{
	if (layers->chunked)
		store(&layers->stores[LAYER_DECHUNKED], bytes);
	if (!layers->coded && layers->watch)
		layers->watch(layers->watcher, bytes);
	if (!layers->coding)
		return;
	struct err err = { 0 };
	settle(layers, coding_push(layers->coding, bytes, &err), &err);
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
	if (!from->over)
		begin_digest(from);
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
	from->digest = (struct digest){ 0 };
	return layer;
}

void layers_end(struct layers *layers, bool complete, struct layer *out)
{
	struct err err = { 0 };
	if (layers->coding && complete)
		settle(layers, coding_end(layers->coding, &err), &err);
	end_coding(layers);
	out[LAYER_WIRE] = take(layers, LAYER_WIRE);
	out[LAYER_DECHUNKED] = layers->chunked ? take(layers, LAYER_DECHUNKED) : out[LAYER_WIRE];
	out[LAYER_DECODED] = layers->coded ? take(layers, LAYER_DECODED) : out[LAYER_DECHUNKED];
}

const char *layers_error(const struct layers *layers)
{
	return layers->error;
}
