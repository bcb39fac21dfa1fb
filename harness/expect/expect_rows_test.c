#include "expect/expect.h"
#include "expect/matcher_fixture.h"

/* What was received, hand-built; times in ms since the start, 0 for never. */
struct answer {
	const char *name, *method;
	int status;
	const char *headers, *wire, *dechunked,
		*decoded; /* dechunked and decoded: NULL as the one before */
	const char *coding_error, *magic, *violation;
	enum failure failure;
	bool reused, closed;
	int headers_ms, total_ms;
};

static const struct answer answers[] = {
	{ .name = "plain",
		.status = 200,
		.headers = "Content-Type: text/css\nContent-Length: 3",
		.wire = "abc",
		.headers_ms = 10,
		.total_ms = 20 },
	{ .name = "gzip",
		.status = 200,
		.headers = "Content-Encoding: gzip\nVary: Accept-Encoding",
		.wire = "2\r\nzz\r\n0\r\n\r\n",
		.dechunked = "zz",
		.decoded = "abcdef",
		.reused = true,
		.closed = true },
	{ .name = "twice",
		.status = 200,
		.headers = "Content-Encoding: gzip\nContent-Encoding: gzip",
		.wire = "zz",
		.decoded = "abc" },
	{ .name = "listed",
		.status = 200,
		.headers = "Content-Encoding: gzip, gzip",
		.wire = "zz",
		.decoded = "abc" },
	{ .name = "magic",
		.status = 200,
		.headers = "Content-Encoding: gzip",
		.wire = "zz",
		.decoded = "\x1f\x8b",
		.magic = "gzip" },
	{ .name = "corrupt",
		.status = 200,
		.headers = "Content-Encoding: gzip",
		.wire = "zz",
		.decoded = "",
		.coding_error = "gzip: wrong checksum" },
	{ .name = "upper",
		.status = 200,
		.headers = "Content-Encoding: GZIP",
		.wire = "zz",
		.decoded = "abc" },
	{ .name = "identity",
		.status = 200,
		.headers = "Content-Encoding: identity",
		.wire = "abc" },
	{ .name = "head",
		.method = "HEAD",
		.status = 200,
		.headers = "Content-Encoding: gzip\nContent-Length: 99",
		.wire = "",
		.coding_error = "gzip: no data" },
	{ .name = "304", .status = 304, .headers = "ETag: \"a\"", .wire = "" },
	{ .name = "short",
		.status = 200,
		.headers = "Content-Length: 9",
		.wire = "abc",
		.failure = FAILURE_CLOSED,
		.violation = "truncated" },
	{ .name = "lengths",
		.status = 200,
		.headers = "Content-Length: 3\nContent-Length: 3",
		.wire = "abc",
		.violation = "length-repeated" },
	{ .name = "json",
		.status = 404,
		.headers = "Content-Type: application/json",
		.wire = "{\"a/b\": [{\"n\": 1}, {\"n\": 2}], \"z\": null}" },
	{ .name = "text", .status = 500, .headers = "", .wire = "{\"a\": }" },
	{ .name = "refused", .status = 0, .headers = "", .wire = "", .failure = FAILURE_REFUSED },
};

static struct slice or_before(const char *text, struct slice before)
{
	return text ? slice_of(text) : before;
}

static void fill(struct fixture *f, const char *name)
{
	const struct answer *a = answers;
	while (strcmp(a->name, name) != 0)
		ck_assert(++a < answers + sizeof answers / sizeof *answers);
	struct exchange *x = &f->own;
	struct slice bodies[LAYER_COUNT] = { slice_of(a->wire) };
	bodies[LAYER_DECHUNKED] = or_before(a->dechunked, bodies[LAYER_WIRE]);
	bodies[LAYER_DECODED] = or_before(a->decoded, bodies[LAYER_DECHUNKED]);
	for (int i = 0; i < LAYER_COUNT; i++) {
		struct exchange one = { 0 };
		fill_layers(f, &one, bodies[i]);
		x->layers[i] = one.layers[i];
	}
	x->method = a->method ? a->method : "GET";
	x->status = a->status;
	x->reason = slice_of(a->status == 500 ? "Not\033[1m Good" : "");
	x->headers = headers_of(f->arena, a->headers);
	const char *length = strstr(a->headers, "Content-Length: ");
	x->has_length = length != NULL;
	x->length = length ? strtoull(length + 16, NULL, 10) : 0;
	x->coding_error = a->coding_error;
	x->magic = a->magic;
	if (a->violation) {
		x->violations = arena_alloc(f->arena, 1, sizeof *x->violations);
		*x->violations = (struct violation){ a->violation, "somewhere" };
		x->violation_count = 1;
	}
	x->failure = a->failure;
	x->failure_text = a->failure ? "connection refused" : NULL;
	x->reused = a->reused;
	x->closed = a->closed;
	x->timing.start_ns = 1000;
	x->timing.headers_ns = a->headers_ms ? 1000 + a->headers_ms * INT64_C(1000000) : 0;
	x->timing.first_byte_ns = x->timing.headers_ns;
	x->timing.end_ns = 1000 + a->total_ms * INT64_C(1000000);
}

static const struct row {
	const char *answer, *expect;
	size_t checks;
	const char *finding; /* "pointer: what: expected: found" of the only one, or NULL */
	const char *why;
} rows[] = {
	{ "plain", "{\"status\": 200}", 1, NULL, "a number" },
	{ "plain", "{\"status\": \"2xx\"}", 1, NULL, "a class" },
	{ "plain", "{\"status\": [404, \"2xx\"]}", 1, NULL, "a list" },
	{ "json", "{\"status\": \"2xx\"}", 1, "/status: status: 2xx: 404", "another class" },
	{ "json", "{\"status\": [200, \"3xx\"]}", 1, "/status: status: one of 200, 3xx: 404",
		"none of the list" },
	{ "304", "{\"status\": 200}", 1, "/status: status: 200: 304", "another number" },
	{ "text", "{\"status\": 200}", 1, "/status: status: 200: 500 Not\\x1b[1m Good",
		"the reason is told, escaped" },

	{ "plain", "{\"headers\": {\"content-type\": \"text/css\", \"Vary\": null}}", 2, NULL,
		"names in any case; each header is a check" },
	{ "plain", "{\"headers\": {\"Vary\": {\"has\": \"accept-encoding\"}}}", 1,
		"/headers/Vary: header Vary: has token accept-encoding: absent", "the sample" },
	{ "gzip", "{\"headers\": {\"Vary\": null}}", 1,
		"/headers/Vary: header Vary: absent: \"Accept-Encoding\"", "there it is" },
	{ "plain", "{\"headers\": {\"A/~b\": \"x\"}}", 1,
		"/headers/A~1~0b: header A/~b: \"x\": absent", "pointers are escaped (RFC 6901)" },
	{ "gzip",
		"{\"headers\": {\"*\": {\"same_as\": \"page\", \"except\": [\"ETag\", \"Date\", \"X-Two\", \"Vary\"]}}}",
		1,
		"/headers/*: headers: same as page, except ETag, except Date, except X-Two, except Vary: "
		"Content-Encoding: \"gzip\", and there absent",
		"all of them" },

	{ "gzip",
		"{\"body\": \"abcdef\", \"body.dechunked\": \"zz\", \"body.wire\": {\"matches\": \"^2\\\\r\\\\nzz\"}}",
		3, NULL, "three layers" },
	{ "gzip", "{\"body.dechunked\": \"abcdef\"}", 1,
		"/body.dechunked: body.dechunked: \"abcdef\": \"zz\"", "not yet decoded" },
	{ "corrupt", "{\"body\": \"\"}", 1,
		"/body: body: \"\": a body that can't be decoded: gzip: wrong checksum",
		"what can't be decoded has no text" },
	{ "304", "{\"body\": \"\"}", 1, NULL, "no body is an empty one" },

	{ "json", "{\"json\": {\"/a~1b/0/n\": 1, \"/z\": null, \"/y\": {\"exists\": false}}}", 3,
		NULL, "pointers" },
	{ "json", "{\"json\": {\"/a~1b/*/n\": [1, 2]}}", 1, NULL, "* over an array" },
	{ "json", "{\"json\": {\"/a~1b/0/n\": 2}}", 1, "/json/~1a~01b~10~1n: json /a~1b/0/n: 2: 1",
		"a pointer in a pointer" },
	{ "json", "{\"json\": {\"\": {\"count\": 2}}}", 1, NULL, "the whole" },

	{ "plain", "{\"coding\": \"none\"}", 1, NULL, "none" },
	{ "gzip", "{\"coding\": \"gzip\"}", 1, NULL, "gzip" },
	{ "upper", "{\"coding\": \"gzip\"}", 1, NULL,
		"codings have no case (RFC 9110 section 8.4.1)" },
	{ "head", "{\"coding\": \"gzip\"}", 1, NULL, "an answer to HEAD has nothing to decode" },
	{ "gzip", "{\"coding\": \"none\"}", 1,
		"/coding: coding: no Content-Encoding: Content-Encoding \"gzip\"", "coded" },
	{ "identity", "{\"coding\": \"none\"}", 1,
		"/coding: coding: no Content-Encoding: Content-Encoding \"identity\"",
		"identity is not to be sent (RFC 9110 section 8.4.1)" },
	{ "plain", "{\"coding\": \"gzip\"}", 1,
		"/coding: coding: gzip: one Content-Encoding line, one decode: no Content-Encoding",
		"not coded" },
	{ "gzip", "{\"coding\": \"br\"}", 1,
		"/coding: coding: br: one Content-Encoding line, one decode: Content-Encoding \"gzip\"",
		"another" },
	{ "twice", "{\"coding\": \"gzip\"}", 1,
		"/coding: coding: gzip: one Content-Encoding line, one decode: "
		"Content-Encoding \"gzip, gzip\" in 2 lines",
		"two lines" },
	{ "listed", "{\"coding\": \"gzip\"}", 1,
		"/coding: coding: gzip: one Content-Encoding line, one decode: "
		"Content-Encoding \"gzip, gzip\"",
		"two codings" },
	{ "magic", "{\"coding\": \"gzip\"}", 1,
		"/coding: coding: gzip: one Content-Encoding line, one decode: "
		"the magic number of gzip at the start of the decoded body: coded twice",
		"coded twice, said once" },
	{ "corrupt", "{\"coding\": \"gzip\"}", 1,
		"/coding: coding: gzip: one Content-Encoding line, one decode: "
		"a body that can't be decoded: gzip: wrong checksum",
		"broken" },

	{ "plain", "{\"length\": \"exact\"}", 1, NULL, "equal" },
	{ "head", "{\"length\": \"exact\"}", 1, NULL, "to HEAD it is only sent" },
	{ "gzip", "{\"length\": \"absent\"}", 1, NULL, "chunked" },
	{ "gzip", "{\"length\": \"exact\"}", 1,
		"/length: length: one Content-Length, equal to the bytes on the wire: no Content-Length",
		"absent" },
	{ "304", "{\"length\": \"exact\"}", 1,
		"/length: length: one Content-Length: no Content-Length", "304 without" },
	{ "plain", "{\"length\": \"absent\"}", 1,
		"/length: length: no Content-Length: Content-Length \"3\", and 3 bytes on the wire",
		"sent" },
	{ "short", "{\"length\": \"exact\"}", 1,
		"/length: length: one Content-Length, equal to the bytes on the wire: "
		"Content-Length \"9\", and 3 bytes on the wire",
		"not equal" },
	{ "lengths", "{\"length\": \"exact\"}", 1,
		"/length: length: one Content-Length, equal to the bytes on the wire: "
		"Content-Length \"3, 3\" in 2 lines, and 3 bytes on the wire",
		"twice" },

	{ "plain", "{\"framing\": \"strict\"}", 1, NULL, "no violation" },
	{ "short", "{\"framing\": \"truncated\"}", 1, NULL, "that violation" },
	{ "short", "{\"framing\": [\"truncated\"]}", 1, NULL, "exactly these" },
	{ "short", "{\"framing\": {\"has\": \"truncated\"}}", 1, NULL, "among others" },
	{ "short", "{\"framing\": {\"one_of\": [\"surplus\", \"truncated\"]}}", 1, NULL,
		"one of these" },
	{ "short", "{\"framing\": \"strict\"}", 1,
		"/framing: framing: strict: truncated: somewhere", "a violation" },
	{ "short", "{\"framing\": \"surplus\"}", 1,
		"/framing: framing: exactly surplus: truncated: somewhere", "another" },
	{ "short", "{\"framing\": [\"truncated\", \"surplus\"]}", 1,
		"/framing: framing: exactly truncated, surplus: truncated: somewhere",
		"one is missing" },
	{ "plain", "{\"framing\": \"truncated\"}", 1,
		"/framing: framing: exactly truncated: no violation", "none" },
	{ "short", "{\"framing\": {\"one_of\": [\"surplus\", \"unasked\"]}}", 1,
		"/framing: framing: one of surplus, unasked: truncated: somewhere",
		"none of these" },

	{ "gzip", "{\"connection\": \"reused\"}", 1, NULL, "reused" },
	{ "plain", "{\"connection\": \"new\"}", 1, NULL, "new" },
	{ "gzip", "{\"connection\": \"closed\"}", 1, NULL, "closed" },
	{ "plain", "{\"connection\": \"closed\"}", 1, "/connection: connection: closed: kept open",
		"open" },
	{ "plain", "{\"connection\": \"reused\"}", 1, "/connection: connection: reused: new",
		"new" },
	{ "gzip", "{\"connection\": \"new\"}", 1, "/connection: connection: new: reused",
		"reused" },

	{ "gzip",
		"{\"bytes.wire\": \"== 12B\", \"bytes.dechunked\": \"< 50% of 6B\", \"bytes.decoded\": \"6B..7B\"}",
		3, NULL, "2 CR LF zz CR LF 0 CR LF CR LF are 12 bytes" },
	{ "gzip", "{\"bytes.decoded\": \">= 1kB\"}", 1,
		"/bytes.decoded: bytes.decoded: >= 1 kB: 6 B", "too few" },

	{ "plain",
		"{\"time.headers\": \"<= 10ms\", \"time.first_byte\": \"< 11ms\", \"time.total\": \"20ms..21ms\"}",
		3, NULL, "from the start" },
	{ "plain", "{\"time.total\": \"< 20ms\"}", 1, "/time.total: time.total: < 20 ms: 20 ms",
		"too slow" },
	{ "refused", "{\"time.headers\": \"< 1s\"}", 1,
		"/time.headers: time.headers: < 1 s: never came", "never came" },
	{ "short", "{\"time.total\": \"< 1s\"}", 1, "/time.total: time.total: < 1 s: never came",
		"what was broken off was never whole" },

	{ "plain", "{\"any_of\": [{\"status\": 422}, {\"status\": 200, \"body\": \"abc\"}]}", 1,
		NULL, "an alternative holds; any_of is one check" },
	{ "plain",
		"{\"any_of\": [{\"status\": 422, \"body\": \"x\"}, {\"status\": 200, \"body\": \"abd\"}]}",
		1,
		"/any_of: any_of: one of 2 alternatives: "
		"number 1 came nearest: body: expected \"abd\", found \"abc\"",
		"fewest findings" },
	{ "json", "{\"any_of\": [{\"status\": 422}, {\"headers\": {\"Vary\": null}}]}", 1,
		"/any_of: any_of: one of 2 alternatives: "
		"number 0 came nearest: status: expected 422, found 404",
		"2xx is implied for the alternative that names no status" },
	{ "json",
		"{\"status\": 404, \"any_of\": [{\"body\": \"\"}, {\"any_of\": [{\"headers\": {\"Vary\": null}}]}]}",
		2, NULL, "alternatives in alternatives" },
	{ "short", "{\"any_of\": [{\"framing\": \"surplus\"}, {\"body\": \"abc\"}]}", 1,
		"/any_of: any_of: one of 2 alternatives: number 0 came nearest: framing: "
		"expected exactly surplus, found truncated: somewhere",
		"strict is implied for the alternative that names no framing" },
};

START_TEST(test_rows)
{
	struct fixture f;
	struct err err = { .text = "" };
	const struct row *row = &rows[_i];
	set_up(&f);
	fill(&f, row->answer);
	cJSON *group = json_parse(slice_of(row->expect), &err);
	ck_assert_msg(group != NULL, "%s: %s", row->expect, err.text);
	enum rc rc = expect_check(group, &f.j, &err);
	ck_assert_msg(rc == RC_OK, "%s: %s", row->expect, err.text);
	ck_assert_msg(!f.j.has_error, "%s: %s", row->expect, f.j.error.text);
	ck_assert_msg(f.j.checks == row->checks, "%s: %zu checks", row->expect, f.j.checks);
	const struct broken *b = f.j.broken;
	const char *found = f.j.broken_count ? arena_print(f.arena, "%s: %s: %s: %s", b->pointer,
						       b->what, b->expected, b->found)
					     : NULL;
	ck_assert_msg(f.j.broken_count <= 1, "%s: %zu findings", row->expect, f.j.broken_count);
	ck_assert_msg(!found == !row->finding && (!found || !strcmp(found, row->finding)),
		"%s on %s (%s):\nexpected %s\nfound    %s", row->expect, row->answer, row->why,
		row->finding, found);
	cJSON_Delete(group);
	tear_down(&f);
}
END_TEST

/* Invalid JSON: one finding for all pointers, which says where. */
START_TEST(test_invalid_json)
{
	struct fixture f;
	struct err err = { .text = "" };
	set_up(&f);
	fill(&f, "text");
	cJSON *group = cJSON_Parse("{\"json\": {\"/a\": 1, \"/b\": 2}}");
	ck_assert_int_eq(expect_check(group, &f.j, &err), RC_OK);
	ck_assert_uint_eq(f.j.broken_count, 1);
	ck_assert_str_eq(f.j.broken[0].pointer, "/json");
	ck_assert_str_eq(f.j.broken[0].expected, "a body of JSON");
	ck_assert_ptr_nonnull(strstr(f.j.broken[0].found, "line 1, column 7"));
	cJSON_Delete(group);
	tear_down(&f);
}
END_TEST

static const struct {
	const char *answer;
	bool judged;
	const char *pointers; /* of all findings of expect_answer and the defaults */
	const char *why;
} defaults[] = {
	{ "plain", true, "", "all is well" },
	{ "json", true, "/status", "404 is no 2xx" },
	{ "lengths", true, "/framing", "a violation" },
	{ "short", true, "/framing", "the violation explains the failure" },
	{ "refused", false, "", "no answer at all: one finding, at the group" },
};

START_TEST(test_defaults)
{
	struct fixture f;
	set_up(&f);
	fill(&f, defaults[_i].answer);
	bool judged = expect_answer(&f.j);
	ck_assert_int_eq(judged, defaults[_i].judged);
	ck_assert_uint_eq(f.j.broken_count, judged ? 0 : 1);
	if (judged) {
		expect_status_default(&f.j);
		expect_framing_default(&f.j);
	} else {
		ck_assert_str_eq(f.j.broken[0].expected, "an answer");
		ck_assert_str_eq(f.j.broken[0].found, "connection refused");
	}
	const char *pointers = "";
	for (size_t i = 0; i < f.j.broken_count; i++)
		pointers = arena_print(f.arena, "%s%s", pointers, f.j.broken[i].pointer);
	ck_assert_str_eq(pointers, defaults[_i].pointers);
	ck_assert_uint_eq(f.j.checks, 0);
	tear_down(&f);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("expect_rows");
	TCase *tc = tcase_create("expect_rows");
#define ROWS(table) (int)(sizeof(table) / sizeof *(table))
	tcase_add_loop_test(tc, test_rows, 0, ROWS(rows));
	tcase_add_loop_test(tc, test_defaults, 0, ROWS(defaults));
	tcase_add_test(tc, test_invalid_json);
	suite_add_tcase(suite, tc);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
