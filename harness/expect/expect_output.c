#include "expect/expect_rows.h"

#include "expect/matcher.h"

static void check_text(struct judgement *j, const struct expectation *row, struct slice text,
	const cJSON *value, const char *pointer)
{
	struct matching m = {
		.j = j,
		.pointer = pointer,
		.place = PLACE_TEXT,
		.subject = subject_text(text),
	};
	matcher_judge(&m, value, row->name);
}

static void check_stdout(
	const struct expectation *row, struct judgement *j, const cJSON *value, const char *pointer)
{
	check_text(j, row, j->process->out, value, pointer);
}

static void check_stderr(
	const struct expectation *row, struct judgement *j, const cJSON *value, const char *pointer)
{
	check_text(j, row, j->process->err, value, pointer);
}

const struct expectation expect_stdout = {
	.name = "stdout",
	.shape = &matcher_text_shape,
	.help = "What the program wrote to its standard output: text or operators",
	.source = "POSIX.1-2017 stdout",
	.subjects = EXPECT_PROCESS,
	.check = check_stdout,
};

const struct expectation expect_stderr = {
	.name = "stderr",
	.shape = &matcher_text_shape,
	.help = "What the program wrote to its standard error: text or operators",
	.source = "POSIX.1-2017 stderr",
	.subjects = EXPECT_PROCESS,
	.check = check_stderr,
};
