/*
 * load_numbers: the numbers of a load by their names, once for all who know them: what a `load` step may expect
 * (expect/expect_load.c), what a threshold of `onus load` may name (measure/load_number.c), and their help.
 *
 *	LOAD_SPREADS(ROW)	ROW("service", "the service times ...", "How many ...")
 *	LOAD_NUMBERS(ROW)	ROW("rate", kind, index, family, UNIT_PER_S, rate, "Answers a second of a load")
 *	LOAD_SUT_NUMBERS(ROW)	of held streams (cli/hold_number.c) as well; LOAD_SUT_EACH(ROW): of a load alone
 *
 * A spread is a distribution of times: behind its name stand .count .min .mean .p50 .p90 .p99 .p999 .max; it is one of
 * http/'s histograms, of the same name. kind and index say where measure/ takes a number from; family is what can spoil
 * it; `rate` is the shape of its comparison: count, part (a count, or a share of all), share, rate, size.
 *
 * To add a number: a row here, and where it is of a new kind its place in measure/load_number.c.
 */
#ifndef MODEL_LOAD_NUMBERS_H
#define MODEL_LOAD_NUMBERS_H

#define LOAD_SPREADS(ROW)                                                                                                    \
	ROW("response",                                                                                                      \
		"the response times of a load with `rate`, each from when its request was due to its last byte",             \
		"How many requests of a load with `rate` have a response time")                                              \
	ROW("service",                                                                                                       \
		"the service times of a load, each from its send over a connection that had served before to its last byte", \
		"How many requests of a load have a service time: all but the first of each connection")                     \
	ROW("send_lag",                                                                                                      \
		"the times by which onus sent a request of a load with `rate` behind its schedule",                          \
		"How many requests of a load with `rate` were sent")                                                         \
	ROW("first",                                                                                                         \
		"the times of the first request of each connection of a load, connecting included",                          \
		"How many connections of a load had a first request that was answered")                                      \
	ROW("dns", "the time of the one look-up of the server's name of a load",                                             \
		"How many names a load looked up: none where the server is told by its address")                             \
	ROW("connect", "the times that it took a load to connect",                                                           \
		"How many connections of a load carried a request")                                                          \
	ROW("tls", "the times of the TLS handshakes of a load",                                                              \
		"How many TLS handshakes a load had")                                                                        \
	ROW("first_byte",                                                                                                    \
		"the times from the send to the status line of a load, connections that had served before",                  \
		"How many answers of a load came over connections that had served before")                                   \
	ROW("last_byte", "the times from the status line to the last byte of a load's answers",                              \
		"How many answers of a load came whole over connections that had served before")

/* index: an enum load_failure of http/load_result.h. */
#define LOAD_FAILED_(ROW, word, which, words)                                                      \
	ROW("errors." word, LOAD_NUMBER_FAILURE, which, LOAD_ERRORS, UNIT_COUNT, part,             \
		"How many requests of a load failed so, or their share of all that were sent: " words)
#define LOAD_STATUSES_(ROW, word, class, words)                                                    \
	ROW("statuses." word, LOAD_NUMBER_STATUS, class, LOAD_ERRORS, UNIT_COUNT, part,            \
		"How many answers of a load had " words ", or their share of all answers")

#define LOAD_NUMBERS(ROW)                                                                                                                                              \
	ROW("rate", LOAD_NUMBER_RATE, 0, LOAD_RATES, UNIT_PER_S, rate,                                                                                                 \
		"Answers a second of a load")                                                                                                                          \
	ROW("sent", LOAD_NUMBER_SENT, 0, LOAD_AMOUNTS, UNIT_COUNT, count,                                                                                              \
		"How many requests a load sent while it measured")                                                                                                     \
	ROW("answered", LOAD_NUMBER_ANSWERED, 0, LOAD_AMOUNTS, UNIT_COUNT, part,                                                                                       \
		"How many of these were answered, or their share")                                                                                                     \
	ROW("unanswered", LOAD_NUMBER_UNANSWERED, 0, LOAD_ERRORS, UNIT_COUNT, part,                                                                                    \
		"How many of these were still in flight when the load ended, or their share")                                                                          \
	ROW("errors", LOAD_NUMBER_ERRORS, 0, LOAD_ERRORS, UNIT_COUNT, part,                                                                                            \
		"How many requests of a load failed, were answered by a status other than expected, or by what does not decode, or their share of all that were sent") \
	LOAD_FAILED_(ROW, "refused", LOAD_REFUSED, "the connection was refused")                                                                                       \
	LOAD_FAILED_(ROW, "reset-idle", LOAD_RESET_IDLE,                                                                                                               \
		"over a connection that was ended as they were sent")                                                                                                  \
	LOAD_FAILED_(ROW, "reset", LOAD_RESET, "reset before the answer was whole")                                                                                    \
	LOAD_FAILED_(ROW, "closed", LOAD_CLOSED_EARLY, "closed before the answer was whole")                                                                           \
	LOAD_FAILED_(ROW, "timeout-connect", LOAD_TIMEOUT_CONNECT,                                                                                                     \
		"timed out before there was a connection")                                                                                                             \
	LOAD_FAILED_(ROW, "timeout-head", LOAD_TIMEOUT_HEAD, "timed out before the answer began")                                                                      \
	LOAD_FAILED_(ROW, "timeout-body", LOAD_TIMEOUT_BODY, "timed out in the answer")                                                                                \
	LOAD_FAILED_(ROW, "framing", LOAD_FRAMING, "an answer that is no HTTP")                                                                                        \
	LOAD_FAILED_(ROW, "tls", LOAD_TLS, "TLS was not agreed on")                                                                                                    \
	LOAD_FAILED_(ROW, "resolve", LOAD_RESOLVE, "the name did not resolve")                                                                                         \
	LOAD_FAILED_(ROW, "local", LOAD_LOCAL, "this machine had no descriptor or port left")                                                                          \
	ROW("errors.timeout", LOAD_NUMBER_TIMEOUT, 0, LOAD_ERRORS, UNIT_COUNT, part,                                                                                   \
		"How many requests of a load timed out, wherever, or their share of all that were sent")                                                               \
	ROW("errors.status", LOAD_NUMBER_OTHER_STATUS, 0, LOAD_ERRORS, UNIT_COUNT, part,                                                                               \
		"How many answers of a load had a status other than expected, or their share of all that were sent")                                                   \
	ROW("errors.undecodable", LOAD_NUMBER_UNDECODABLE, 0, LOAD_ERRORS, UNIT_COUNT, part,                                                                           \
		"How many answers of a load with `decode` do not decode, or their share of all that were sent")                                                        \
	LOAD_STATUSES_(ROW, "1xx", 1, "a status of 1xx")                                                                                                               \
	LOAD_STATUSES_(ROW, "2xx", 2, "a status of 2xx")                                                                                                               \
	LOAD_STATUSES_(ROW, "3xx", 3, "a status of 3xx")                                                                                                               \
	LOAD_STATUSES_(ROW, "4xx", 4, "a status of 4xx")                                                                                                               \
	LOAD_STATUSES_(ROW, "5xx", 5, "a status of 5xx")                                                                                                               \
	LOAD_STATUSES_(ROW, "other", 0, "another status")                                                                                                              \
	ROW("censored", LOAD_NUMBER_CENSORED, 0, LOAD_ERRORS, UNIT_COUNT, part,                                                                                        \
		"How many requests of a load stand in its times with their time-out, or their share of all that were sent")                                            \
	ROW("coded_share", LOAD_NUMBER_CODED, 0, LOAD_BYTES, UNIT_PERCENT, share,                                                                                      \
		"The share of a load's answers that have a content coding")                                                                                            \
	ROW("bytes.wire", LOAD_NUMBER_WIRE, 0, LOAD_BYTES, UNIT_BYTES, size,                                                                                           \
		"The bytes on the wire of an answer of a load, on average: head and body")                                                                             \
	ROW("bytes.decoded", LOAD_NUMBER_DECODED, 0, LOAD_BYTES, UNIT_BYTES, size,                                                                                     \
		"The bytes of an answer of a load with `decode` behind all codings, on average")

/* What a load or held streams cost their SUT, where somebody sampled that; ROW as above. */
#define LOAD_SUT_NUMBERS(ROW)                                                                                    \
	ROW("sut.cpu", LOAD_NUMBER_SUT, 0, 0, UNIT_PERCENT, share,                                               \
		"What the SUT's processes took of one core, while it was measured")                              \
	ROW("sut.cpu_total", LOAD_NUMBER_SUT, 0, 0, UNIT_NS, time,                                               \
		"The CPU time of the SUT's processes, while it was measured")                                    \
	ROW("sut.memory", LOAD_NUMBER_SUT, 0, 0, UNIT_BYTES, size,                                               \
		"The resident memory of the SUT's processes, at most while it was measured")                     \
	ROW("sut.memory_growth", LOAD_NUMBER_SUT, 0, 0, UNIT_BYTES, size,                                        \
		"By how much that memory grew: the median of the last tenth of the time less that of the first") \
	ROW("sut.descriptors", LOAD_NUMBER_SUT, 0, 0, UNIT_COUNT, count,                                         \
		"The open descriptors of the SUT's processes, at most while it was measured")                    \
	ROW("sut.threads", LOAD_NUMBER_SUT, 0, 0, UNIT_COUNT, count,                                             \
		"The threads of the SUT's processes, at most while it was measured")
#define LOAD_SUT_EACH(ROW)                                                                         \
	ROW("sut.cpu_per_request", LOAD_NUMBER_SUT, 0, 0, UNIT_NS, time,                           \
		"The CPU time that the SUT's processes took for each answer")

#endif
