#include "drive/spec.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/units.h"
#include "case/format.h"
#include "case/frames.h"
#include "case/settings.h"
#include "case/template.h"
#include "drive/reach.h"

enum { TEMPLATE_MAX_BYTES = 1024 * 1024 };

/* One process on its way from settings to a spec. */
struct draft {
	struct case_run *c;
	struct scope *scope;
	const cJSON *settings;
	const char *dir;
	struct frames_sut frame;
	struct process_spec *spec;
	const char *fault; /* services and profiles have no faults of the SUT's */
};

enum rc spec_folder(const char *path, struct err *err)
{
	char *copy = mem_text(path);
	enum rc rc = RC_OK;
	for (char *slash = copy; rc == RC_OK && slash;) {
		slash = strchr(slash + 1, '/');
		if (slash)
			*slash = '\0';
		if (mkdir(copy, 0777) != 0 && errno != EEXIST)
			rc = err_errno(err, RC_ENVIRONMENT, copy, "cannot be made");
		if (slash)
			*slash = '/';
	}
	free(copy);
	return rc;
}

static enum rc write_file(const char *path, const char *text, struct err *err)
{
	FILE *file = fopen(path, "we");
	if (!file)
		return err_errno(err, RC_ENVIRONMENT, path, "cannot be written");
	fputs(text, file);
	int failed = ferror(file);
	if (fclose(file) != 0 || failed)
		return err_errno(err, RC_ENVIRONMENT, path, "cannot be written");
	return RC_OK;
}

static enum rc render_file(
	struct draft *d, struct scope *frame, const cJSON *entry, struct err *err)
{
	struct buf buf;
	const char *source = NULL, *rendered = NULL;
	struct err inner = { 0 };
	struct arena *arena = d->c->root.arena;
	if (strchr(entry->string, '/'))
		return err_set(err, RC_USAGE, "",
			"files: expected a file name without a slash, found \"%s\"", entry->string);
	enum rc rc = template_text(frame, entry->valuestring, &source, err);
	if (rc != RC_OK)
		return rc;
	buf_init(&buf, TEMPLATE_MAX_BYTES);
	rc = buf_read_file(&buf, source, &inner);
	if (rc != RC_OK)
		rc = err_set(err, RC_USAGE, "", "files: %s %s", inner.where, inner.text);
	if (rc == RC_OK)
		rc = template_text(frame, arena_slice(arena, buf_slice(&buf)), &rendered, &inner);
	if (rc != RC_OK && !err->text[0])
		rc = err_set(err, RC_USAGE, "", "files: %s: %s", source, inner.text);
	if (rc == RC_OK)
		rc = write_file(arena_print(arena, "%s/%s", d->dir, entry->string), rendered, err);
	buf_release(&buf);
	return rc;
}

const char *const *spec_words(struct arena *arena, const cJSON *list)
{
	const cJSON *word;
	size_t count = 0;
	const char **words =
		arena_alloc(arena, (size_t)cJSON_GetArraySize(list) + 1, sizeof *words);
	cJSON_ArrayForEach (word, list)
		words[count++] = word->valuestring;
	return words;
}

/* Each is a text, also where a variable alone stands for a number. */
static enum rc resolve_command(struct draft *d, struct scope *frame, struct err *err)
{
	const cJSON *word, *written = json_get(d->settings, "command");
	size_t count = 0;
	const char **argv = arena_alloc(
		d->c->cell_arena, (size_t)cJSON_GetArraySize(written) + 1, sizeof *argv);
	cJSON_ArrayForEach (word, written) {
		enum rc rc = template_text(frame, word->valuestring, &argv[count], err);
		if (rc != RC_OK)
			return rc;
		argv[count] = arena_text(d->c->cell_arena, argv[count]);
		count++;
	}
	if (!count)
		return err_set(err, RC_USAGE, "", "command: expected %s", format_command.name);
	d->spec->argv = argv;
	return RC_OK;
}

static enum rc resolve_env(struct draft *d, struct scope *frame, struct err *err)
{
	cJSON *env = NULL;
	const cJSON *written = json_get(d->settings, "env");
	const cJSON *faults = d->c->run->suite->faults;
	enum rc rc = written ? template_resolve(frame, written, &env, err) : RC_OK;
	if (rc != RC_OK)
		return rc;
	d->spec->env = spec_environment(d->c->root.arena, env, json_text(faults, "env"), d->fault);
	return RC_OK;
}

static enum rc resolve_within(
	struct scope *frame, const char *written, int64_t *ns, struct err *err)
{
	const char *text;
	if (!written)
		return RC_OK;
	enum rc rc = template_text(frame, written, &text, err);
	if (rc == RC_OK && duration_parse(text, ns, err) != RC_OK)
		rc = RC_USAGE;
	return rc;
}

static enum rc resolve_ready(struct draft *d, struct scope *frame, struct err *err)
{
	const cJSON *ready = json_get(d->settings, "ready");
	const char *get = json_text(ready, "get"), *output = json_text(ready, "output"),
		   *within = json_text(ready, "within");
	struct ready *r = &d->spec->ready;
	*r = (struct ready){ .kind = d->frame.port || d->frame.socket ? READY_PORT : READY_NONE,
		.within_ns = 10 * NS_PER_S };
	enum rc rc = RC_OK;
	if (get) {
		r->kind = READY_REQUEST;
		rc = template_text(frame, get, &r->target, err);
	} else if (output) {
		r->kind = READY_OUTPUT;
		rc = template_text(frame, output, &r->pattern, err);
	} else if (cJSON_IsTrue(json_get(ready, "notify"))) {
		r->kind = READY_NOTIFY;
	}
	return rc == RC_OK ? resolve_within(frame, within, &r->within_ns, err) : rc;
}

static enum rc resolve_memory(struct draft *d, struct scope *frame, struct err *err)
{
	const char *written = json_text(d->settings, "memory_max"), *text;
	if (!written)
		return RC_OK;
	enum rc rc = template_text(frame, written, &text, err);
	if (rc != RC_OK)
		return rc;
	if (size_parse(text, &d->spec->memory_max_bytes, err) != RC_OK)
		return RC_USAGE;
	if (!d->spec->memory_max_bytes)
		return err_set(
			err, RC_USAGE, "", "memory_max: expected more than 0, found \"%s\"", text);
	return RC_OK;
}

static const struct {
	const char *name;
	int number;
} SIGNALS[] = { { "TERM", SIGTERM }, { "INT", SIGINT }, { "QUIT", SIGQUIT }, { "HUP", SIGHUP },
	{ "USR1", SIGUSR1 }, { "USR2", SIGUSR2 }, { "WINCH", SIGWINCH }, { "KILL", SIGKILL } };

static enum rc resolve_stop(struct draft *d, struct scope *frame, struct err *err)
{
	const cJSON *stop = json_get(d->settings, "stop");
	const char *name = json_text(stop, "signal"), *within = json_text(stop, "within");
	d->spec->stop_signal = SIGTERM;
	d->spec->stop_within_ns = 5 * NS_PER_S;
	for (size_t i = 0; name && i < sizeof SIGNALS / sizeof *SIGNALS; i++)
		if (strcmp(SIGNALS[i].name, name) == 0)
			d->spec->stop_signal = SIGNALS[i].number;
	return resolve_within(frame, within, &d->spec->stop_within_ns, err);
}

static enum rc listen_for(struct draft *d, struct err *err)
{
	int *fd = arena_alloc(d->c->cell_arena, 1, sizeof *fd);
	enum rc rc = sut_listen(fd, &d->frame.port, err);
	if (rc == RC_OK) {
		d->spec->listen_fds = fd;
		d->spec->listen_count = 1;
	}
	return rc;
}

static enum rc take_socket(struct draft *d, struct err *err)
{
	d->frame.socket = arena_print(d->c->cell_arena, "%s/socket", d->dir);
	size_t length = strlen(d->frame.socket);
	if (length <= SUT_UNIX_PATH_MAX)
		return RC_OK;
	return err_set(err, RC_ENVIRONMENT, d->frame.socket,
		"expected a path of at most %d bytes for a Unix socket, found %zu; --run-dir names a shorter one",
		SUT_UNIX_PATH_MAX, length);
}

/* Where it listens has to be known before anything else is resolved. */
static enum rc take_port(struct draft *d, struct err *err)
{
	const char *listen = json_text(d->settings, "listen");
	enum rc rc = RC_OK;
	if (!listen || strcmp(listen, "port") == 0)
		rc = sut_free_port(&d->frame.port, err);
	else if (strcmp(listen, "fd") == 0)
		rc = listen_for(d, err);
	else if (strcmp(listen, "unix") == 0)
		rc = take_socket(d, err);
	d->spec->port = d->frame.port;
	d->spec->unix_path = d->frame.socket;
	return rc;
}

static enum rc fill_spec(struct draft *d, struct scope **frame, struct err *err)
{
	struct arena *arena = d->c->root.arena;
	reach_frame(d->settings, &d->frame);
	d->frame.files = d->dir;
	enum rc rc = spec_folder(d->dir, err);
	if (rc == RC_OK && json_get(d->settings, "root"))
		rc = settings_root(d->scope, d->c->run->suite, d->settings, &d->frame.root, err);
	if (rc != RC_OK)
		return rc;
	*frame = frames_sut(d->scope, &d->frame);
	d->spec->out_path = arena_print(arena, "%s/stdout", d->dir);
	d->spec->err_path = arena_print(arena, "%s/stderr", d->dir);
	rc = resolve_command(d, *frame, err);
	if (rc == RC_OK)
		rc = resolve_env(d, *frame, err);
	if (rc == RC_OK)
		rc = resolve_ready(d, *frame, err);
	if (rc == RC_OK)
		rc = resolve_stop(d, *frame, err);
	if (rc == RC_OK)
		rc = resolve_memory(d, *frame, err);
	const cJSON *entry;
	cJSON_ArrayForEach (entry, json_get(d->settings, "files"))
		if (rc == RC_OK)
			rc = render_file(d, *frame, entry, err);
	return rc;
}

static enum rc add_services(struct case_run *c, const char *dir, struct scope *scope,
	struct spec_set *set, cJSON *ports, struct err *err)
{
	const cJSON *service;
	enum rc rc = RC_OK;
	cJSON_ArrayForEach (service, c->run->suite->services) {
		struct scope *frame;
		struct process_spec *spec = &set->list[set->count++];
		struct draft d = { .c = c, .scope = scope, .settings = service, .spec = spec };
		*spec = (struct process_spec){
			.name = json_text(service, "name"),
		};
		d.dir = arena_print(c->root.arena, "%s/%s", dir, spec->name);
		d.frame.services = ports;
		rc = take_port(&d, err);
		if (rc == RC_OK)
			rc = fill_spec(&d, &frame, err);
		if (rc != RC_OK)
			return rc;
		cJSON *own = cJSON_AddObjectToObject(ports, spec->name);
		cJSON_AddNumberToObject(own, "port", spec->port);
	}
	return rc;
}

enum rc spec_build(struct case_run *c, const char *variant, const cJSON *over, const char *dir,
	int to_port, struct scope *scope, struct spec_set *set, struct err *err)
{
	const struct suite *suite = c->run->suite;
	const char *profile = settings_profile(c->one, variant);
	cJSON *settings = scope_keep(&c->root, settings_merge(suite, c->one, variant, over));
	cJSON *ports = scope_keep(&c->root, cJSON_CreateObject());
	size_t most = (size_t)cJSON_GetArraySize(suite->services) + 1;
	*set = (struct spec_set){ .list = arena_alloc(c->root.arena, most, sizeof *set->list),
		.dir = dir };
	enum rc rc = profile ? RC_OK : add_services(c, dir, scope, set, ports, err);
	if (rc != RC_OK)
		return rc;
	struct process_spec *spec = &set->list[set->count++];
	*spec = (struct process_spec){
		.name = variant   ? variant
			: profile ? profile
				  : "sut",
	};
	struct draft d = { .c = c, .scope = scope, .settings = settings, .dir = dir, .spec = spec };
	d.frame.services = ports;
	d.frame.to_port = to_port;
	d.fault = profile ? NULL : c->fault;
	rc = take_port(&d, err);
	if (rc == RC_OK)
		rc = fill_spec(&d, &set->frame, err);
	if (rc == RC_OK)
		rc = reach_read(c, set->frame, settings, spec, &set->address, err);
	return rc;
}

void spec_release(struct spec_set *set)
{
	for (size_t i = 0; i < set->count; i++)
		if (set->list[i].listen_count)
			close(set->list[i].listen_fds[0]);
}
