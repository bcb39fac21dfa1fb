#include "http/load_result.h"

#include "http/client.h"

#include <stdlib.h>

static const char *const names[LOAD_HIST_COUNT] = {
	[LOAD_RESPONSE] = "response",
	[LOAD_SERVICE] = "service",
	[LOAD_SEND_LAG] = "send_lag",
	[LOAD_FIRST] = "first",
	[LOAD_DNS] = "dns",
	[LOAD_CONNECT] = "connect",
	[LOAD_TLS_TIME] = "tls",
	[LOAD_FIRST_BYTE] = "first_byte",
	[LOAD_LAST_BYTE] = "last_byte",
};

const char *load_hist_name(enum load_hist which)
{
	return names[which];
}

struct load_result *load_result_new(void)
{
	struct load_result *result = mem_alloc(1, sizeof *result);
	for (size_t i = 0; i < LOAD_HIST_COUNT; i++)
		result->hists[i] = hist_new();
	result->libcurl = http_libcurl_version();
	return result;
}

void load_result_free(struct load_result *result)
{
	if (!result)
		return;
	for (size_t i = 0; i < LOAD_HIST_COUNT; i++)
		hist_free(result->hists[i]);
	free(result->kinds);
	free(result->threads);
	free(result->seconds);
	free(result);
}

static void add_counts(struct load_counts *into, const struct load_counts *from)
{
	into->sent += from->sent;
	into->answered += from->answered;
	into->unanswered += from->unanswered;
	for (size_t i = 0; i < LOAD_FAILURE_COUNT; i++)
		into->failed[i] += from->failed[i];
	for (size_t i = 0; i < sizeof into->statuses / sizeof *into->statuses; i++)
		into->statuses[i] += from->statuses[i];
	into->unexpected_statuses += from->unexpected_statuses;
	into->unexpected_codings += from->unexpected_codings;
	into->undecodable += from->undecodable;
	into->coded += from->coded;
	into->wire_bytes += from->wire_bytes;
	into->decoded_bytes += from->decoded_bytes;
}

static void add_kinds(struct load_result *into, const struct load_result *from)
{
	if (from->kind_count > into->kind_count) {
		into->kinds = mem_grow(into->kinds, from->kind_count, sizeof *into->kinds);
		for (size_t i = into->kind_count; i < from->kind_count; i++)
			into->kinds[i] = (struct load_kind){ 0 };
		into->kind_count = from->kind_count;
	}
	for (size_t i = 0; i < from->kind_count; i++) {
		into->kinds[i].answered += from->kinds[i].answered;
		into->kinds[i].unexpected_statuses += from->kinds[i].unexpected_statuses;
		into->kinds[i].unexpected_codings += from->kinds[i].unexpected_codings;
	}
}

static void add_threads(struct load_result *into, const struct load_result *from)
{
	size_t count = into->thread_count + from->thread_count;
	into->threads = mem_grow(into->threads, count, sizeof *into->threads);
	for (size_t i = 0; i < from->thread_count; i++)
		into->threads[into->thread_count + i] = from->threads[i];
	into->thread_count = count;
}

void load_result_add(struct load_result *into, const struct load_result *from)
{
	add_counts(&into->all, &from->all);
	add_counts(&into->measured, &from->measured);
	for (size_t i = 0; i < LOAD_HIST_COUNT; i++)
		hist_add(into->hists[i], from->hists[i]);
	into->censored += from->censored;
	into->bound_hits += from->bound_hits;
	into->bound_hits_own += from->bound_hits_own;
	into->unsent += from->unsent;
	into->resent += from->resent;
	into->connections_opened += from->connections_opened;
	into->connections_ended_by_server += from->connections_ended_by_server;
	into->in_flight_max += from->in_flight_max;
	into->partial = into->partial || from->partial;
	if (from->ran_ns > into->ran_ns)
		into->ran_ns = from->ran_ns;
	if (from->measured_ns > into->measured_ns)
		into->measured_ns = from->measured_ns;
	add_kinds(into, from);
	if (from->thread_count)
		add_threads(into, from);
}

uint64_t load_counts_failed(const struct load_counts *counts)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < LOAD_FAILURE_COUNT; i++)
		sum += counts->failed[i];
	return sum;
}

bool load_counts_add_up(const struct load_counts *counts)
{
	return counts->sent == counts->answered + load_counts_failed(counts) + counts->unanswered;
}
