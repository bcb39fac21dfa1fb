#include "cli/connect.h"

#include <string.h>

#include "case/cells.h"

/* One of the options, and what the command line gave it. */
struct given {
	const char *name;
	const char *text; /* of one that takes a text */
	bool flag;        /* of one that takes none */
	bool of_tls, of_target;
};

enum { GIVEN_COUNT = 8 };

static void read_given(const struct options *o, struct given list[static GIVEN_COUNT])
{
	const struct given all[GIVEN_COUNT] = {
		{ .name = "--cacert", .text = o->cacert, .of_tls = true },
		{ .name = "--insecure", .flag = o->insecure, .of_tls = true },
		{ .name = "--cert", .text = o->certificate, .of_tls = true, .of_target = true },
		{ .name = "--key", .text = o->key, .of_tls = true, .of_target = true },
		{ .name = "--http2", .flag = o->http2, .of_target = true },
		{ .name = "--http2c", .flag = o->http2c, .of_target = true },
		{ .name = "--unix-socket", .text = o->unix_socket, .of_target = true },
		{ .name = "--proxy-protocol", .flag = o->proxy_protocol, .of_target = true },
	};
	memcpy(list, all, sizeof all);
}

static bool takes_resolve(const char *text)
{
	struct slice rest = slice_of(text), host, port, address;
	uint64_t number = 0;
	if (slice_starts(rest, "[")) {
		size_t end = slice_find(rest, slice_of("]:"));
		host = slice_part(rest, 0, end == SIZE_MAX ? 0 : end + 1);
		rest = slice_part(rest, host.len + 1, SIZE_MAX);
		if (!connection_is_address(host))
			return false;
	} else if (!slice_next(&rest, ':', &host) || !host.len) {
		return false;
	}
	if (!slice_next(&rest, ':', &port) || !slice_number(port, 65535, &number) || !number)
		return false;
	size_t count = 0;
	for (; slice_next(&rest, ',', &address); count++)
		if (!connection_is_address(address))
			return false;
	return count > 0;
}

enum rc connect_check_resolve(const char *text, struct err *err)
{
	if (takes_resolve(text))
		return RC_OK;
	return err_set(
		err, RC_USAGE, "--resolve", "expected HOST:PORT:ADDRESS, found \"%s\"", text);
}

const char *connect_given(const struct options *options)
{
	struct given list[GIVEN_COUNT];
	if (options->resolve.count)
		return "--resolve";
	read_given(options, list);
	for (size_t i = 0; i < GIVEN_COUNT; i++)
		if (list[i].of_target && (list[i].text || list[i].flag))
			return list[i].name;
	return NULL;
}

const char *connect_again(const struct options *options)
{
	struct given list[GIVEN_COUNT];
	struct arena *arena = options->arena;
	const char *text = "";
	for (size_t i = 0; i < options->resolve.count; i++)
		text = arena_print(arena, "%s --resolve %s", text,
			cell_quote(arena, options->resolve.list[i]));
	read_given(options, list);
	for (size_t i = 0; i < GIVEN_COUNT; i++) {
		if (list[i].text)
			text = arena_print(arena, "%s %s %s", text, list[i].name,
				cell_quote(arena, list[i].text));
		else if (list[i].flag)
			text = arena_print(arena, "%s %s", text, list[i].name);
	}
	return text;
}

static enum rc usage(const char *option, const char *text, struct err *err)
{
	return err_set(err, RC_USAGE, option, "%s", text);
}

static enum rc check_tls(const struct options *o, bool tls, struct err *err)
{
	struct given list[GIVEN_COUNT];
	read_given(o, list);
	for (size_t i = 0; !tls && i < GIVEN_COUNT; i++)
		if (list[i].of_tls && (list[i].text || list[i].flag))
			return usage(list[i].name, "expected an https URL", err);
	if (o->key && !o->certificate)
		return usage("--key", "expected --cert beside it", err);
	return RC_OK;
}

static enum rc read_protocol(
	const struct options *o, bool tls, enum protocol *protocol, struct err *err)
{
	if (o->http2 && o->http2c)
		return usage("--http2c", "expected one of --http2 and --http2c", err);
	if (o->http2 && !tls)
		return usage("--http2", "expected an https URL; --http2c goes without TLS", err);
	if (o->http2c && tls)
		return usage("--http2c", "expected an http URL; --http2 goes over TLS", err);
	if (o->http2)
		*protocol = PROTOCOL_HTTP2;
	else if (o->http2c)
		*protocol = PROTOCOL_HTTP2C;
	return RC_OK;
}

enum rc connect_read(const struct options *options, struct client_options *address, struct err *err)
{
	const struct options *o = options;
	bool tls = strcmp(address->scheme, "https") == 0;
	enum rc rc = check_tls(o, tls, err);
	for (size_t i = 0; rc == RC_OK && i < o->resolve.count; i++)
		rc = connect_check_resolve(o->resolve.list[i], err);
	address->cacert = o->cacert;
	address->insecure = o->insecure;
	address->resolve = o->resolve.count ? o->resolve.list : NULL;
	address->unix_path = o->unix_socket;
	address->proxy_line = o->proxy_protocol;
	address->certificate = o->certificate;
	address->key = o->key ? o->key : o->certificate;
	if (rc == RC_OK)
		rc = read_protocol(o, tls, &address->protocol, err);
	return rc == RC_OK ? connection_check(address, err) : rc;
}
