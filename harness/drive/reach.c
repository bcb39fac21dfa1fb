#include "drive/reach.h"

#include <string.h>

#include "case/speaking.h"
#include "case/template.h"

void reach_frame(const cJSON *settings, struct frames_sut *frame)
{
	frame->host = frame->socket ? "localhost" : "127.0.0.1";
	frame->scheme = json_get(settings, "tls") ? "https" : "http";
}

static enum rc read_text(struct case_run *c, struct scope *frame, const cJSON *tls, const char *key,
	const char **text, struct err *err)
{
	const char *written = json_text(tls, key), *resolved;
	*text = NULL;
	enum rc rc = written ? template_text(frame, written, &resolved, err) : RC_OK;
	if (rc == RC_OK && written)
		*text = arena_text(c->cell_arena, resolved);
	return rc;
}

/* By a name of its own it is found all the same, on the loopback interface. */
static void read_name(struct case_run *c, const char *name, struct client_options *address)
{
	const char **resolve;
	if (!name)
		return;
	address->host = name;
	if (address->unix_path)
		return;
	resolve = arena_alloc(c->cell_arena, 2, sizeof *resolve);
	resolve[0] = arena_print(c->cell_arena, "%s:%d:127.0.0.1", name, address->port);
	address->resolve = resolve;
}

static enum rc read_tls(struct case_run *c, struct scope *frame, const cJSON *tls,
	struct client_options *address, struct err *err)
{
	const char *name;
	const struct {
		const char *key, **text;
	} texts[] = { { "cacert", &address->cacert }, { "cert", &address->certificate },
		{ "key", &address->key }, { "name", &name } };
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		enum rc rc = read_text(c, frame, tls, texts[i].key, texts[i].text, err);
		if (rc != RC_OK)
			return rc;
	}
	if (!address->key)
		address->key = address->certificate;
	address->insecure = cJSON_IsTrue(json_get(tls, "insecure"));
	read_name(c, name, address);
	return RC_OK;
}

enum rc reach_read(struct case_run *c, struct scope *frame, const cJSON *settings,
	struct process_spec *spec, struct client_options *address, struct err *err)
{
	const cJSON *tls = json_get(settings, "tls");
	const char *protocol = json_text(settings, "protocol");
	enum rc rc = RC_OK;
	*address = (struct client_options){ .scheme = tls ? "https" : "http",
		.host = spec->unix_path ? "localhost" : "127.0.0.1",
		.port = spec->port,
		.unix_path = spec->unix_path,
		.proxy_line = cJSON_IsTrue(json_get(settings, "proxy_protocol")) };
	/* A socket has no port, and Host leaves out that of the scheme. */
	if (spec->unix_path)
		address->port = tls ? 443 : 80;
	spec->proxy_line = address->proxy_line;
	if (protocol && !protocol_find(protocol, &address->protocol))
		BUG("the protocol %s passed the format", protocol);
	if (tls)
		rc = read_tls(c, frame, tls, address, err);
	if (rc != RC_OK)
		return rc;
	const char *why = speaking_contradiction(settings);
	return why ? err_set(err, RC_USAGE, "", "%s", why) : RC_OK;
}
