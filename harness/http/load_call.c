#include "http/load_call.h"

#include <stdlib.h>

static struct load_call *new_call(struct load_group *group, size_t kind)
{
	struct load_call *call = mem_alloc(1, sizeof *call);
	call->thread = group->thread;
	call->group = group;
	call->kind = kind;
	call->easy = curl_easy_init();
	/* It was possible before the run, so that only memory can be short, which ends the program elsewhere too. */
	if (!call->easy || !load_handle_set(call, group->thread->setup))
		BUG("libcurl does not take a request that it took before");
	return call;
}

static struct load_call *take_call(struct load_group *group, size_t kind)
{
	struct load_call *call = group->idle[kind];
	if (!call)
		return new_call(group, kind);
	group->idle[kind] = call->next_idle;
	call->sent_ns = 0;
	call->first_ns = 0;
	call->wire_bytes = 0;
	call->gone = false;
	call->says_close = false;
	call->must_know = false;
	call->undecodable = false;
	call->headed = false;
	call->has_body = false;
	call->socket_errno = 0;
	call->body.broken = false;
	call->body.chunked = false;
	call->body.decoded_bytes = 0;
	call->coding_len = 0;
	call->coding[0] = 0;
	return call;
}

static void link_call(struct load_thread *thread, struct load_call *call)
{
	call->older = thread->newest;
	call->younger = NULL;
	if (call->older)
		call->older->younger = call;
	else
		thread->oldest = call;
	thread->newest = call;
}

static void unlink_call(struct load_thread *thread, struct load_call *call)
{
	if (call->older)
		call->older->younger = call->younger;
	else
		thread->oldest = call->younger;
	if (call->younger)
		call->younger->older = call->older;
	else
		thread->newest = call->older;
}

static void add_to_group(struct load_call *call)
{
	CURLMcode code = curl_multi_add_handle(call->group->handle, call->easy);
	if (code != CURLM_OK)
		BUG("curl_multi_add_handle: %s", curl_multi_strerror(code));
	load_group_act(call->group);
}

void load_call_start(struct load_group *group, size_t kind, int64_t intended_ns, void *user)
{
	struct load_thread *thread = group->thread;
	struct load_call *call = take_call(group, kind);
	call->user = user;
	call->intended_ns = intended_ns;
	call->start_ns = clock_now_ns();
	link_call(thread, call);
	group->in_flight++;
	load_record_start(thread, call);
	load_thread_time(thread);
	if (thread->setup->plan->address.protocol == PROTOCOL_HTTP2C)
		load_group_version(group, call);
	add_to_group(call);
}

void load_call_end(struct load_call *call, const struct load_end *end)
{
	struct load_thread *thread = call->thread;
	struct load_group *group = call->group;
	bool rest = !end->answered && !end->unanswered && !call->sent_ns;
	load_record_end(thread, call, end);
	load_body_release(&call->body);
	unlink_call(thread, call);
	curl_multi_remove_handle(group->handle, call->easy);
	group->in_flight--;
	if (group->opener == call)
		group->opener = NULL;
	call->next_idle = group->idle[call->kind];
	group->idle[call->kind] = call;
	if (!end->unanswered)
		thread->setup->way->ended(thread, call, end->now_ns, rest);
}

/* HTTP/2 was asked for, and the server chose another. */
static bool other_version(const struct load_call *call)
{
	long version = 0;
	if (call->thread->setup->plan->address.protocol == PROTOCOL_HTTP1)
		return false;
	curl_easy_getinfo(call->easy, CURLINFO_HTTP_VERSION, &version);
	return version != CURL_HTTP_VERSION_2_0;
}

/* As if it had been told at first: nothing was sent. */
static void start_knowing(struct load_call *call)
{
	struct load_group *group = call->group;
	curl_multi_remove_handle(group->handle, call->easy);
	call->socket_errno = 0;
	load_group_version(group, call);
	add_to_group(call);
}

void load_call_done(struct load_call *call, CURLcode result)
{
	if (call->must_know) {
		start_knowing(call);
		return;
	}
	struct load_end end = { .now_ns = clock_now_ns(), .answered = result == CURLE_OK };
	if (!end.answered) {
		end.failure = load_failure_of(call, result);
	} else if (other_version(call)) {
		end.answered = false;
		end.failure = LOAD_FRAMING;
	} else {
		curl_easy_getinfo(call->easy, CURLINFO_RESPONSE_CODE, &end.status);
		load_body_close(&call->body);
	}
	load_call_end(call, &end);
}

void load_call_free_idle(struct load_group *group)
{
	for (size_t i = 0; i < group->thread->setup->plan->request_count; i++)
		for (struct load_call *call; (call = group->idle[i]);) {
			group->idle[i] = call->next_idle;
			curl_easy_cleanup(call->easy);
			free(call);
		}
}
