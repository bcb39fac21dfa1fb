#include "expect/expect_rows.h"

#include "expect/matcher.h"

/* A program that did not exit by itself has no exit status: the note says what became of it. */
static struct subject exit_subject(struct judgement *j)
{
	const struct process_end *end = j->process;
	if (end->running)
		return subject_absent("still running");
	if (end->timed_out)
		return subject_absent("did not end in time");
	if (end->signal)
		return subject_absent(process_end_words(end, j->arena));
	return subject_number(end->exit);
}

static void check(
	const struct expectation *row, struct judgement *j, const cJSON *value, const char *pointer)
{
	struct matching m = {
		.j = j,
		.pointer = pointer,
		.place = PLACE_NUMBER,
		.subject = exit_subject(j),
	};
	matcher_judge(&m, value, row->name);
}

void expect_exit_default(struct judgement *j)
{
	struct subject end = exit_subject(j);
	if (end.kind != SUBJECT_NUMBER || end.number != 0)
		judge_finding(j, "/exit", "exit", "0", subject_words(j, &end));
}

const struct expectation expect_exit = {
	.name = "exit",
	.shape = &matcher_number_shape,
	.help = "The exit status; a program that a signal ended, or that had to be ended, has none",
	.source = "POSIX.1-2017 waitpid()",
	.subjects = EXPECT_PROCESS,
	.check = check,
};
