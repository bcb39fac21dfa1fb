#include "expect/expect.h"

/* The answer was broken off or is no HTTP, and its list of violations says how: `framing` judges that. */
static bool is_explained(const struct exchange *x)
{
	switch (x->failure) {
	case FAILURE_CLOSED:
	case FAILURE_RESET:
	case FAILURE_FRAMING: return x->violation_count > 0;
	case FAILURE_NONE:
	case FAILURE_REFUSED:
	case FAILURE_TIMEOUT:
	case FAILURE_LIMIT:
	case FAILURE_TLS:
	case FAILURE_LOCAL: break;
	}
	return false;
}

bool expect_answer(struct judgement *j)
{
	const struct exchange *x = j->exchange;
	bool explained = is_explained(x);
	if (x->failure != FAILURE_NONE && !explained)
		judge_finding(j, "", "answer", x->status ? "a complete answer" : "an answer",
			x->failure_text ? x->failure_text : "none");
	return x->status || explained;
}
