#include "drive/view.h"

#include <stdlib.h>
#include <string.h>

#include "base/units.h"

enum { BODY_MAX_BYTES = 1024 * 1024 };

static void add_quantity(cJSON *object, const char *name, enum unit unit, double value)
{
	char text[64];
	quantity_exact((struct quantity){ unit, value }, text, sizeof text);
	cJSON_AddStringToObject(object, name, text);
}

cJSON *view_bytes(const struct exchange *exchange)
{
	static const char *const NAMES[LAYER_COUNT] = { "wire", "dechunked", "decoded" };
	cJSON *bytes = cJSON_CreateObject();
	for (size_t i = 0; i < LAYER_COUNT; i++)
		add_quantity(bytes, NAMES[i], UNIT_BYTES, (double)exchange->layers[i].bytes);
	return bytes;
}

cJSON *view_time(const struct exchange *exchange)
{
	const struct timing *t = &exchange->timing;
	cJSON *time = cJSON_CreateObject();
	if (t->headers_ns)
		add_quantity(time, "headers", UNIT_NS, (double)(t->headers_ns - t->start_ns));
	if (t->first_byte_ns)
		add_quantity(time, "first_byte", UNIT_NS, (double)(t->first_byte_ns - t->start_ns));
	if (t->end_ns)
		add_quantity(time, "total", UNIT_NS, (double)(t->end_ns - t->start_ns));
	return time;
}

static cJSON *view_headers(const struct exchange *exchange)
{
	cJSON *headers = cJSON_CreateObject();
	for (size_t i = 0; i < exchange->headers.count; i++) {
		char *name = mem_print("%.*s", SLICE_PRINT(exchange->headers.list[i].name));
		if (!cJSON_GetObjectItem(headers, name))
			cJSON_AddStringToObject(headers, name, exchange_header(exchange, name));
		free(name);
	}
	return headers;
}

cJSON *view_exchange(const struct exchange *exchange)
{
	const struct layer *body = &exchange->layers[LAYER_DECODED];
	cJSON *view = cJSON_CreateObject();
	cJSON_AddNumberToObject(view, "status", exchange->status);
	cJSON_AddItemToObject(view, "headers", view_headers(exchange));
	cJSON_AddItemToObject(view, "bytes", view_bytes(exchange));
	cJSON_AddItemToObject(view, "time", view_time(exchange));
	if (exchange->last_event_id) {
		cJSON_AddNumberToObject(view, "events", (double)exchange->events);
		cJSON_AddStringToObject(view, "last_event_id", exchange->last_event_id);
	}
	if (body->whole && body->bytes <= BODY_MAX_BYTES &&
		slice_find_byte(body->kept, 0) == SIZE_MAX) {
		char *text = mem_print("%.*s", SLICE_PRINT(body->kept));
		cJSON_AddStringToObject(view, "body", text);
		free(text);
	}
	return view;
}

cJSON *view_measures(const struct measures *measures)
{
	cJSON *view = cJSON_CreateObject();
	for (size_t i = 0; i < measures->count; i++) {
		char text[64];
		quantity_exact(measures->list[i].quantity, text, sizeof text);
		json_put_dotted(view, measures->list[i].name, text);
	}
	return view;
}
