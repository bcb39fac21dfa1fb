#include "cli/session.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/words.h"
#include "case/load.h"
#include "cli/connect.h"
#include "cli/signals.h"
#include "cli/cost_source.h"
#include "cli/target.h"
#include "drive/calibrate.h"
#include "drive/files.h"
#include "drive/spec.h"
#include "http/client.h"

#define DEFAULT_CASES "cases"
#define DEFAULT_SUITE "cases/suite.json"

static int complain(const struct err *err, int code)
{
	err_print(err->where, err);
	return code;
}

static bool exists(const char *path)
{
	return access(path, F_OK) == 0;
}

/* The suite.json beside or above the first path, or that of cases/; NULL where there is none. */
static const char *find_suite(struct arena *arena, const struct texts *paths)
{
	char *folder = arena_text(arena, paths->count ? paths->list[0] : DEFAULT_CASES);
	struct stat status;
	if (stat(folder, &status) == 0 && !S_ISDIR(status.st_mode)) {
		char *slash = strrchr(folder, '/');
		folder = slash ? folder : arena_text(arena, ".");
		if (slash)
			*slash = '\0';
	}
	while (folder[0]) {
		const char *suite = arena_print(arena, "%s/suite.json", folder);
		if (exists(suite))
			return suite;
		char *slash = strrchr(folder, '/');
		if (!slash)
			break;
		*slash = '\0';
	}
	return exists(DEFAULT_SUITE) ? DEFAULT_SUITE : NULL;
}

/* Without wildcards a part of the id is enough. */
static bool matches_any(const struct texts *globs, const char *id)
{
	for (size_t i = 0; i < globs->count; i++) {
		const char *glob = globs->list[i];
		bool plain = !strpbrk(glob, "*?[");
		if (plain ? strstr(id, glob) != NULL : words_glob(glob, id))
			return true;
	}
	return globs->count == 0;
}

static bool has_tag(const struct texts *tags, const struct case_file *one)
{
	for (size_t i = 0; i < tags->count; i++)
		for (size_t t = 0; t < one->tag_count; t++)
			if (strcmp(tags->list[i], one->tags[t]) == 0)
				return true;
	return false;
}

/* Counted, so that the option that leaves none can be named. */
static bool is_wanted(struct session *s, const struct case_file *one)
{
	const struct options *o = s->options;
	s->found++;
	if (!matches_any(&o->filters, one->id))
		return false;
	s->filtered++;
	if (o->tags.count && !has_tag(&o->tags, one))
		return false;
	s->tagged++;
	return !has_tag(&o->skip_tags, one);
}

static const char *joined(struct arena *arena, const struct texts *texts)
{
	const char *text = "";
	for (size_t i = 0; i < texts->count; i++)
		text = arena_print(arena, "%s%s%s", text, i ? ", " : "", texts->list[i]);
	return text;
}

const char *session_no_case(const struct session *s)
{
	const struct options *o = s->options;
	struct arena *arena = s->arena;
	if (!s->found)
		return "no case was found";
	if (!s->filtered)
		return arena_print(arena, "--filter: no case matches %s, of %zu",
			joined(arena, &o->filters), s->found);
	if (!s->tagged)
		return arena_print(arena, "--tag: no case has the tag %s, of %zu",
			joined(arena, &o->tags), s->filtered);
	return arena_print(arena, "--skip-tag: every case has the tag %s, of %zu",
		joined(arena, &o->skip_tags), s->tagged);
}

static bool has_usage(const struct errors *errors)
{
	for (size_t i = 0; i < errors->count; i++)
		if (errors->list[i].rc == RC_USAGE)
			return true;
	return false;
}

/*
 * A file that was named twice is one case. Two files of one id (a.json and a.jsonc) would be told apart nowhere, so that
 * this is an error.
 */
static bool is_twin(const struct session *s, const struct case_file *one, struct errors *errors)
{
	struct stat mine, other;
	for (size_t i = 0; i < s->case_count; i++) {
		const struct case_file *twin = s->cases[i];
		if (strcmp(twin->id, one->id) != 0)
			continue;
		if (stat(one->path, &mine) == 0 && stat(twin->path, &other) == 0 &&
			mine.st_dev == other.st_dev && mine.st_ino == other.st_ino)
			return true;
		errors_add(errors, json_place(one->json, json_root(one->json)), RC_USAGE,
			"\"%s\" is the id of %s already", one->id, twin->path);
		return true;
	}
	return false;
}

static void load_cases(struct session *s, const char **files, size_t count, struct errors *errors)
{
	s->cases = arena_alloc(s->arena, count, sizeof(struct case_file *));
	for (size_t i = 0; i < count; i++) {
		struct case_file *one;
		if (case_load(files[i], s->suite, &one, errors) != RC_OK)
			continue;
		if (is_wanted(s, one) && !is_twin(s, one, errors))
			s->cases[s->case_count++] = one;
		else
			case_free(one);
	}
}

/* What can be told from the options alone, and a file that would be waited for. */
static enum rc check_options(const struct options *o, struct err *err)
{
	int fd;
	enum rc rc = RC_OK;
	const char *given = o->target ? NULL : connect_given(o);
	for (size_t i = 0; rc == RC_OK && i < o->resolve.count; i++)
		rc = connect_check_resolve(o->resolve.list[i], err);
	if (rc == RC_OK && given)
		rc = err_set(err, RC_USAGE, given, "needs --target");
	if (rc == RC_OK && (o->pid || o->container) && !o->target)
		rc = err_set(err, RC_USAGE, o->pid ? "--pid" : "--container", "needs --target");
	if (rc != RC_OK || !o->cacert)
		return rc;
	rc = file_open(o->cacert, &fd, err);
	if (rc == RC_OK)
		close(fd);
	return rc;
}

int session_load(struct session *s, const struct options *options)
{
	*s = (struct session){ .arena = options->arena, .options = options };
	struct errors errors = { 0 };
	struct err err = { 0 };
	static const char *const CASES[] = { DEFAULT_CASES };
	const char **files;
	size_t count;
	if (check_options(options, &err) != RC_OK)
		return complain(&err, EXIT_USAGE);
	const char *suite = options->suite ? options->suite : find_suite(s->arena, &options->paths);
	if (!suite && !options->target) {
		fputs("onus: no suite: expected suite.json beside or above the cases, cases/suite.json, --suite FILE or --target URL\n",
			stderr);
		return EXIT_USAGE;
	}
	const char *const *paths = options->paths.count ? options->paths.list : CASES;
	if (case_find(paths, options->paths.count ? options->paths.count : 1, s->arena, &files,
		    &count, &err) != RC_OK)
		return complain(&err, EXIT_USAGE);
	if (suite_load(suite, &s->suite, &errors) == RC_OK)
		load_cases(s, files, count, &errors);
	int code = has_usage(&errors) ? EXIT_USAGE : errors.count ? EXIT_FLOOR : EXIT_HELD;
	errors_print(&errors, stderr);
	errors_release(&errors);
	return code;
}

static int parse_cells(struct session *s)
{
	const struct texts *cells = &s->options->cells;
	struct cell_filter *filters = arena_alloc(s->arena, cells->count, sizeof *filters);
	s->cells_used = arena_alloc(s->arena, cells->count, sizeof *s->cells_used);
	for (size_t i = 0; i < cells->count; i++) {
		const char *equals = strchr(cells->list[i], '=');
		if (!equals) {
			fprintf(stderr, "onus: --cell: expected NAME=VALUE, found \"%s\"\n",
				cells->list[i]);
			return EXIT_USAGE;
		}
		filters[i].name = arena_slice(
			s->arena, slice_from(cells->list[i], (size_t)(equals - cells->list[i])));
		filters[i].value = equals + 1;
		filters[i].used = &s->cells_used[i];
	}
	s->run.filters = filters;
	s->run.filter_count = cells->count;
	return EXIT_HELD;
}

uint64_t session_seed(const struct options *options)
{
	uint32_t random = 1;
	if (options->has_seed)
		return options->seed;
	if (getrandom(&random, sizeof random, 0) != sizeof random)
		random = (uint32_t)clock_now_ns();
	return random;
}

/* A folder of one's own, so that two runs never meet; absolute, as configurations of servers want it. */
static enum rc make_run_dir(struct session *s, struct err *err)
{
	char absolute[PATH_MAX];
	const char *wanted = s->options->run_dir;
	enum rc rc = spec_folder(wanted ? wanted : "build/run", err);
	for (unsigned i = 0; rc == RC_OK && !wanted; i++) {
		const char *path = arena_print(s->arena, i ? "build/run/%llx-%u" : "build/run/%llx",
			(unsigned long long)s->run.seed, i + 1);
		if (mkdir(path, 0777) == 0)
			wanted = path;
		else if (i == 1000)
			rc = err_errno(err, RC_ENVIRONMENT, path, "cannot be made");
	}
	if (rc != RC_OK)
		return rc;
	if (!realpath(wanted, absolute))
		return err_errno(err, RC_ENVIRONMENT, wanted, "cannot be found");
	s->run.run_dir = arena_text(s->arena, absolute);
	s->run.from = arena_text(s->arena, getcwd(absolute, sizeof absolute) ? absolute : "");
	return RC_OK;
}

/* What has to be on the command line again: options that change what a case does. */
static const char *again(const struct session *s)
{
	const struct options *o = s->options;
	const char *text = "";
	if (o->suite)
		text = arena_print(s->arena, "%s --suite %s", text, cell_quote(s->arena, o->suite));
	if (o->target)
		text = arena_print(
			s->arena, "%s --target %s", text, cell_quote(s->arena, o->target));
	if (o->pid)
		text = arena_print(s->arena, "%s --pid %s", text, cell_quote(s->arena, o->pid));
	if (o->container)
		text = arena_print(
			s->arena, "%s --container %s", text, cell_quote(s->arena, o->container));
	text = arena_print(s->arena, "%s%s", text, connect_again(o));
	if (o->has_seed)
		text = arena_print(s->arena, "%s --seed 0x%llx", text, (unsigned long long)o->seed);
	return text;
}

int session_set_up(struct session *s)
{
	const struct options *o = s->options;
	struct err err = { 0 };
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	s->run.suite = s->suite;
	s->run.seed = session_seed(o);
	s->run.workers = o->jobs ? o->jobs : cores > 0 ? (unsigned)cores : 1;
	s->run.keep = o->keep;
	s->run.fail_fast = o->fail_fast;
	s->run.again = again(s);
	s->run.stop = signals_stop();
	if (o->target) {
		enum rc rc = target_parse(o->target, s->arena, &s->target, &err);
		if (rc == RC_OK)
			rc = connect_read(o, &s->target, &err);
		if (rc != RC_OK)
			return complain(&err, rc == RC_USAGE ? EXIT_USAGE : EXIT_ENVIRONMENT);
		s->run.target = &s->target;
	}
	if (cost_source_read(o, &s->run.target_cost, &err) != RC_OK)
		return complain(&err, EXIT_USAGE);
	int code = parse_cells(s);
	if (code != EXIT_HELD)
		return code;
	if (sut_init(&s->run.host, &err) != RC_OK || http_init(&err) != RC_OK ||
		(o->target && target_reach(&s->target, &err) != RC_OK) ||
		cost_source_check(&s->run.target_cost, &err) != RC_OK ||
		make_run_dir(s, &err) != RC_OK || signals_catch(&err) != RC_OK)
		return complain(&err, EXIT_ENVIRONMENT);
	s->run.stop_fd = signals_stop_fd();
	calibrate(&s->run, s->cases, s->case_count, s->arena);
	sut_interrupt(s->run.host, s->run.stop_fd);
	return EXIT_HELD;
}

void session_close(struct session *s)
{
	sut_close(s->run.host);
	if (s->run.run_dir)
		rmdir(s->run.run_dir);
	for (size_t i = 0; i < s->case_count; i++)
		case_free(s->cases[i]);
	suite_free(s->suite);
}

static int bad_faults(const struct session *s, const char *text)
{
	struct place place = json_place(s->suite->json, s->suite->faults);
	fprintf(stderr, "onus: %s:%d:%d: faults: %s\n", place.file, place.line, place.col, text);
	return EXIT_ENVIRONMENT;
}

static int read_faults(struct session *s, struct slice output, const char ***faults, size_t *count)
{
	struct err err = { 0 };
	cJSON *list = json_parse(output, &err);
	const cJSON *item;
	int code = EXIT_HELD;
	if (!cJSON_IsArray(list)) {
		cJSON_Delete(list);
		return bad_faults(s, "expected a JSON list on standard output");
	}
	*faults = arena_alloc(s->arena, (size_t)cJSON_GetArraySize(list), sizeof(char *));
	cJSON_ArrayForEach (item, list) {
		const char *name =
			cJSON_IsString(item) ? item->valuestring : json_text(item, "name");
		if (name)
			(*faults)[(*count)++] = arena_text(s->arena, name);
		else
			code = bad_faults(s, "expected names, or objects with a `name`");
	}
	cJSON_Delete(list);
	return code;
}

int session_faults(struct session *s, const char ***faults, size_t *count)
{
	const cJSON *command = json_get(s->suite->faults, "list"), *word;
	struct process_end end = { 0 };
	struct err err = { 0 };
	size_t words = 0;
	*faults = NULL;
	*count = 0;
	if (!command)
		return EXIT_HELD;
	const char **argv =
		arena_alloc(s->arena, (size_t)cJSON_GetArraySize(command) + 1, sizeof *argv);
	cJSON_ArrayForEach (word, command)
		argv[words++] = word->valuestring;
	struct process_spec spec = { .name = "faults",
		.argv = argv,
		.env = spec_environment(s->arena, NULL, NULL, NULL),
		.stop_within_ns = NS_PER_S };
	if (sut_run(s->run.host, &spec, slice_from(NULL, 0), 10 * NS_PER_S, &end, s->arena, &err) !=
		RC_OK)
		return complain(&err, EXIT_ENVIRONMENT);
	if (end.timed_out || end.exit != 0)
		return bad_faults(s, "the command that lists them did not end with exit status 0");
	return read_faults(s, end.out, faults, count);
}
