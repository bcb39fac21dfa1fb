#include "load/length.h"

#include <inttypes.h>

#include "base/clock.h"

#define LONGEST_NS (INT64_C(3153600000) * NS_PER_S)

enum rc length_check(const char *what, int64_t length_ns, int64_t least_ns, struct err *err)
{
	if (length_ns >= least_ns && length_ns <= LONGEST_NS)
		return RC_OK;
	return err_set(err, RC_USAGE, "",
		"expected %s from %" PRId64 " ns to 100 years, found %" PRId64 " ns", what,
		least_ns, length_ns);
}
