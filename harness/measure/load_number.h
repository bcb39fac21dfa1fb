/*
 * load_number: what may be asked for of a load by name (model/load_numbers.h has all of them): a name becomes a way to
 * take one number from a result.
 *
 *	response.p99 service.p50 send_lag.max first.mean connect.p99.9 tls.count ...	a time, or a count
 *	errors errors.reset statuses.5xx censored ...	a count, or with a bound in % a share
 *	rate bytes.wire coded_share ...
 *	sut.cpu sut.cpu_per_request sut.memory ...	what it cost the SUT, where somebody sampled that
 *
 * A number that could not be taken is absent, never zero. To add one: a row in model/load_numbers.h.
 */
#ifndef MEASURE_LOAD_NUMBER_H
#define MEASURE_LOAD_NUMBER_H

#include "base/units.h"
#include "http/load.h"

/* What a bad circumstance spoils, as bits. */
enum load_family {
	LOAD_LATENCIES = 1,
	LOAD_RATES = 2,
	LOAD_LAGS = 4,
	LOAD_ERRORS = 8,
	LOAD_BYTES = 16,
	LOAD_AMOUNTS = 32, /* how many were sent, were answered, or have a time */
};

enum load_number_kind {
	LOAD_NUMBER_TIME,
	LOAD_NUMBER_RATE,
	LOAD_NUMBER_SENT,
	LOAD_NUMBER_ANSWERED,
	LOAD_NUMBER_UNANSWERED,
	LOAD_NUMBER_ERRORS,
	LOAD_NUMBER_FAILURE, /* index: an enum load_failure */
	LOAD_NUMBER_TIMEOUT,
	LOAD_NUMBER_OTHER_STATUS,
	LOAD_NUMBER_UNDECODABLE,
	LOAD_NUMBER_STATUS, /* index: the class, 0 for none */
	LOAD_NUMBER_CENSORED,
	LOAD_NUMBER_CODED,
	LOAD_NUMBER_WIRE,
	LOAD_NUMBER_DECODED,
	LOAD_NUMBER_SUT,
};
enum load_statistic {
	LOAD_QUANTILE,
	LOAD_COUNT,
	LOAD_MIN,
	LOAD_MEAN,
	LOAD_MAX,
};

struct load_number {
	enum load_number_kind kind;
	size_t index;            /* of some kinds, see above */
	enum load_family family; /* 0 of LOAD_NUMBER_SUT: nothing spoils what the SUT has used */
	const char *name;        /* of what is no LOAD_NUMBER_TIME, as the unit */
	enum unit unit;
	enum load_hist hist; /* of LOAD_NUMBER_TIME, as the two below */
	enum load_statistic statistic;
	double share;  /* of LOAD_QUANTILE: 0..1 */
	bool as_share; /* a part as a share: whoever knows the bound's unit sets it */
};

enum { LOAD_NUMBER_NAME_BYTES = 32 };

/* The names of what every report may tell, one after another; false behind the last. */
bool load_number_name(size_t index, char *name, size_t size);

/* p50 to p99, p99.9 or p999. RC_USAGE with the nearest name. */
enum rc load_number_parse(const char *name, struct load_number *number, struct err *err) MUST_USE;

/* Whether it counts some of something, so that it may be asked for as a share. */
bool load_number_is_part(const struct load_number *number);
/* Of how many; 0 for what is no part, and where there is nothing. */
uint64_t load_number_whole(const struct load_number *number, const struct load_result *result);

/* The unit that it will have. */
enum unit load_number_unit(const struct load_number *number);

/* False where it is absent. decoded: whether the contents were. */
bool load_number_take(const struct load_number *number, const struct load_result *result,
	bool decoded, struct quantity *quantity);

/* Errors as said above, of what was measured. */
uint64_t load_errors(const struct load_counts *counts);

/*
 * Answers a second to what was meant to start while it measured. Where the bound of an open loop was hit: at most what
 * came in the seconds that were measured as a whole. 0 where nothing was measured.
 */
double load_rate(const struct load_result *result);
/* Sends in the whole seconds, or else of what was measured; length_s: how long that was. */
double load_sent_rate(const struct load_result *result, double *length_s);

#endif
