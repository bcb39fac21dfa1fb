/*
 * What reached the upstream, as its journal says: one JSON object a line. A count of lines that match, what each of them
 * must be, how many event streams are open now and how many connections were made.
 */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"
#include "case/option.h"
#include "drive/steps.h"
#include "drive/upstream.h"
#include "expect/expect.h"

enum { JOURNAL_MAX_BYTES = 64 * 1024 * 1024 };

struct journal {
	struct case_run *c;
	const struct walk_step *at;
	const cJSON *subject;
	struct arena *arena; /* of the lines */
	const cJSON **lines; /* that match `where` */
	size_t count;
	double *connections; /* ids of those that the matching lines speak of */
	size_t connection_count;
	double streams_open;
	size_t all;
};

static bool all_match(
	const cJSON *line, const cJSON *matchers, struct arena *arena, const char **first_wrong)
{
	const cJSON *matcher;
	cJSON_ArrayForEach (matcher, matchers) {
		bool owned;
		cJSON *value = json_pointer(line, matcher->string, false, &owned);
		if (expect_matches(value, matcher, arena))
			continue;
		*first_wrong = matcher->string;
		return false;
	}
	return true;
}

static void delete_tree(void *tree)
{
	cJSON_Delete(tree);
}

static enum rc read_line(struct journal *j, struct slice text, struct err *err)
{
	const char *wrong;
	struct err inner = { 0 };
	cJSON *line = json_parse(text, &inner);
	if (!line)
		return err_set(
			err, RC_ENVIRONMENT, "", "journal line %zu: %s", j->all + 1, inner.text);
	arena_defer(j->arena, delete_tree, line);
	j->all++;
	const cJSON *streams = json_get(line, "streams");
	if (cJSON_IsNumber(streams))
		j->streams_open = streams->valuedouble;
	if (!all_match(line, json_get(j->subject, "where"), j->arena, &wrong))
		return RC_OK;
	const cJSON *connection = json_get(line, "connection");
	if (cJSON_IsNumber(connection))
		j->connections[j->connection_count++] = connection->valuedouble;
	j->lines[j->count++] = line;
	return RC_OK;
}

static enum rc read_journal(struct journal *j, struct err *err)
{
	struct buf buf;
	struct slice rest, line;
	size_t lines = 0;
	if (!j->c->upstream)
		return err_set(err, RC_USAGE, "", "the suite has no upstream with a journal");
	buf_init(&buf, JOURNAL_MAX_BYTES);
	enum rc rc = buf_read_file(&buf, j->c->upstream->journal, err);
	for (size_t i = 0; i < buf.len; i++)
		lines += buf.data[i] == '\n';
	if (rc == RC_OK && buf.len && buf.data[buf.len - 1] != '\n')
		rc = err_set(
			err, RC_ENVIRONMENT, "", "the journal is cut: its last line has no end");
	j->lines = arena_alloc(j->arena, lines, sizeof(const cJSON *));
	j->connections = arena_alloc(j->arena, lines, sizeof(double));
	rest = buf_slice(&buf);
	while (rc == RC_OK && slice_next(&rest, '\n', &line))
		rc = read_line(j, line, err);
	buf_release(&buf);
	return rc;
}

static bool check_number(struct journal *j, const char *key, double found)
{
	const cJSON *wanted = json_get(j->subject, key);
	struct comparison comparison;
	struct err err = { 0 };
	bool holds = false;
	char words[80], seen[40];
	if (!wanted)
		return true;
	snprintf(words, sizeof words, "%.0f", cJSON_IsNumber(wanted) ? wanted->valuedouble : 0);
	if (cJSON_IsNumber(wanted)) {
		holds = wanted->valuedouble == found;
	} else if (comparison_parse(wanted->valuestring, &comparison, &err) != RC_OK ||
		   comparison_holds(&comparison, (struct quantity){ UNIT_COUNT, found }, &holds,
			   &err) != RC_OK) {
		judge_step_problem(j->c, j->at, RC_USAGE, err.text);
		return false;
	} else {
		comparison_print(&comparison, words, sizeof words);
	}
	j->c->tally.checks++;
	if (holds)
		return true;
	snprintf(seen, sizeof seen, "%.0f", found);
	struct judged judged = { .request = "journal", .details = "" };
	judge_step_finding(j->c, j->at, arena_print(j->c->root.arena, "/journal/%s", key), &judged,
		key, words, seen);
	return false;
}

static bool check_each(struct journal *j)
{
	const cJSON *each = json_get(j->subject, "each");
	struct judged judged = { .request = "journal", .details = "" };
	const char *wrong = "";
	if (!each)
		return true;
	j->c->tally.checks++;
	for (size_t i = 0; i < j->count; i++) {
		if (all_match(j->lines[i], each, j->arena, &wrong))
			continue;
		bool owned;
		char *found = json_print(json_pointer(j->lines[i], wrong, false, &owned));
		char *wanted = json_print(json_get(each, wrong));
		judge_step_finding(j->c, j->at, "/journal/each", &judged, wrong,
			arena_text(j->c->root.arena, wanted),
			arena_print(j->c->root.arena, "%s in line %zu of those that match", found,
				i + 1));
		free(found);
		free(wanted);
		return false;
	}
	if (!j->count)
		judge_step_finding(j->c, j->at, "/journal/each", &judged, "each",
			"at least one line to look at", "none");
	return j->count > 0;
}

static int by_number(const void *left, const void *right)
{
	const double *a = left, *b = right;
	return (*a > *b) - (*a < *b);
}

static size_t count_distinct(double *ids, size_t count)
{
	size_t distinct = 0;
	if (count)
		qsort(ids, count, sizeof *ids, by_number);
	for (size_t i = 0; i < count; i++)
		distinct += !i || ids[i] != ids[i - 1];
	return distinct;
}

bool step_journal(struct case_run *c, const struct walk_step *at, struct scope *scope)
{
	cJSON *subject;
	struct err err = { 0 };
	struct journal j = { .c = c, .at = at, .arena = arena_new() };
	enum rc rc = option_get(scope, at->step, "journal", &subject, &err);
	j.subject = subject;
	if (rc == RC_OK)
		rc = read_journal(&j, &err);
	bool holds = rc == RC_OK;
	if (holds) {
		holds = check_number(&j, "count", (double)j.count);
		holds = check_number(&j, "streams.open", j.streams_open) && holds;
		holds = check_number(&j, "connections",
				(double)count_distinct(j.connections, j.connection_count)) &&
			holds;
		holds = check_each(&j) && holds;
	} else {
		judge_step_problem(c, at, rc, err.text);
	}
	arena_free(j.arena);
	return holds;
}
