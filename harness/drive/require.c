#include "drive/require.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "case/settings.h"
#include "case/speaking.h"
#include "drive/spec.h"
#include "expect/pattern.h"
#include "sut/cap.h"

enum { PROBE_BYTES = 1024 * 1024 };

static bool is_program(const char *path)
{
	struct stat status;
	return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

static bool in_path(struct arena *arena, const char *command)
{
	if (strchr(command, '/'))
		return is_program(command);
	const char *path = getenv("PATH");
	struct slice rest = slice_of(path ? path : ""), folder;
	while (slice_next(&rest, ':', &folder))
		if (is_program(arena_print(arena, "%.*s/%s", SLICE_PRINT(folder), command)))
			return true;
	return false;
}

/* The number that the text starts with; what is behind it and its dot goes to *rest. */
static uint64_t first_number(const char *text, const char **rest)
{
	char *end;
	unsigned long long number = strtoull(text, &end, 10);
	*rest = *end == '.' ? end + 1 : "";
	return number;
}

/* -1, 0 or 1. */
static int compare_versions(const char *a, const char *b)
{
	while (*a || *b) {
		uint64_t left = first_number(a, &a), right = first_number(b, &b);
		if (left != right)
			return left < right ? -1 : 1;
	}
	return 0;
}

bool require_version(const char *wanted, const char *found)
{
	size_t sign = strspn(wanted, "<>=");
	int order = compare_versions(found, wanted + sign + strspn(wanted + sign, " "));
	bool equal = wanted[sign - 1] == '=';
	return (equal && order == 0) || (wanted[0] == '<' && order < 0) ||
	       (wanted[0] == '>' && order > 0);
}

/* The first number with a dot in what `command --version` (or -v, as haproxy and nginx have it) says. */
static enum rc find_version(const struct run *run, const char *command, struct arena *arena,
	const char **version, struct err *err)
{
	static const char *const FLAGS[] = { "--version", "-v" };
	*version = NULL;
	for (size_t i = 0; i < sizeof FLAGS / sizeof *FLAGS && !*version; i++) {
		const char *argv[] = { command, FLAGS[i], NULL };
		struct process_spec spec = { .name = command,
			.argv = argv,
			.env = spec_environment(arena, NULL, NULL, NULL),
			.stop_within_ns = NS_PER_S };
		struct process_end end = { 0 };
		enum rc rc = sut_run(
			run->host, &spec, slice_from(NULL, 0), 5 * NS_PER_S, &end, arena, err);
		if (rc != RC_OK)
			return rc;
		struct slice outputs[] = { end.out, end.err }, number = { 0 };
		for (size_t o = 0; o < 2 && !number.ptr; o++) {
			bool found;
			rc = pattern_find(
				"([0-9]+(?:\\.[0-9]+)+)", outputs[o], &found, NULL, &number, err);
			if (rc != RC_OK)
				return rc;
		}
		if (number.ptr)
			*version = arena_slice(arena, number);
	}
	return RC_OK;
}

static enum rc check_command(const struct run *run, const struct requirement *r,
	struct arena *arena, const char **reason, struct err *err)
{
	const char *version;
	if (!in_path(arena, r->command)) {
		*reason = arena_print(arena, "%s not found in PATH", r->command);
		return RC_OK;
	}
	if (!r->version)
		return RC_OK;
	enum rc rc = find_version(run, r->command, arena, &version, err);
	if (rc == RC_OK && !version)
		return err_set(err, RC_ENVIRONMENT, "", "%s tells no version", r->command);
	if (rc == RC_OK && !require_version(r->version, version))
		*reason = arena_print(
			arena, "%s is %s, needed is %s", r->command, version, r->version);
	return rc;
}

/* Only a group that was made tells that one can be. */
static void check_memory_cap(struct arena *arena, const char **reason)
{
	struct cap cap;
	char why[1024];
	if (cap_open(&cap, PROBE_BYTES)) {
		cap_close(&cap);
		return;
	}
	cap_why(&cap, errno, why, sizeof why);
	*reason = arena_text(arena, why);
}

static enum rc check_one(const struct run *run, const struct requirement *r, struct arena *arena,
	const char **reason, struct err *err)
{
	if (r->command)
		return check_command(run, r, arena, reason, err);
	if (run->target)
		*reason = "it has to own its SUT, and --target is one that runs already";
	else if (r->feature)
		check_memory_cap(arena, reason);
	return RC_OK;
}

/* Does some step, however deep, have the verb? */
static bool uses(const struct step *steps, size_t count, enum verb verb)
{
	for (size_t i = 0; i < count; i++) {
		if (steps[i].verb == verb || uses(steps[i].steps, steps[i].step_count, verb))
			return true;
		for (size_t l = 0; l < steps[i].list_count; l++)
			if (uses(steps[i].lists[l].steps, steps[i].lists[l].count, verb))
				return true;
	}
	return false;
}

/* What the first step that only HTTP/1.1 can do asks, or NULL. */
static const char *http1_only(const struct step *steps, size_t count)
{
	const char *why = NULL;
	for (size_t i = 0; i < count && !why; i++) {
		why = speaking_http1_only(&steps[i]);
		if (!why)
			why = http1_only(steps[i].steps, steps[i].step_count);
		if (!why)
			why = http1_only(steps[i].inner, steps[i].inner_count);
		for (size_t l = 0; l < steps[i].list_count && !why; l++)
			why = http1_only(steps[i].lists[l].steps, steps[i].lists[l].count);
	}
	return why;
}

/* The embedded mail server stands behind a SUT that onus starts, and nowhere else. */
static bool needs_own_upstream(const struct run *run, const struct case_file *one)
{
	bool mapped = json_get(run->suite->upstream, "stop") != NULL;
	return one->upstream || uses(one->steps, one->step_count, VERB_JOURNAL) ||
	       (!mapped && uses(one->steps, one->step_count, VERB_UPSTREAM));
}

enum rc require_check(const struct run *run, const struct case_file *one, struct arena *arena,
	const char **reason, struct err *err)
{
	enum rc rc = RC_OK;
	*reason = NULL;
	for (size_t i = 0; i < one->require_count && rc == RC_OK && !*reason; i++)
		rc = check_one(run, &one->requires[i], arena, reason, err);
	if (rc == RC_OK && !*reason && run->target &&
		(one->sut || one->suts || uses(one->steps, one->step_count, VERB_REFUSES)))
		*reason = "it sets up its own SUT, and --target is one that runs already";
	if (rc == RC_OK && !*reason && run->target && needs_own_upstream(run, one))
		*reason = "it looks at onus's own mail server, which is not behind --target";
	if (rc == RC_OK && !*reason && run->target && run->target->protocol != PROTOCOL_HTTP1)
		*reason = http1_only(one->steps, one->step_count);
	bool started = run->suite->sut || one->suts || settings_profile(one, NULL);
	if (rc == RC_OK && !*reason && !run->target && one->needs_sut && !started)
		*reason = "its suite starts no SUT: --target URL names one that runs already";
	return rc;
}
