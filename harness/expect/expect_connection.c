#include "expect/expect_rows.h"

#include <string.h>

static const struct shape connection_shape = {
	.kind = SHAPE_STRING,
	.name = "\"reused\", \"new\" or \"closed\"",
	.words = (const char *const[]){ "reused", "new", "closed", NULL },
};

static void check(
	const struct expectation *row, struct judgement *j, const cJSON *value, const char *pointer)
{
	const struct exchange *x = j->exchange;
	const char *expected = value->valuestring;
	const char *found = x->reused ? "reused" : "new";
	if (!strcmp(expected, "closed"))
		found = x->closed ? "closed" : "kept open";
	judge_check(j, !strcmp(expected, found), pointer, row->name, expected, found);
}

const struct expectation expect_connection = {
	.name = "connection",
	.shape = &connection_shape,
	.help = "\"reused\": the request went over a connection that had served before; \"new\": it "
		"did not; \"closed\": the server closed it behind the answer, or said it would",
	.source = "RFC 9112 section 9.3",
	.subjects = EXPECT_EXCHANGE,
	.check = check,
};
