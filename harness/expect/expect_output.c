#include "expect/expect_rows.h"

#include "expect/matcher.h"

static void check_text(struct judgement *j, const struct expectation *row, struct slice text,
	uint64_t bytes, const cJSON *value, const char *pointer)
{
	if (bytes > text.len) {
		judge_error(j, pointer,
			"%s is %llu bytes, of which only the last %zu are kept, so that it cannot be judged",
			row->name, (unsigned long long)bytes, text.len);
		return;
	}
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
	check_text(j, row, j->process->out, j->process->out_bytes, value, pointer);
}

static void check_stderr(
	const struct expectation *row, struct judgement *j, const cJSON *value, const char *pointer)
{
	check_text(j, row, j->process->err, j->process->err_bytes, value, pointer);
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
