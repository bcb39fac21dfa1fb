#include "expect/expect_rows.h"

#include "expect/quantity.h"

#define ROW(key, words, of, how)                                                                   \
	{                                                                                          \
		.name = (key), .shape = &quantity_##how##_shape, .help = (words),                  \
		.source = "measuring: load", .subjects = EXPECT_LOAD, .judges_time = true,         \
		.quantity = true, .unit = (of), .selftest = "load",                                \
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

const struct expectation expect_response[EXPECT_SPREAD] = SPREAD("response",
	"the response times of a load with `rate`, each from when its request was due to its last byte",
	"How many requests of a load with `rate` have a response time");
const struct expectation expect_service[EXPECT_SPREAD] = SPREAD("service",
	"the service times of a load, each from its send over a connection that had served before to its last byte",
	"How many requests of a load have a service time: all but the first of each connection");

const struct expectation expect_rate = ROW("rate", "Answers a second of a load", UNIT_PER_S, rate);
const struct expectation expect_sent =
	ROW("sent", "How many requests a load sent while it measured", UNIT_COUNT, count);
const struct expectation expect_errors = ROW("errors",
	"How many requests of a load failed, or were answered by a status other than expected",
	UNIT_COUNT, count);
const struct expectation expect_coded_share = ROW("coded_share",
	"The share of a load's answers that have a content coding", UNIT_PERCENT, share);
