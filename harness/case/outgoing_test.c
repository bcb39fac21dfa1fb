#include <fcntl.h>

#include "case/case_testing.h"
#include "case/outgoing.h"
#include "case/walk.h"

#define SUITE "{\"sut\": {\"command\": [\"x\"]}}"

/* "GET /x|A: 1|B: 2|(without Host)|(no body)": a request as one line. */
static const char *line_of(struct world *w, const struct outgoing *out)
{
	const char *text = arena_print(w->arena, "%s %s", out->method, out->target);
	for (size_t i = 0; i < out->header_count; i++)
		text = arena_print(
			w->arena, "%s|%s: %s", text, out->headers[i].name, out->headers[i].value);
	if (out->without_host)
		text = arena_print(w->arena, "%s|(without Host)", text);
	if (out->body.ptr)
		text = arena_print(w->arena, "%s|body %.*s", text, SLICE_PRINT(out->body));
	return text;
}

static const struct {
	const char *top, *step, *line, *why;
} requests[] = {
	{ "", "\"/a%20b?x=../y#z\"", "GET /a%20b?x=../y#z", "a target is sent as written" },
	{ "", "{\"head\": \"*\"}", "HEAD *", "verbs" },
	{ "", "{\"request\": \"/x\", \"method\": \"PROPFIND\"}", "PROPFIND /x", "any method" },
	{ "", "{\"get\": \"/${n}/${t2}\"}", "GET /5/X-T", "variables in a target" },
	{ "", "{\"get\": \"/\", \"headers\": {\"A\": \"1\", \"B\": 2, \"C\": \"\", \"D\": null}}",
		"GET /|A: 1|B: 2|C: ", "text, number, empty, left out" },
	{ "", "{\"get\": \"/\", \"headers\": {\"A\": [\"1\", \"2\"]}}", "GET /|A: 1|A: 2",
		"a line each" },
	{ "", "{\"get\": \"/\", \"headers\": {\"A\": []}}", "GET /", "a list of none" },
	{ "", "{\"get\": \"/\", \"headers\": {\"A\": \"${t}\", \"${t2}\": \"x\"}}",
		"GET /|A: a b|X-T: x", "variables" },
	{ "\"headers\": {\"A\": \"1\", \"B\": \"2\"},",
		"{\"get\": \"/\", \"headers\": {\"a\": \"3\"}}", "GET /|B: 2|a: 3",
		"the step's takes the place, in any case" },
	{ "\"headers\": {\"A\": \"1\"},", "{\"get\": \"/\", \"headers\": {\"a\": null}}", "GET /",
		"null takes the case's out" },
	{ "", "{\"get\": \"/\", \"headers\": {\"Host\": null}}", "GET /|(without Host)",
		"no Host" },
	{ "\"headers\": {\"Host\": null},", "{\"get\": \"/\", \"headers\": {\"host\": \"x\"}}",
		"GET /|host: x", "Host after all" },
	{ "", "{\"post\": \"/\", \"body\": \"t=${t}\"}", "POST /|body t=a b", "text" },
	{ "", "{\"post\": \"/\", \"body\": \"\"}", "POST /|body ", "an empty body is one" },
	{ "", "{\"post\": \"/\", \"json\": {\"a\": \"${n}\", \"b\": [null]}}",
		"POST /|Content-Type: application/json|body {\"a\":5,\"b\":[null]}", "JSON" },
	{ "", "{\"post\": \"/\", \"json\": null, \"headers\": {\"content-type\": \"application/x\"}}",
		"POST /|content-type: application/x|body null", "a type of its own" },
	{ "", "{\"post\": \"/\", \"hex\": \"48 65 6C6c 6f\"}", "POST /|body Hello", "bytes" },
};

static enum rc build(
	struct world *w, const char *top, const char *step, struct outgoing *out, struct err *err)
{
	struct errors errors = { 0 };
	const char *text = arena_print(w->arena,
		"{\"title\": \"t\", %s \"variables\": {\"n\": 5, \"t\": \"a b\", \"t2\": \"X-T\","
		" \"nl\": \"a\\r\\nb\", \"list\": [1], \"yes\": true}, \"steps\": [%s]}",
		top, step);
	/* What lint would say as well is what is tested here: the case is used as far as it was read. */
	enum rc rc = world_load(w, SUITE, text, &errors);
	if (rc != RC_OK) {
		rc = err_set(
			err, RC_USAGE, "", "%s", errors.count ? errors.list[0].text : "not loaded");
		errors_release(&errors);
		return rc;
	}
	errors_release(&errors);
	scope_bind_all(w->scope, w->one->variables);
	return outgoing_build(w->scope, w->one, &w->one->steps[0], out, err);
}

START_TEST(built)
{
	struct world w;
	struct outgoing out;
	struct err err = { 0 };
	world_open(&w, false);
	enum rc rc = build(&w, requests[_i].top, requests[_i].step, &out, &err);
	ck_assert_msg(rc == RC_OK, "%s: %s", requests[_i].why, err.text);
	ck_assert_msg(strcmp(line_of(&w, &out), requests[_i].line) == 0, "%s: %s", requests[_i].why,
		line_of(&w, &out));
	world_close(&w);
}
END_TEST

static const struct {
	const char *step, *text, *why;
} refusals[] = {
	{ "\"/a b\"",
		"the target has white space or a control character at byte 2; `raw` sends such bytes",
		"a space ends a target" },
	{ "{\"get\": \"/${t}\"}",
		"the target has white space or a control character at byte 2; `raw` sends such bytes",
		"by a variable" },
	{ "{\"get\": \"\"}", "the target is empty", "empty" },
	{ "{\"request\": \"/\", \"method\": \"GET /x HTTP/1.1\"}",
		"\"GET /x HTTP/1.1\" is no method (RFC 9110 section 9.1); `raw` sends such bytes",
		"another request" },
	{ "{\"get\": \"/\", \"headers\": {\"A\": \"${nl}\"}}",
		"the value of A has a line end in it; `raw` sends such bytes", "another field" },
	{ "{\"get\": \"/\", \"headers\": {\"A: b\": \"x\"}}",
		"\"A: b\" is no name of a header field; `raw` sends such bytes", "a colon" },
	{ "{\"get\": \"/\", \"headers\": {\"A\": \"${yes}\"}}",
		"headers: expected a field value, null to leave it out, or a list with one a line, "
		"found true (at /A)",
		"a bool" },
	{ "{\"get\": \"/\", \"headers\": {\"A\": \"${list}\"}}",
		"headers: expected a text, found 1 (at /A/0)", "a list of numbers" },
	{ "{\"post\": \"/\", \"body\": \"${n}\"}", "body: expected a text, found 5", "no text" },
	{ "{\"post\": \"/\", \"file\": \"/etc/onus-no-such\"}", NULL, "no such file" },
};

START_TEST(refused)
{
	struct world w;
	struct outgoing out;
	struct err err = { 0 };
	world_open(&w, false);
	ck_assert_msg(
		build(&w, "", refusals[_i].step, &out, &err) == RC_USAGE, "%s", refusals[_i].why);
	if (refusals[_i].text)
		ck_assert_msg(strcmp(err.text, refusals[_i].text) == 0, "%s: %s", refusals[_i].why,
			err.text);
	world_close(&w);
}
END_TEST

/* Headers of the case, then of each group around the step from the outside in, then its own. */
START_TEST(inherited)
{
	struct world w;
	struct outgoing out;
	struct err err = { 0 };
	world_open(&w, false);
	world_load_sound(&w, SUITE,
		"{\"title\": \"t\", \"headers\": {\"A\": \"case\", \"B\": \"case\", \"C\": \"case\"},"
		" \"steps\": [{\"headers\": {\"B\": \"outer\", \"C\": \"outer\"}, \"group\": ["
		" {\"headers\": {\"C\": null, \"D\": \"inner\"}, \"group\": [\"/x\","
		" {\"get\": \"/y\", \"headers\": {\"C\": \"own\"}}]}]}]}");
	const struct step *inner = w.one->steps[0].steps[0].steps;
	ck_assert(outgoing_build(w.scope, w.one, &inner[0], &out, &err) == RC_OK);
	ck_assert_str_eq(line_of(&w, &out), "GET /x|A: case|B: outer|D: inner");
	ck_assert(outgoing_build(w.scope, w.one, &inner[1], &out, &err) == RC_OK);
	ck_assert_str_eq(line_of(&w, &out), "GET /y|A: case|B: outer|D: inner|C: own");
	world_close(&w);
}
END_TEST

START_TEST(file_bodies)
{
	struct world w;
	struct outgoing out;
	struct err err = { 0 };
	char folder[] = "/tmp/outgoing_test.XXXXXX";
	world_open(&w, false);
	ck_assert_ptr_nonnull(mkdtemp(folder));
	const char *path = arena_print(w.arena, "%s/body.bin", folder);
	int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
	ck_assert(fd >= 0 && write(fd, "a\0b", 3) == 3);
	close(fd);
	world_load_sound(
		&w, SUITE, "{\"title\": \"t\", \"steps\": [{\"put\": \"/\", \"hex\": \"00\"}]}");
	w.one->path = arena_print(w.arena, "%s/case.json", folder);
	cJSON *node = tree_of(&w, "{\"put\": \"/\", \"file\": \"body.bin\"}");
	w.one->steps[0].node = node;
	w.one->steps[0].subject = json_get(node, "put");
	ck_assert_msg(outgoing_build(w.scope, w.one, &w.one->steps[0], &out, &err) == RC_OK, "%s",
		err.text);
	char bytes[8];
	ck_assert_ptr_null(out.body.ptr);
	ck_assert_uint_eq(out.file_bytes, 3);
	ck_assert_int_eq(pread(out.file_fd, bytes, sizeof bytes, 0), 3);
	ck_assert_int_eq(memcmp(bytes, "a\0b", 3), 0);
	ck_assert_str_eq(out.file, path);
	unlink(path);
	rmdir(folder);
	world_close(&w);
}
END_TEST

/* The caps of a head: a thousand fields (Content-Type is one of them), 256 KiB. */
START_TEST(head_has_an_end)
{
	struct world w;
	struct outgoing out;
	struct err err = { 0 };
	static const struct {
		int fields, value_bytes;
		const char *body, *error;
	} HEADS[] = {
		{ 1000, 1, "", NULL },
		{ 1001, 1, "", "more than 1000 header fields; `raw` sends them" },
		{ 1000, 1, ", \"json\": 1", "more than 1000 header fields; `raw` sends them" },
		{ 2, 131000, "", NULL },
		{ 2, 132000, "",
			"the head of the request has more than 262144 bytes; `raw` sends such heads" },
	};
	for (size_t i = 0; i < sizeof HEADS / sizeof *HEADS; i++) {
		world_open(&w, false);
		world_load_sound(&w, SUITE, "{\"title\": \"t\", \"steps\": [\"/\"]}");
		cJSON *step = tree_of(&w,
			arena_print(w.arena, "{\"put\": \"/\", \"headers\": {}%s}", HEADS[i].body));
		char *value = arena_alloc(w.arena, (size_t)HEADS[i].value_bytes + 1, 1);
		memset(value, 'x', (size_t)HEADS[i].value_bytes);
		for (int j = 0; j < HEADS[i].fields; j++)
			cJSON_AddStringToObject(cJSON_GetObjectItem(step, "headers"),
				arena_print(w.arena, "X%d", j), value);
		w.one->steps[0].node = step;
		w.one->steps[0].subject = step->child;
		bool fits = outgoing_build(w.scope, w.one, &w.one->steps[0], &out, &err) == RC_OK;
		ck_assert_msg(fits == !HEADS[i].error, "%zu: %s", i, err.text);
		if (HEADS[i].error)
			ck_assert_str_eq(err.text, HEADS[i].error);
		else
			ck_assert_uint_eq(out.header_count, (size_t)HEADS[i].fields);
		world_close(&w);
	}
}
END_TEST

/* What lint does not know yet is no reason to complain. */
START_TEST(not_known_yet)
{
	struct world w;
	struct outgoing out;
	struct err err = { 0 };
	static const char *const STEPS[] = { "{\"get\": \"/${later} \"}",
		"{\"put\": \"/\", \"file\": \"${later}\"}",
		"{\"put\": \"/\", \"hex\": \"${later}\"}",
		"{\"request\": \"/\", \"method\": \"${later}\"}",
		"{\"get\": \"/\", \"headers\": {\"A\": \"${later}\"}}" };
	for (size_t i = 0; i < sizeof STEPS / sizeof *STEPS; i++) {
		world_open(&w, true);
		world_load_sound(&w, SUITE,
			arena_print(w.arena,
				"{\"title\": \"t\", \"steps\": [{\"get\": \"/\", \"capture\":"
				" {\"later\": {\"body\": true}}}, %s]}",
				STEPS[i]));
		world_bind(&w, "{\"later\": null}", BINDING_RECEIVED);
		ck_assert_msg(outgoing_build(w.scope, w.one, &w.one->steps[1], &out, &err) == RC_OK,
			"%s: %s", STEPS[i], err.text);
		ck_assert_ptr_null(out.body.ptr);
		world_close(&w);
	}
}
END_TEST

static const struct {
	const char *text, *bytes;
	size_t count;
} hexes[] = { { "", "", 0 }, { "00", "\0", 1 }, { "1f 8B", "\x1f\x8b", 2 },
	{ "aA Bb 09", "\xaa\xbb\x09", 3 }, { "1 2", "\x12", 1 } };

START_TEST(hex)
{
	struct world w;
	world_open(&w, false);
	ck_assert(slice_equal(outgoing_hex(w.arena, hexes[_i].text),
		slice_from(hexes[_i].bytes, hexes[_i].count)));
	world_close(&w);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("outgoing");
	tcase_add_loop_test(tests, built, 0, COUNT(requests));
	tcase_add_loop_test(tests, refused, 0, COUNT(refusals));
	tcase_add_test(tests, inherited);
	tcase_add_test(tests, file_bodies);
	tcase_add_test(tests, head_has_an_end);
	tcase_add_test(tests, not_known_yet);
	tcase_add_loop_test(tests, hex, 0, COUNT(hexes));
	Suite *suite = suite_create("case/outgoing");
	suite_add_tcase(suite, tests);
	return run_tests(suite);
}
