#include "expect/expect_rows.h"

#include "expect/quantity.h"

#define ROW(key, words, of, how)                                                                   \
	{                                                                                          \
		.name = (key), .shape = &quantity_##how##_shape, .help = (words),                  \
		.source = "measuring: probe", .subjects = EXPECT_PROBE, .judges_time = true,       \
		.quantity = true, .unit = (of), .selftest = "probe",                               \
		.check = quantity_check_measure                                                    \
	}

#define SPREAD(key, what, counted)                                                                 \
	{                                                                                          \
		ROW(key ".count", counted, UNIT_COUNT, count),                                     \
			ROW(key ".min", "The shortest of " what, UNIT_NS, time),                   \
			ROW(key ".p50", "The median of " what, UNIT_NS, time),                     \
			ROW(key ".p90", "What 90% of " what " do not exceed", UNIT_NS, time),      \
			ROW(key ".p99", "What 99% of " what " do not exceed", UNIT_NS, time),      \
			ROW(key ".p999", "What 99.9% of " what " do not exceed", UNIT_NS, time),   \
			ROW(key ".max", "The longest of " what, UNIT_NS, time),                    \
	}

const struct expectation expect_idle[EXPECT_SPREAD] =
	SPREAD("idle", "the probe's durations before `while`, each from its send to its last byte",
		"How many probes were answered before `while`");
const struct expectation expect_probe[EXPECT_SPREAD] = SPREAD("probe",
	"the probe's durations while a request of `while` was in flight, each from its send to its last byte",
	"How many probes were answered that were in flight together with a request of `while`");
const struct expectation expect_send_lag[EXPECT_SPREAD] = SPREAD("send_lag",
	"the times by which onus sent a probe behind its schedule", "How many probes were sent");

const struct expectation expect_probe_silence = ROW("probe.silence",
	"The longest time in which a probe was unanswered and no answer to one came, while a request of `while` was in flight; onus's own lag is taken off",
	UNIT_NS, time);
const struct expectation expect_probe_silence_share = ROW("probe.silence_share",
	"The silence in a request of `while` as a share of that request; of several of one method and target the middle one, of different ones the worst. Less than 20ms is none",
	UNIT_PERCENT, share);
