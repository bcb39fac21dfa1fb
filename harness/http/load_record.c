/* What a call adds to its thread's result. */
#include "http/load_call.h"

#include <string.h>
#include <strings.h>

void load_record_start(struct load_thread *thread, struct load_call *call)
{
	const struct load_setup *setup = thread->setup;
	struct load_result *result = thread->result;
	int64_t meant_ns = call->intended_ns ? call->intended_ns : call->start_ns;
	call->measured = meant_ns >= setup->from_ns && meant_ns < setup->to_ns;
	result->all.sent++;
	result->measured.sent += call->measured;
	thread->part.sent++;
	thread->in_flight++;
	if (thread->in_flight > result->in_flight_max)
		result->in_flight_max = thread->in_flight;
}

static bool unexpected_status(const struct load_request *request, long status)
{
	if (request->expected_status > 0 && request->expected_status < 10)
		return status / 100 != request->expected_status;
	if (request->expected_status)
		return status != request->expected_status;
	return status < 200 || status > 399;
}

/* Where there is no content, nothing is said of its coding. */
static bool unexpected_coding(const struct load_call *call)
{
	const struct load_request *request = &call->thread->setup->plan->requests[call->kind];
	const char *expected = request->expected_coding;
	if (!call->has_body && strcmp(request->method, "HEAD") != 0)
		return false;
	if (request->must_be_coded && !call->coding_len)
		return true;
	return expected && strcasecmp(expected, call->coding_len ? call->coding : "identity") != 0;
}

/* What is counted of an answer, in one place and another. */
struct answer {
	int class; /* of its status, 0: none of RFC 9110's */
	bool unexpected_status, unexpected_coding, undecodable;
};

static struct answer judge(const struct load_call *call, const struct load_end *end)
{
	const struct load_plan *plan = call->thread->setup->plan;
	bool class = end->status >= 100 && end->status < 600;
	return (struct answer){
		.class = class ? (int)(end->status / 100) : 0,
		.unexpected_status = unexpected_status(&plan->requests[call->kind], end->status),
		.unexpected_coding = unexpected_coding(call),
		.undecodable = plan->decode && (call->undecodable || call->body.broken),
	};
}

static void count_answer(
	struct load_counts *counts, const struct load_call *call, const struct answer *answer)
{
	counts->answered++;
	counts->statuses[answer->class]++;
	counts->unexpected_statuses += answer->unexpected_status;
	counts->unexpected_codings += answer->unexpected_coding;
	counts->coded += call->coding_len > 0;
	counts->undecodable += answer->undecodable;
}

/* answer: of one that was answered, else NULL. */
static void count_end(struct load_counts *counts, const struct load_call *call,
	const struct load_end *end, const struct answer *answer)
{
	counts->wire_bytes += call->wire_bytes;
	counts->decoded_bytes += call->body.decoded_bytes;
	if (answer)
		count_answer(counts, call, answer);
	else if (end->unanswered)
		counts->unanswered++;
	else
		counts->failed[end->failure]++;
}

static void count_kind(struct load_kind *kind, const struct answer *answer)
{
	kind->answered++;
	kind->unexpected_statuses += answer->unexpected_status;
	kind->unexpected_codings += answer->unexpected_coding;
}

static int64_t time_of(const struct load_call *call, CURLINFO which)
{
	curl_off_t time_us = 0;
	curl_easy_getinfo(call->easy, which, &time_us);
	return time_us * NS_PER_US;
}

/* True where the call was the first over its connection, or tried to be. */
static bool record_connection(struct load_thread *thread, const struct load_call *call)
{
	struct load_result *result = thread->result;
	long connects = 0;
	curl_easy_getinfo(call->easy, CURLINFO_NUM_CONNECTS, &connects);
	if (!connects)
		return !call->sent_ns;
	int64_t looked_up_ns = time_of(call, CURLINFO_NAMELOOKUP_TIME_T);
	int64_t connected_ns = time_of(call, CURLINFO_CONNECT_TIME_T);
	int64_t agreed_ns = time_of(call, CURLINFO_APPCONNECT_TIME_T);
	if (!connected_ns)
		return true;
	result->connections_opened++;
	thread->part.connections_opened++;
	hist_record(result->hists[LOAD_CONNECT], connected_ns - looked_up_ns);
	if (agreed_ns)
		hist_record(result->hists[LOAD_TLS_TIME], agreed_ns - connected_ns);
	return true;
}

static bool timed_out(const struct load_end *end)
{
	return !end->answered && !end->unanswered &&
	       (end->failure == LOAD_TIMEOUT_CONNECT || end->failure == LOAD_TIMEOUT_HEAD ||
		       end->failure == LOAD_TIMEOUT_BODY);
}

static void record_phases(
	struct load_result *result, const struct load_call *call, int64_t end_ns, bool first)
{
	if (first) {
		hist_record(result->hists[LOAD_FIRST], end_ns - call->start_ns);
		return;
	}
	hist_record(result->hists[LOAD_SERVICE], end_ns - call->sent_ns);
	hist_record(result->hists[LOAD_FIRST_BYTE], call->first_ns - call->sent_ns);
	hist_record(result->hists[LOAD_LAST_BYTE], end_ns - call->first_ns);
}

static void record_times(struct load_thread *thread, const struct load_call *call,
	const struct load_end *end, bool first)
{
	struct load_result *result = thread->result;
	bool late = timed_out(end);
	int64_t limit_ns = thread->setup->plan->timeout_ns;
	int64_t end_ns = late ? call->start_ns + limit_ns : end->now_ns;
	/* Connecting is no lag of the load's. */
	int64_t send_ns = first ? call->start_ns : call->sent_ns;
	int64_t service_ns = late ? limit_ns : end_ns - send_ns;
	bool open = call->intended_ns != 0;
	hist_record(thread->latencies, open ? end_ns - call->intended_ns : service_ns);
	if (end->answered) {
		thread->part.first_byte_sum_ns += call->first_ns - send_ns;
		thread->part.first_byte_count++;
	}
	if (!call->measured)
		return;
	if (late) {
		result->censored++;
		hist_record(result->hists[LOAD_SERVICE], limit_ns);
	} else {
		record_phases(result, call, end_ns, first);
	}
	if (!open)
		return;
	hist_record(result->hists[LOAD_RESPONSE], end_ns - call->intended_ns);
	hist_record(result->hists[LOAD_SEND_LAG], send_ns - call->intended_ns);
}

void load_record_end(struct load_thread *thread, struct load_call *call, const struct load_end *end)
{
	bool first = record_connection(thread, call);
	struct answer judged, *answer = NULL;
	thread->in_flight--;
	if (end->answered) {
		judged = judge(call, end);
		answer = &judged;
		count_kind(&thread->result->kinds[call->kind], answer);
	}
	count_end(&thread->result->all, call, end, answer);
	if (call->measured)
		count_end(&thread->result->measured, call, end, answer);
	thread->part.wire_bytes += call->wire_bytes;
	thread->part.answered += end->answered;
	thread->part.failed += !end->answered && !end->unanswered;
	if (end->answered || timed_out(end))
		record_times(thread, call, end, first);
}
