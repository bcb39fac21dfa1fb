#include "measure/load_number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "model/load_numbers.h"

#define ROW(word, what, which, whose, of, shape, help)                                             \
	{ .name = (word), .kind = (what), .index = (which), .family = (whose), .unit = (of) },
static const struct {
	const char *name;
	enum load_number_kind kind;
	size_t index;
	enum load_family family;
	enum unit unit;
} ROWS[] = { LOAD_NUMBERS(ROW) LOAD_SUT_NUMBERS(ROW) LOAD_SUT_EACH(ROW) };
enum { ROW_COUNT = sizeof ROWS / sizeof *ROWS };

static const struct {
	const char *name;
	enum load_statistic statistic;
} STATISTICS[] = { { "count", LOAD_COUNT }, { "min", LOAD_MIN }, { "mean", LOAD_MEAN },
	{ "max", LOAD_MAX } };

/* What is told of each spread, in this order; a threshold may name any other percentile. */
static const char *const ENDINGS[] = { "count", "min", "mean", "p50", "p90", "p99", "p999", "max" };
enum { ENDING_COUNT = sizeof ENDINGS / sizeof *ENDINGS };

/* "50", "99.9", and "999" or "9995" for what has a point behind the second 9. */
static bool parse_percentile(const char *text, double *share)
{
	char percent[16], *end;
	size_t digits = strspn(text, "0123456789");
	bool pointless = digits > 2 && strncmp(text, "99", 2) == 0;
	if (!digits || (digits > 2 && !pointless) || strlen(text) >= sizeof percent - 1)
		return false;
	snprintf(percent, sizeof percent, "%.2s%s%s", text, pointless ? "." : "",
		digits > 1 ? text + 2 : text + 1);
	*share = strtod(percent, &end) / 100;
	return !*end && strspn(text, "0123456789.") == strlen(text) && *share > 0 && *share < 1;
}

static bool parse_statistic(const char *text, struct load_number *number)
{
	number->statistic = LOAD_QUANTILE;
	if (text[0] == 'p')
		return parse_percentile(text + 1, &number->share);
	for (size_t i = 0; i < sizeof STATISTICS / sizeof *STATISTICS; i++) {
		number->statistic = STATISTICS[i].statistic;
		if (strcmp(text, STATISTICS[i].name) == 0)
			return true;
	}
	return false;
}

static bool find_hist(const char *word, size_t length, enum load_hist *hist)
{
	for (int i = 0; i < LOAD_HIST_COUNT; i++) {
		*hist = (enum load_hist)i;
		if (slice_is(slice_from(word, length), load_hist_name(*hist)))
			return true;
	}
	return false;
}

bool load_number_name(size_t index, char *name, size_t size)
{
	size_t times = (size_t)LOAD_HIST_COUNT * ENDING_COUNT;
	if (index < times)
		snprintf(name, size, "%s.%s",
			load_hist_name((enum load_hist)(index / ENDING_COUNT)),
			ENDINGS[index % ENDING_COUNT]);
	else if (index - times < ROW_COUNT)
		snprintf(name, size, "%s", ROWS[index - times].name);
	else
		return false;
	return true;
}

static enum rc unknown(const char *name, struct err *err)
{
	enum { NAMES = LOAD_HIST_COUNT * ENDING_COUNT + ROW_COUNT };
	char texts[NAMES][LOAD_NUMBER_NAME_BYTES];
	const char *names[NAMES];
	for (size_t i = 0; i < NAMES; i++) {
		names[i] = texts[i];
		if (!load_number_name(i, texts[i], sizeof texts[i]))
			BUG("fewer numbers than there are");
	}
	const char *nearest = words_nearest(name, names, NAMES);
	return err_set(err, RC_USAGE, "", "unknown number \"%s\"%s%s%s", name,
		nearest ? "; did you mean \"" : "; `onus load --help` names them",
		nearest ? nearest : "", nearest ? "\"?" : "");
}

enum rc load_number_parse(const char *name, struct load_number *number, struct err *err)
{
	*number = (struct load_number){ 0 };
	for (size_t i = 0; i < ROW_COUNT; i++) {
		if (strcmp(name, ROWS[i].name) != 0)
			continue;
		number->kind = ROWS[i].kind;
		number->index = ROWS[i].index;
		number->family = ROWS[i].family;
		number->name = ROWS[i].name;
		number->unit = ROWS[i].unit;
		return RC_OK;
	}
	size_t length = strcspn(name, ".");
	if (!find_hist(name, length, &number->hist))
		return unknown(name, err);
	number->kind = LOAD_NUMBER_TIME;
	number->family = number->hist == LOAD_SEND_LAG ? LOAD_LAGS : LOAD_LATENCIES;
	if (name[length] && parse_statistic(name + length + 1, number)) {
		if (number->statistic == LOAD_COUNT)
			number->family = LOAD_AMOUNTS;
		return RC_OK;
	}
	return err_set(err, RC_USAGE, "",
		"expected count, min, mean, max or a percentile such as p99 behind \"%.*s.\", found \"%s\"",
		(int)length, name, name[length] ? name + length + 1 : "");
}

enum unit load_number_unit(const struct load_number *number)
{
	if (number->as_share)
		return UNIT_PERCENT;
	if (number->kind == LOAD_NUMBER_TIME)
		return number->statistic == LOAD_COUNT ? UNIT_COUNT : UNIT_NS;
	return number->unit;
}

uint64_t load_errors(const struct load_counts *counts)
{
	return load_counts_failed(counts) + counts->unexpected_statuses + counts->undecodable;
}

/* Of the seconds that were measured as a whole; false where there is none. */
static bool whole_seconds(
	const struct load_result *result, uint64_t *sent, uint64_t *answered, double *length_s)
{
	*sent = *answered = 0;
	*length_s = 0;
	for (size_t i = 0; i < result->second_count; i++) {
		const struct load_second *second = &result->seconds[i];
		if (!second->measured)
			continue;
		*length_s += 1;
		*sent += second->sent;
		*answered += second->answered;
	}
	return *length_s > 0;
}

double load_rate(const struct load_result *result)
{
	uint64_t sent, answered;
	double whole_s, length_s = (double)result->measured_ns / (double)NS_PER_S;
	double rate = length_s > 0 ? (double)result->measured.answered / length_s : 0;
	/* Behind a bound some of what was due is answered long after. */
	if (result->bound_hits && whole_seconds(result, &sent, &answered, &whole_s))
		rate = fmin(rate, (double)answered / whole_s);
	return rate;
}

double load_sent_rate(const struct load_result *result, double *length_s)
{
	uint64_t sent, answered;
	if (!whole_seconds(result, &sent, &answered, length_s)) {
		sent = result->measured.sent;
		*length_s = (double)result->measured_ns / (double)NS_PER_S;
	}
	return *length_s > 0 ? (double)sent / *length_s : 0;
}

static bool take_time(
	const struct load_number *number, const struct load_result *result, double *value)
{
	const struct hist *hist = result->hists[number->hist];
	uint64_t count = hist ? hist_count(hist) : 0;
	if (number->statistic == LOAD_COUNT) {
		*value = (double)count;
		return true;
	}
	if (!count)
		return false;
	switch (number->statistic) {
	case LOAD_QUANTILE: *value = (double)hist_quantile(hist, number->share); break;
	case LOAD_MIN: *value = (double)hist_min(hist); break;
	case LOAD_MEAN: *value = hist_mean(hist); break;
	default: *value = (double)hist_max(hist);
	}
	return true;
}

static bool take_sut(
	const struct load_number *number, const struct load_result *result, double *value)
{
	const struct measure *measure = measures_find(result->sut, number->name);
	if (measure)
		*value = measure->quantity.value;
	return measure != NULL;
}

/* Part of a whole that may be nothing. */
static bool divide(uint64_t part, uint64_t whole, double times, double *value)
{
	*value = whole ? (double)part * times / (double)whole : 0;
	return whole > 0;
}

static uint64_t timed_out(const struct load_counts *m)
{
	return m->failed[LOAD_TIMEOUT_CONNECT] + m->failed[LOAD_TIMEOUT_HEAD] +
	       m->failed[LOAD_TIMEOUT_BODY];
}

/* How many; false where the number is no count. */
static bool take_count(
	const struct load_number *number, const struct load_result *result, uint64_t *count)
{
	const struct load_counts *m = &result->measured;
	switch (number->kind) {
	case LOAD_NUMBER_SENT: *count = m->sent; return true;
	case LOAD_NUMBER_ANSWERED: *count = m->answered; return true;
	case LOAD_NUMBER_UNANSWERED: *count = m->unanswered; return true;
	case LOAD_NUMBER_ERRORS: *count = load_errors(m); return true;
	case LOAD_NUMBER_FAILURE: *count = m->failed[number->index]; return true;
	case LOAD_NUMBER_TIMEOUT: *count = timed_out(m); return true;
	case LOAD_NUMBER_OTHER_STATUS: *count = m->unexpected_statuses; return true;
	case LOAD_NUMBER_UNDECODABLE: *count = m->undecodable; return true;
	case LOAD_NUMBER_STATUS: *count = m->statuses[number->index]; return true;
	case LOAD_NUMBER_CENSORED: *count = result->censored; return true;
	default: return false;
	}
}

uint64_t load_number_whole(const struct load_number *number, const struct load_result *result)
{
	uint64_t count;
	if (number->kind == LOAD_NUMBER_SENT || !take_count(number, result, &count))
		return 0;
	return number->kind == LOAD_NUMBER_STATUS ? result->measured.answered
						  : result->measured.sent;
}

bool load_number_is_part(const struct load_number *number)
{
	const struct load_result nothing = { 0 };
	uint64_t count;
	return number->kind != LOAD_NUMBER_SENT && take_count(number, &nothing, &count);
}

bool load_number_take(const struct load_number *number, const struct load_result *result,
	bool decoded, struct quantity *quantity)
{
	const struct load_counts *m = &result->measured;
	uint64_t count;
	quantity->unit = load_number_unit(number);
	quantity->value = 0;
	if (number->kind == LOAD_NUMBER_UNDECODABLE && !decoded)
		return false;
	if (take_count(number, result, &count)) {
		if (number->as_share)
			return divide(
				count, load_number_whole(number, result), 100, &quantity->value);
		quantity->value = (double)count;
		return m->sent > 0;
	}
	switch (number->kind) {
	case LOAD_NUMBER_TIME: return take_time(number, result, &quantity->value);
	case LOAD_NUMBER_RATE: quantity->value = load_rate(result); return result->measured_ns > 0;
	case LOAD_NUMBER_CODED: return divide(m->coded, m->answered, 100, &quantity->value);
	case LOAD_NUMBER_WIRE: return divide(m->wire_bytes, m->answered, 1, &quantity->value);
	case LOAD_NUMBER_DECODED:
		return decoded && divide(m->decoded_bytes, m->answered, 1, &quantity->value);
	case LOAD_NUMBER_SUT: return take_sut(number, result, &quantity->value);
	default: return false;
	}
}
