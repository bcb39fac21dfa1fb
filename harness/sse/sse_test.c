#include "sse/sse.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/rng.h"
#include "sse/utf8.h"

enum { STREAMS = 4000, CUTS = 6, TOKENS_MAX = 60, LOG_BYTES = 1 << 22, SMALL_BYTES = 24 };

/* What came out, one line each: "type|data|id", ":comment", and at the end what is known about the stream. */
static void log_event(struct buf *log, const struct sse_event *event)
{
	bool comment = event->kind == SSE_COMMENT;
	struct slice parts[] = { slice_of(comment ? ":" : ""), event->type,
		slice_of(comment ? "" : "|"), event->data, slice_of(comment ? "" : "|"), event->id,
		slice_of("\n") };
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		ck_assert_ptr_nonnull(parts[i].ptr);
		ck_assert(buf_append(log, parts[i]) == RC_OK);
	}
}

static enum rc drain(struct sse *sse, struct buf *log, struct err *err)
{
	struct sse_event event;
	enum rc rc;
	while ((rc = sse_next(sse, &event, err)) == RC_OK)
		log_event(log, &event);
	return rc;
}

static void log_end(struct sse *sse, enum rc rc, struct buf *log)
{
	ck_assert(buf_print(log, "rc %d id %.*s retry %" PRId64 " cut %d wrong %" PRId64 "\n", rc,
			  SLICE_PRINT(sse_last_id(sse)), sse_retry_ms(sse), sse_in_event(sse),
			  sse_not_utf8_at(sse)) == RC_OK);
}

/* The whole stream in one push. */
static enum rc parse(struct slice stream, size_t max_bytes, struct buf *log)
{
	struct sse *sse = sse_new(max_bytes);
	sse_push(sse, stream);
	enum rc rc = drain(sse, log, NULL);
	log_end(sse, rc, log);
	sse_free(sse);
	return rc;
}

/* In pieces, each in memory of its own that is gone when the next one comes. */
static void parse_cut(struct slice stream, size_t max_bytes, struct rng *rng, struct buf *log)
{
	struct sse *sse = sse_new(max_bytes);
	size_t longest = 1 + (size_t)rng_below(rng, 12);
	enum rc rc = RC_NOT_FOUND;
	for (size_t at = 0; at < stream.len && rc == RC_NOT_FOUND;) {
		struct slice piece = slice_part(stream, at, (size_t)rng_below(rng, longest + 1));
		uint8_t *own = mem_alloc(piece.len + 1, 1);
		if (piece.len)
			memcpy(own, piece.ptr, piece.len);
		sse_push(sse, slice_from(own, piece.len));
		rc = drain(sse, log, NULL);
		free(own);
		at += piece.len;
	}
	log_end(sse, rc, log);
	sse_free(sse);
}

#define BYTES(text)                                                                                \
	{                                                                                          \
		(const uint8_t *)(text), sizeof(text) - 1                                          \
	}

static const struct {
	const char *why;
	struct slice stream;
	const char *events; /* as logged, without the last line */
	const char *id;
	int64_t retry_ms;
	bool in_event;
} rows[] = {
	/* The examples of the standard's section 9.2.6. */
	{ "WHATWG: one event of three lines", BYTES("data: YHOO\ndata: +2\ndata: 10\n\n"),
		"message|YHOO\n+2\n10|\n", "", -1, false },
	{ "WHATWG: a comment, two events with id, one that resets it; its data keeps a space",
		BYTES(": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n"),
		": test stream\nmessage|first event|1\nmessage|second event|\nmessage| third event|\n",
		"", -1, false },
	{ "WHATWG: the empty data, then a line feed; the last block is cut",
		BYTES("data\n\ndata\ndata\n\ndata:"), "message||\nmessage|\n|\n", "", -1, true },
	{ "WHATWG: a space behind the colon says nothing", BYTES("data:test\n\ndata: test\n\n"),
		"message|test|\nmessage|test|\n", "", -1, false },
	/* Section 9.2.1's examples, with event names. */
	{ "WHATWG: two lines, then another",
		BYTES("data: This is the first message.\n\ndata: This is the second "
		      "message, it\ndata: has two lines.\n\n"),
		"message|This is the first message.|\nmessage|This is the second message, it\nhas two lines.|\n",
		"", -1, false },
	{ "WHATWG: named events",
		BYTES("event: add\ndata: 73857293\n\nevent: remove\ndata: 2153\n\n"),
		"add|73857293|\nremove|2153|\n", "", -1, false },
	{ "the event type is the block's, not the stream's", BYTES("event:a\ndata:1\n\ndata:2\n\n"),
		"a|1|\nmessage|2|\n", "", -1, false },
	{ "the last of several types", BYTES("event:a\nevent:b\ndata:1\n\n"), "b|1|\n", "", -1,
		false },
	{ "an empty type is none", BYTES("event:a\nevent\ndata:1\n\n"), "message|1|\n", "", -1,
		false },
	{ "a type without data dispatches nothing, and is forgotten",
		BYTES("event:a\n\ndata:1\n\n"), "message|1|\n", "", -1, false },
	{ "CR ends lines", BYTES("event:a\rdata:1\rdata:2\r\rdata:3\r\r"), "a|1\n2|\nmessage|3|\n",
		"", -1, false },
	{ "CR LF ends lines", BYTES("event:a\r\ndata:1\r\ndata:2\r\n\r\n"), "a|1\n2|\n", "", -1,
		false },
	{ "all ends mixed", BYTES("data:1\rdata:2\r\ndata:3\n\r\ndata:4\n\r"),
		"message|1\n2\n3|\nmessage|4|\n", "", -1, false },
	{ "LF CR is two ends", BYTES("data:1\n\rdata:2\n\r"), "message|1|\nmessage|2|\n", "", -1,
		false },
	{ "no other character ends a line", BYTES("data:1\v\f\xc2\x85\xe2\x80\xa8x\n\n"),
		"message|1\v\f\xc2\x85\xe2\x80\xa8x|\n", "", -1, false },
	{ "a byte order mark is skipped",
		BYTES("\xef\xbb\xbf"
		      "data:1\n\n"),
		"message|1|\n", "", -1, false },
	{ "one alone, and only at the start",
		BYTES("\xef\xbb\xbf\xef\xbb\xbf"
		      "data:1\n\n\xef\xbb\xbf"
		      "data:2\n\ndata:3\n\n"),
		"message|3|\n", "", -1, false },
	{ "a mark before an empty line", BYTES("\xef\xbb\xbf\ndata:1\n\n"), "message|1|\n", "", -1,
		false },
	{ "comments, empty ones too, are told and split nothing",
		BYTES(":\ndata:1\n:ping\ndata:2\n\n"), ":\n:ping\nmessage|1\n2|\n", "", -1, false },
	{ "an id stays until another comes", BYTES("id:7\ndata:1\n\ndata:2\n\nid:8\ndata:3\n\n"),
		"message|1|7\nmessage|2|7\nmessage|3|8\n", "8", -1, false },
	{ "an id counts from its empty line on, without data too", BYTES("id: 7\n\ndata:1\n\n"),
		"message|1|7\n", "7", -1, false },
	{ "an id without its empty line doesn't", BYTES("id:7\n\nid:8\n"), "", "7", -1, true },
	{ "an id with NUL is ignored",
		BYTES("id:7\nid:8\0"
		      "9\ndata:1\n\n"),
		"message|1|7\n", "7", -1, false },
	{ "retry in milliseconds", BYTES("retry:3000\n"), "", "", 3000, true },
	{ "at once, before the empty line", BYTES("retry: 0\n\nretry:20\n"), "", "", 20, true },
	{ "retry takes digits alone",
		BYTES("retry:10\nretry:-1\nretry:1.5\nretry: 1e3\nretry:  5\nretry:7 \n"), "", "",
		10, true },
	{ "retry without value", BYTES("retry:10\nretry\nretry:\nretry: \n\n"), "", "", 10, false },
	{ "retry past any number", BYTES("retry:99999999999999999999\n\n"), "", "", INT64_MAX,
		false },
	{ "unknown fields, and names are compared exactly",
		BYTES("datax:1\nDATA:2\ndata :3\n data:4\nx\n\n"), "", "", -1, false },
	{ "a colon in the value", BYTES("data:a:b: c\n\n"), "message|a:b: c|\n", "", -1, false },
	{ "one space is dropped, a tab is not", BYTES("data:\ta\ndata:  b\n\n"),
		"message|\ta\n b|\n", "", -1, false },
	{ "an event without its empty line", BYTES("data:1\n\ndata:2\n"), "message|1|\n", "", -1,
		true },
	{ "an event cut in its line", BYTES("data:1\n\ndata:2"), "message|1|\n", "", -1, true },
	{ "a cut comment", BYTES("data:1\n\n:pi"), "message|1|\n", "", -1, true },
	{ "only a mark and nothing", BYTES(""), "", "", -1, false },
	{ "empty lines dispatch nothing", BYTES("\n\r\n\r\n\r"), "", "", -1, false },
};

START_TEST(events)
{
	struct buf log;
	buf_init(&log, LOG_BYTES);
	struct sse *sse = sse_new(SSE_MAX_BYTES);
	sse_push(sse, rows[_i].stream);
	ck_assert_msg(drain(sse, &log, NULL) == RC_NOT_FOUND, "%s", rows[_i].why);
	ck_assert_msg(slice_is(buf_slice(&log), rows[_i].events), "%s: %.*s", rows[_i].why,
		SLICE_PRINT(buf_slice(&log)));
	ck_assert_msg(slice_is(sse_last_id(sse), rows[_i].id), "%s", rows[_i].why);
	ck_assert_msg(sse_retry_ms(sse) == rows[_i].retry_ms, "%s", rows[_i].why);
	ck_assert_msg(sse_in_event(sse) == rows[_i].in_event, "%s", rows[_i].why);
	ck_assert_msg(sse_not_utf8_at(sse) == -1, "%s", rows[_i].why);
	sse_free(sse);
	buf_release(&log);
}
END_TEST

/* Every row in two pieces, cut at every place, and byte by byte. */
START_TEST(cut_everywhere)
{
	struct slice stream = rows[_i].stream;
	struct buf log;
	buf_init(&log, LOG_BYTES);
	for (size_t cut = 0; cut <= stream.len + 1; cut++) {
		struct sse *sse = sse_new(SSE_MAX_BYTES);
		size_t step = cut <= stream.len ? cut : 1;
		for (size_t at = 0, n = step; at < stream.len;
			at += n, n = step == cut ? SIZE_MAX / 2 : 1) {
			sse_push(sse, slice_part(stream, at, n));
			ck_assert(drain(sse, &log, NULL) == RC_NOT_FOUND);
		}
		ck_assert_msg(slice_is(buf_slice(&log), rows[_i].events), "%s, cut at %zu: %.*s",
			rows[_i].why, cut, SLICE_PRINT(buf_slice(&log)));
		ck_assert_msg(sse_in_event(sse) == rows[_i].in_event, "%s, cut at %zu",
			rows[_i].why, cut);
		sse_free(sse);
		buf_clear(&log);
	}
	buf_release(&log);
}
END_TEST

/* Lines and ends that matter to the parser, drawn at random. */
static void draw_stream(struct rng *rng, struct buf *stream)
{
	static const struct slice tokens[] = {
		BYTES("data: a"),
		BYTES("data:"),
		BYTES("data"),
		BYTES("data:b:c"),
		BYTES("event: state"),
		BYTES("event"),
		BYTES("id: 4"),
		BYTES("id"),
		BYTES("id:\0"),
		BYTES("retry: 12"),
		BYTES("retry: x"),
		BYTES(": ping"),
		BYTES(":"),
		BYTES("\r"),
		BYTES("\n"),
		BYTES("\r\n"),
		BYTES("\n"),
		BYTES("\r\n"),
		BYTES("\r"),
		BYTES("\n\n"),
		BYTES("\r\n\r\n"),
		BYTES("\xef\xbb\xbf"),
		BYTES("\xc3\xa4"),
		BYTES("\xff"),
		BYTES("x"),
		BYTES(" "),
		BYTES("\0"),
		BYTES("data: a longer line than a small cap takes"),
	};
	size_t count = (size_t)rng_below(rng, TOKENS_MAX);
	buf_clear(stream);
	for (size_t i = 0; i < count; i++)
		ck_assert(buf_append(stream,
				  tokens[rng_below(rng, sizeof tokens / sizeof *tokens)]) == RC_OK);
}

/* Whatever the cuts, the same comes out, errors too. */
START_TEST(any_chunking)
{
	struct buf stream, whole, cut;
	struct rng rng;
	size_t limits = 0;
	buf_init(&stream, LOG_BYTES);
	buf_init(&whole, LOG_BYTES);
	buf_init(&cut, LOG_BYTES);
	rng_init(&rng, 92, "chunking");
	for (int i = 0; i < STREAMS; i++) {
		size_t max_bytes = i % 2 ? SSE_MAX_BYTES : SMALL_BYTES;
		draw_stream(&rng, &stream);
		buf_clear(&whole);
		limits += parse(buf_slice(&stream), max_bytes, &whole) == RC_LIMIT;
		for (int j = 0; j < CUTS; j++) {
			buf_clear(&cut);
			parse_cut(buf_slice(&stream), max_bytes, &rng, &cut);
			ck_assert_msg(slice_equal(buf_slice(&whole), buf_slice(&cut)),
				"stream %d: %.*s\n%.*s\n%.*s", i, SLICE_PRINT(buf_slice(&stream)),
				SLICE_PRINT(buf_slice(&whole)), SLICE_PRINT(buf_slice(&cut)));
		}
	}
	ck_assert(limits > STREAMS / 10 && limits < STREAMS * 9 / 10);
	buf_release(&stream);
	buf_release(&whole);
	buf_release(&cut);
}
END_TEST

static const struct {
	const char *why, *stream;
	enum rc rc; /* with a cap of 10 bytes */
	const char *events, *text;
} caps[] = {
	{ "a line as long as the cap", "data:12345\n\n", RC_NOT_FOUND, "message|12345|\n", "" },
	{ "a byte more", "data:1\n\ndata:123456\n\n", RC_LIMIT, "message|1|\n",
		"a line of the event stream has more than 10 bytes, in the line at byte 8" },
	{ "a line without end", ":12345678901234567890", RC_LIMIT, "",
		"a line of the event stream has more than 10 bytes, in the line at byte 0" },
	{ "data as long as the cap", "data:1234\ndata:12345\n\n", RC_NOT_FOUND,
		"message|1234\n12345|\n", "" },
	{ "a byte more", "data:12345\ndata:12345\n\ndata:1\n\n", RC_LIMIT, "",
		"an event of the event stream has more than 10 bytes, in the line at byte 11" },
	{ "line feeds count",
		"data\ndata\ndata\ndata\ndata\ndata\ndata\ndata\ndata\ndata\ndata\ndata\n\n",
		RC_LIMIT, "",
		"an event of the event stream has more than 10 bytes, in the line at byte 55" },
	{ "a new event starts from nothing", "data:12345\n\ndata:12345\n\ndata:12345\n\n",
		RC_NOT_FOUND, "message|12345|\nmessage|12345|\nmessage|12345|\n", "" },
};

START_TEST(cap)
{
	struct sse *sse = sse_new(10);
	struct err err = { 0 };
	struct buf log;
	buf_init(&log, LOG_BYTES);
	sse_push(sse, slice_of(caps[_i].stream));
	ck_assert_msg(drain(sse, &log, &err) == caps[_i].rc, "%s", caps[_i].why);
	ck_assert_str_eq(err.text, caps[_i].text);
	sse_push(sse, slice_of("\n\ndata:after\n\n"));
	ck_assert_msg(drain(sse, &log, &err) == caps[_i].rc, "%s: it stays so", caps[_i].why);
	if (caps[_i].rc == RC_LIMIT)
		ck_assert_msg(slice_is(buf_slice(&log), caps[_i].events), "%s", caps[_i].why);
	else
		ck_assert_msg(slice_starts(buf_slice(&log), caps[_i].events) && log.len, "%s",
			caps[_i].why);
	sse_free(sse);
	buf_release(&log);
}
END_TEST

/* A hundred megabytes without a line's end, in pieces: refused as soon as the cap is passed. */
START_TEST(endless_line)
{
	static const char piece[1000] = "data:";
	struct sse *sse = sse_new(SSE_MAX_BYTES);
	struct sse_event event;
	struct err err;
	size_t pushed = 0;
	enum rc rc = RC_NOT_FOUND;
	while (rc == RC_NOT_FOUND && pushed < 100000000) {
		sse_push(sse, slice_from(piece, sizeof piece));
		rc = sse_next(sse, &event, &err);
		pushed += sizeof piece;
	}
	ck_assert(rc == RC_LIMIT);
	ck_assert_uint_eq(pushed / sizeof piece, SSE_MAX_BYTES / sizeof piece + 1);
	sse_free(sse);
}
END_TEST

/* RFC 3629, and Markus Kuhn's stress test for decoders. */
static const struct {
	const char *why, *text;
	size_t wrong;
} texts[] = {
	{ "ASCII, longer than a word", "data: a long line", SIZE_MAX },
	{ "the first and the last of each length",
		"\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf\xf0\x90\x80\x80\xf4\x8f\xbf\xbf",
		SIZE_MAX },
	{ "around the surrogates", "\xed\x9f\xbf\xee\x80\x80", SIZE_MAX },
	{ "a continuation byte first", "ab\x80", 2 },
	{ "a cut sequence at the end", "12345678\xe2\x82", 8 },
	{ "a cut sequence before ASCII",
		"\xe2\x82"
		"a",
		0 },
	{ "overlong slash", "/\xc0\xaf", 1 },
	{ "overlong in three", "\xe0\x9f\xbf", 0 },
	{ "overlong in four", "\xf0\x8f\xbf\xbf", 0 },
	{ "a surrogate", "\xed\xa0\x80", 0 },
	{ "past the last code point", "\xf4\x90\x80\x80", 0 },
	{ "never in UTF-8", "12345678\xfe", 8 },
};

START_TEST(utf8)
{
	size_t wrong = utf8_find_wrong(slice_of(texts[_i].text));
	ck_assert_msg(wrong == texts[_i].wrong, "%s: %zu", texts[_i].why, wrong);
}
END_TEST

START_TEST(wrong_utf8_is_told_and_kept)
{
	struct buf log;
	buf_init(&log, LOG_BYTES);
	enum rc rc = parse(
		slice_of("data: \xc3\xa4\n\ndata: \xff\n\ndata: \xfe\n\n"), SSE_MAX_BYTES, &log);
	ck_assert(rc == RC_NOT_FOUND);
	ck_assert(slice_is(buf_slice(&log),
		"message|\xc3\xa4|\nmessage|\xff|\nmessage|\xfe|\nrc 7 id  retry -1 cut 0 wrong 16\n"));
	buf_release(&log);
}
END_TEST

static double megabytes_per_s(struct slice unit, size_t push_bytes)
{
	enum { STREAM_BYTES = 8 << 20, ROUNDS = 12 };
	struct buf stream;
	struct sse *sse = sse_new(SSE_MAX_BYTES);
	struct sse_event event;
	buf_init(&stream, STREAM_BYTES + 4096);
	while (stream.len < STREAM_BYTES)
		if (buf_append(&stream, unit) != RC_OK)
			BUG("the stream's size");
	int64_t begin_ns = clock_now_ns();
	for (int round = 0; round < ROUNDS; round++)
		for (size_t at = 0; at < stream.len; at += push_bytes) {
			sse_push(sse, slice_part(buf_slice(&stream), at, push_bytes));
			while (sse_next(sse, &event, NULL) == RC_OK)
				;
		}
	double seconds = (double)(clock_now_ns() - begin_ns) / 1e9;
	double bytes = (double)stream.len * ROUNDS;
	sse_free(sse);
	buf_release(&stream);
	return bytes / 1e6 / seconds;
}

/* `sse_test bench` prints how fast typical streams are parsed; no test is judged by the clock. */
static void bench(void)
{
	static const struct {
		const char *name;
		struct slice unit;
	} streams[] = {
		{ "state changes",
			BYTES("event: state\ndata: {\"@type\":\"StateChange\",\"changed\":{\"a1\":{\"Email\":"
			      "\"1042\",\"Mailbox\":\"1042\"}}}\n\n") },
		{ "the same, CR LF",
			BYTES("event: state\r\ndata: {\"@type\":\"StateChange\",\"changed\":{\"a1\":{"
			      "\"Email\":\"1042\",\"Mailbox\":\"1042\"}}}\r\n\r\n") },
		{ "ids, two lines",
			BYTES("id: 1042\nevent: add\ndata: a line of text that somebody wrote\ndata: "
			      "and one more of them\n\n") },
		{ "comments", BYTES(": keep-alive\n\n") },
		{ "tiny events", BYTES("data: 1\n\n") },
	};
	static const size_t pushes[] = { 512, 16384 };
	for (size_t i = 0; i < sizeof streams / sizeof *streams; i++)
		for (size_t j = 0; j < sizeof pushes / sizeof *pushes; j++)
			printf("%-16s pushes of %5zu bytes: %6.0f MB/s\n", streams[i].name,
				pushes[j], megabytes_per_s(streams[i].unit, pushes[j]));
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "bench")) {
		bench();
		return EXIT_SUCCESS;
	}
	TCase *tests = tcase_create("sse");
	tcase_add_loop_test(tests, events, 0, (int)(sizeof rows / sizeof *rows));
	tcase_add_loop_test(tests, cut_everywhere, 0, (int)(sizeof rows / sizeof *rows));
	tcase_add_test(tests, any_chunking);
	tcase_add_loop_test(tests, cap, 0, (int)(sizeof caps / sizeof *caps));
	tcase_add_test(tests, endless_line);
	tcase_add_loop_test(tests, utf8, 0, (int)(sizeof texts / sizeof *texts));
	tcase_add_test(tests, wrong_utf8_is_told_and_kept);
	Suite *suite = suite_create("sse/sse");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
