#include "drive/upstream.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "case/template.h"
#include "drive/files.h"
#include "drive/spec.h"
#include "drive/wait.h"
#include "http/client.h"

enum { JOURNAL_MAX_BYTES = 16 * 1024 * 1024 };

static const char *const NAMES[UPSTREAM_PORTS] = { "plain", "tls", "decoy", "control" };

/* What the suite says and what the case says over it; the caller frees it. */
static cJSON *merged_settings(const struct case_run *c)
{
	cJSON *settings = cJSON_Duplicate(c->run->suite->upstream, true);
	const cJSON *member;
	cJSON_ArrayForEach (member, c->one->upstream) {
		cJSON_DeleteItemFromObjectCaseSensitive(settings, member->string);
		cJSON_AddItemToObject(settings, member->string, cJSON_Duplicate(member, true));
	}
	return settings;
}

static cJSON *view_of(const struct upstream *up)
{
	cJSON *view = cJSON_CreateObject();
	char text[64];
	cJSON_AddStringToObject(view, "host", "127.0.0.1");
	cJSON_AddNumberToObject(view, "port", up->ports[UPSTREAM_PLAIN]);
	snprintf(text, sizeof text, "http://127.0.0.1:%d", up->ports[UPSTREAM_PLAIN]);
	cJSON_AddStringToObject(view, "url", text);
	snprintf(text, sizeof text, "https://127.0.0.1:%d", up->ports[UPSTREAM_TLS]);
	cJSON_AddStringToObject(view, "tls", text);
	snprintf(text, sizeof text, "https://127.0.0.1:%d", up->ports[UPSTREAM_DECOY]);
	cJSON_AddStringToObject(view, "decoy", text);
	cJSON_AddStringToObject(view, "certificate", up->certificate);
	return view;
}

/* Settings of the format become environment variables of the server. */
static const char *const *environment(
	struct case_run *c, const struct upstream *up, const cJSON *settings)
{
	static const char *const PASSED[][2] = { { "accounts", "ACCOUNTS" },
		{ "messages", "MESSAGES" }, { "blobs", "BLOBS" }, { "advertise", "ADVERTISE" } };
	struct arena *arena = c->cell_arena;
	cJSON *env = cJSON_CreateObject();
	for (size_t i = 0; i < sizeof PASSED / sizeof *PASSED; i++) {
		const cJSON *value = json_get(settings, PASSED[i][0]);
		if (value)
			cJSON_AddItemToObject(env, PASSED[i][1], cJSON_Duplicate(value, true));
	}
	cJSON_AddStringToObject(env, "JOURNAL", up->journal);
	cJSON_AddStringToObject(env, "CERTIFICATE", up->certificate);
	scope_keep(&c->root, env);
	return spec_environment(arena, env, NULL, NULL);
}

static enum rc resolve_command(struct case_run *c, struct scope *scope, const cJSON *settings,
	const char *const **argv, struct err *err)
{
	cJSON *command;
	enum rc rc = template_resolve(scope, json_get(settings, "command"), &command, err);
	if (rc == RC_OK)
		*argv = spec_words(c->cell_arena, command);
	return rc;
}

static enum rc open_listeners(struct upstream *up, int *fds, struct err *err)
{
	enum rc rc = RC_OK;
	for (size_t i = 0; i < UPSTREAM_PORTS && rc == RC_OK; i++)
		rc = sut_listen(&fds[i], &up->ports[i], err);
	return rc;
}

static void close_listeners(const int *fds)
{
	for (size_t i = 0; i < UPSTREAM_PORTS; i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

static enum rc start(struct case_run *c, struct scope *scope, const cJSON *settings,
	struct upstream *up, struct err *err)
{
	int fds[UPSTREAM_PORTS] = { -1, -1, -1, -1 };
	struct process_spec spec = { .name = "upstream",
		.listen_fds = fds,
		.listen_names = NAMES,
		.listen_count = UPSTREAM_PORTS,
		.ready = { .kind = READY_NOTIFY, .within_ns = 10 * NS_PER_S },
		.stop_signal = 15,
		.stop_within_ns = 2 * NS_PER_S };
	const char *dir = arena_print(c->cell_arena, "%s/upstream", c->dir);
	enum rc rc = spec_folder(dir, err);
	if (rc == RC_OK)
		rc = open_listeners(up, fds, err);
	if (rc == RC_OK)
		rc = resolve_command(c, scope, settings, &spec.argv, err);
	if (rc == RC_OK) {
		up->journal = arena_print(c->cell_arena, "%s/journal.ndjson", dir);
		up->certificate = arena_print(c->cell_arena, "%s/certificate.pem", dir);
		(void)unlink(up->journal);
		spec.env = environment(c, up, settings);
		spec.out_path = arena_print(c->cell_arena, "%s/stdout", dir);
		spec.err_path = arena_print(c->cell_arena, "%s/stderr", dir);
		rc = sut_start(c->run->host, &spec, 1, &up->sut, NULL, err);
	}
	close_listeners(fds);
	return rc;
}

bool upstream_start(struct case_run *c, struct scope *scope)
{
	struct err err = { 0 };
	c->upstream = NULL;
	if (!json_get(c->run->suite->upstream, "command") || c->run->target)
		return true;
	struct upstream *up = arena_alloc(c->cell_arena, 1, sizeof *up);
	cJSON *settings = scope_keep(&c->root, merged_settings(c)), *resolved = NULL;
	enum rc rc = template_resolve(scope, settings, &resolved, &err);
	if (rc == RC_OK)
		rc = start(c, scope, resolved, up, &err);
	if (rc == RC_OK) {
		c->upstream = up;
		up->view = scope_keep(&c->root, view_of(up));
		scope_bind(scope, "upstream", up->view, BINDING_RECEIVED);
		const cJSON *knobs = json_get(resolved, "set");
		char *text = knobs ? json_print(knobs) : NULL;
		rc = knobs ? upstream_tell(c, "/set", text, &err) : RC_OK;
		free(text);
	}
	if (rc != RC_OK)
		tally_problem(&c->tally, rc == RC_USAGE ? PROBLEM_USAGE : PROBLEM_ENVIRONMENT,
			json_place(c->run->suite->json, c->run->suite->upstream), "%s%s%s",
			err.where, err.where[0] ? ": " : "", err.text);
	return rc == RC_OK;
}

/* What stays in the folder of a case that failed is for other eyes, like every report. */
static void mask_journal(struct case_run *c)
{
	struct buf journal;
	struct err err = { 0 };
	buf_init(&journal, JOURNAL_MAX_BYTES);
	if (buf_read_file(&journal, c->upstream->journal, &err) == RC_OK) {
		const char *masked =
			tally_mask(&c->tally, arena_slice(c->cell_arena, buf_slice(&journal)));
		FILE *file = fopen(c->upstream->journal, "we");
		if (file && (fputs(masked, file) < 0 || ferror(file)))
			(void)!ftruncate(fileno(file), 0);
		if (file)
			fclose(file);
	} else {
		(void)unlink(c->upstream->journal);
	}
	buf_release(&journal);
}

void upstream_stop(struct case_run *c)
{
	struct process_end end = { 0 };
	if (!c->upstream)
		return;
	sut_stop(c->upstream->sut, &end, c->cell_arena);
	if (!c->output && (c->tally.finding_count || c->tally.problem_count) && end.err.len)
		c->output = tally_mask(&c->tally, files_tail(c->arena, end.err, 15));
	mask_journal(c);
	c->upstream = NULL;
}

bool upstream_alive(struct case_run *c)
{
	struct process_end end = { 0 };
	if (!c->upstream || sut_alive(c->upstream->sut, &end, NULL, c->cell_arena))
		return true;
	if (c->upstream_ended)
		return false;
	c->upstream_ended = true;
	tally_problem(&c->tally, PROBLEM_ENVIRONMENT,
		json_place(c->run->suite->json, c->run->suite->upstream),
		"the upstream ended by itself: %s",
		end.signal ? strsignal(end.signal)
			   : arena_print(c->cell_arena, "exit status %d", end.exit));
	return false;
}

/* What is wrong with a knob is the case's mistake, which the server words. */
static const char *complaint(struct case_run *c, const struct exchange *exchange)
{
	struct slice body = exchange->layers[LAYER_DECODED].kept;
	cJSON *answer = json_parse(body, NULL);
	const char *text = json_text(answer, "error");
	text = text ? arena_text(c->cell_arena, text)
		    : arena_slice(c->cell_arena, slice_part(body, 0, 200));
	cJSON_Delete(answer);
	return text;
}

enum rc upstream_tell(struct case_run *c, const char *target, const char *json, struct err *err)
{
	static const struct request_header TYPE[] = { { "Content-Type", "application/json" } };
	struct request request = { .method = "POST",
		.target = target,
		.headers = TYPE,
		.header_count = 1,
		.body = slice_of(json ? json : "{}"),
		.within_ns = 10 * NS_PER_S };
	if (!c->upstream)
		return err_set(err, RC_USAGE, "", "the suite has no upstream");
	struct client_options control = {
		.scheme = "http", .host = "127.0.0.1", .port = c->upstream->ports[UPSTREAM_CONTROL]
	};
	struct client *client = client_new(c->engine, &control);
	struct exchange *exchange = wait_exchange(c, client, &request);
	enum rc rc = RC_OK;
	if (exchange->status == 400)
		rc = err_set(err, RC_USAGE, "", "upstream: %s", complaint(c, exchange));
	else if (exchange->status != 200)
		rc = err_set(err, RC_ENVIRONMENT, "", "upstream %s: %s", target,
			exchange->failure_text
				? exchange->failure_text
				: arena_print(c->cell_arena, "status %d", exchange->status));
	exchange_free(exchange);
	client_free(client);
	return rc;
}
