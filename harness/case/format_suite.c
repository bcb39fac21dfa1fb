#include "case/format.h"
#include "case/steps.h"

#define OBJECT(...)                                                                                \
	.kind = SHAPE_OBJECT, .keys = (const struct shape_key[])                                   \
	{                                                                                          \
		__VA_ARGS__,                                                                       \
		{                                                                                  \
			0                                                                          \
		}                                                                                  \
	}

static const char *const LISTEN_WORDS[] = { "port", "fd", "unix", "none", NULL };
static const struct shape listen_shape = { .kind = SHAPE_STRING,
	.name = "\"port\", \"fd\", \"unix\" or \"none\"",
	.words = LISTEN_WORDS,
	.literal = true };

static const struct shape ready_shape = { .name = "how it is known to be ready",
	.literal = true,
	OBJECT({ "get", &format_text, "a target that answers 2xx once it is ready", false },
		{ "output", &format_text, "a pattern (PCRE2) that a line of its output matches",
			false },
		{ "notify", &format_true_or_false,
			"it sends READY=1 to NOTIFY_SOCKET as systemd services do", false },
		{ "within", &format_wait, "10s by default", false }) };

static const char *const SIGNAL_WORDS[] = { "TERM", "INT", "QUIT", "HUP", "USR1", "USR2", "WINCH",
	"KILL", NULL };
static const struct shape signal_shape = { .kind = SHAPE_STRING,
	.name = "a signal such as \"TERM\"",
	.words = SIGNAL_WORDS,
	.literal = true };
static const struct shape stop_shape = { .name = "how it is stopped",
	.literal = true,
	OBJECT({ "signal", &signal_shape, "TERM by default", false },
		{ "within", &format_duration,
			"5s by default; then it is killed, which is a finding", false }) };

#define PROCESS_KEYS                                                                                                   \
	{ "command", &format_command,                                                                                  \
		"program and arguments; looked up in PATH unless it has a slash", true },                              \
		{ "root", &format_text, "its ${root}: one of `roots`, or a folder", false },                           \
		{ "env", &format_env, "environment variables beyond PATH, HOME, LANG and TMPDIR",                      \
			false },                                                                                       \
		{ "files", &format_files,                                                                              \
			"templates rendered into ${files}, by the name they get there", false },                       \
		{ "memory_max", &format_size,                                                                          \
			"what all of its processes together may use, such as 96MiB", false },                          \
		{ "ready", &ready_shape, "by default: its port accepts connections", false },                          \
		{ "stop", &stop_shape, "by default: TERM, then 5s", false },                                           \
	{                                                                                                              \
		"listen", &listen_shape,                                                                               \
			"port (default): ${sut.port} is a free port; fd: the listening socket is handed over as fd 3 " \
			"(LISTEN_FDS); unix: ${sut.socket} is the path of a Unix socket; none",                        \
			false                                                                                          \
	}

static const struct shape sut_shape = { .name = "the system under test",
	.literal = true,
	OBJECT(PROCESS_KEYS, SPEAKING_KEYS),
	.schema_name = "process" };
static const struct shape service_shape = { .name = "a service",
	.literal = true,
	OBJECT({ "name", &format_literal, "for ${services.NAME.port} and messages", true },
		PROCESS_KEYS) };
static const struct shape services_shape = {
	.kind = SHAPE_LIST, .name = "a list of services", .items = &service_shape, .literal = true
};
static const struct shape profiles_shape = {
	.kind = SHAPE_MAP, .name = "an object of profiles", .items = &sut_shape, .literal = true
};
static const struct shape roots_shape = {
	.kind = SHAPE_MAP, .name = "an object of folders", .items = &format_literal, .literal = true
};
static const struct shape list_command = { .kind = SHAPE_LIST,
	.name = "a command such as [\"build/gateway\", \"--list-faults\"]",
	.items = &format_literal,
	.min_items = 1,
	.literal = true };

static const struct shape faults_shape = {
	.name = "how faults are listed and switched on",
	.literal = true,
	OBJECT({ "list", &list_command, "prints a JSON list of objects with a `name`", true },
		{ "env", &format_literal, "the environment variable that switches one on", true })
};

static const struct shape upstream_shape = { .name = "the upstream",
	.literal = true,
	OBJECT({ "command", &format_command,
		       "the embedded mail server, fresh for each case and cell", false },
		UPSTREAM_KEYS,
		{ "stop", &list_command,
			"what the step `upstream: stop` runs, for a server of one's own", false },
		{ "start", &list_command, "what `upstream: start` runs", false }) };
static const struct shape user_shape = {
	.kind = SHAPE_MAP, .name = "what is known of a user", .items = &format_any
};
static const struct shape users_shape = {
	.kind = SHAPE_MAP, .name = "an object of users", .items = &user_shape, .literal = true
};
static const struct shape adds_shape = { .name = "what a session adds to a request",
	.literal = true,
	OBJECT({ "headers", &format_headers, "header fields", true }) };
static const struct shape sessions_shape = { .name = "sessions",
	.literal = true,
	OBJECT({ "users", &users_shape,
		       "by name, with `password` and whatever the steps need: ${user.name}", true },
		{ "steps", &steps_shape,
			"that sign a user in; what they capture is ${session.NAME}", true },
		{ "adds", &adds_shape, "what `as` adds to each request", true }) };

const struct shape suite_shape = { .name = "a suite",
	.literal = true,
	OBJECT({ "$schema", &format_literal, "for editors", false },
		{ "sut", &sut_shape, "the system under test; without it there is --target alone",
			false },
		{ "services", &services_shape,
			"started in order before the SUT, fresh for each case", false },
		{ "roots", &roots_shape,
			"static roots by name: ${root} is the folder's absolute path", false },
		{ "profiles", &profiles_shape,
			"other servers that a case may put in the SUT's place or in front of it",
			false },
		{ "faults", &faults_shape, "the regressions that the SUT can bring back", false },
		{ "upstream", &upstream_shape, "the mail server behind the SUT", false },
		{ "sessions", &sessions_shape, "how `as` signs a user in", false },
		{ "variables", &format_variables, "for all cases", false }) };
