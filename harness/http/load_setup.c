#include "http/load_setup.h"

#include "http/head.h"
#include "http/load_call.h"
#include "http/request.h"

#include <stdlib.h>
#include <string.h>

/* A row by enum load_model. */
static const struct load_way *const ways[] = {
	[LOAD_CLOSED] = &load_users_way,
	[LOAD_OPEN] = &load_arrivals_way,
};

static enum rc check_request(const struct load_request *request, struct err *err)
{
	if (!head_token(slice_of(request->method)) || strcmp(request->method, "CONNECT") == 0)
		return err_set(err, RC_USAGE, "method",
			"expected a method other than CONNECT, found %s", request->method);
	if (request->target[0] != '/')
		return err_set(err, RC_USAGE, "target",
			"expected a path that begins with /, found %s", request->target);
	for (size_t i = 0; i < request->header_count; i++)
		if (!head_token(slice_of(request->headers[i].name)) ||
			strpbrk(request->headers[i].value, "\r\n"))
			return err_set(err, RC_USAGE, "headers",
				"expected a name that is a token and a value of one line, found %s: %s",
				request->headers[i].name, request->headers[i].value);
	return RC_OK;
}

static enum rc check_numbers(const struct load_plan *plan, struct err *err)
{
	if (!plan->threads)
		return err_set(err, RC_USAGE, "threads", "expected at least 1, found 0");
	if (plan->warm_up_ns < 0 || plan->measure_ns <= 0 || plan->tail_ns < 0 ||
		plan->drain_ns < 0)
		return err_set(err, RC_USAGE, "times",
			"expected a time to measure above 0 and no other below, found %lld ms",
			(long long)(plan->measure_ns / NS_PER_MS));
	if (plan->timeout_ns < NS_PER_MS)
		return err_set(err, RC_USAGE, "timeout", "expected at least 1 ms, found %lld us",
			(long long)(plan->timeout_ns / NS_PER_US));
	if (plan->buffer_bytes && plan->buffer_bytes < 1024)
		return err_set(err, RC_USAGE, "buffer_bytes", "expected at least 1024, found %zu",
			plan->buffer_bytes);
	if (plan->model == LOAD_CLOSED)
		return users_check(&plan->users, err);
	if (!plan->max_in_flight)
		return err_set(err, RC_USAGE, "max_in_flight", "expected at least 1, found 0");
	return arrival_check(&plan->arrival, err);
}

static enum rc prepare_mix(struct load_setup *setup, struct err *err)
{
	const struct load_plan *plan = setup->plan;
	double *weights = mem_alloc(plan->request_count + 1, sizeof *weights);
	for (size_t i = 0; i < plan->request_count; i++)
		weights[i] = plan->requests[i].weight;
	enum rc rc = mix_init(&setup->mix, weights, plan->request_count, err);
	free(weights);
	return rc;
}

static void add_line(struct curl_slist **list, char *line)
{
	struct curl_slist *longer = curl_slist_append(*list, line);
	if (!longer)
		BUG("curl_slist_append");
	*list = longer;
	free(line);
}

/* As ordinary.c: what libcurl would add by itself is taken out, unless the request names it; each line costs time. */
static struct curl_slist *header_lines(const struct load_request *from)
{
	static const char *const own[] = { "Accept", "Expect", "Content-Type" };
	const struct request request = { .method = from->method,
		.headers = from->headers,
		.header_count = from->header_count,
		.body = from->body };
	struct curl_slist *list = NULL;
	size_t count =
		from->body.ptr || request_wants_length(&request) ? sizeof own / sizeof *own : 1;
	for (size_t i = 0; i < count; i++)
		if (!request_header(&request, own[i]))
			add_line(&list, mem_print("%s:", own[i]));
	for (size_t i = 0; i < from->header_count; i++) {
		const struct request_header *header = &from->headers[i];
		/* "Name;" is libcurl's way of an empty value. */
		add_line(&list, header->value[0] ? mem_print("%s: %s", header->name, header->value)
						 : mem_print("%s;", header->name));
	}
	/* RFC 9110 section 8.6; libcurl writes it only where there is a body. */
	if (!from->body.ptr && request_wants_length(&request))
		add_line(&list, mem_text("Content-Length: 0"));
	return list;
}

size_t load_setup_group(const struct load_plan *plan, size_t requests)
{
	/* libcurl goes through all connections of a group, but each group costs two descriptors and some 50 KiB. */
	enum { GROUP_FEW = 4, GROUP_MANY = 16, FEW = 256 };
	if (plan->address.protocol != PROTOCOL_HTTP1)
		return plan->streams ? plan->streams : 1;
	/* A user that thinks would else lend its connection to another. */
	if (plan->model == LOAD_CLOSED && plan->users.think_ns)
		return 1;
	return requests <= FEW ? GROUP_FEW : GROUP_MANY;
}

static void prepare_sizes(struct load_setup *setup)
{
	const struct load_plan *plan = setup->plan;
	uint64_t most = plan->model == LOAD_OPEN ? plan->max_in_flight : users_most(&plan->users);
	setup->most = (size_t)most;
	setup->threads = plan->threads < setup->most ? plan->threads : setup->most;
	setup->threads = setup->threads ? setup->threads : 1;
	setup->group_size = load_setup_group(plan, setup->most);
}

enum rc load_setup_init(struct load_setup *setup, const struct load_plan *plan, struct err *err)
{
	*setup = (struct load_setup){
		.plan = plan, .way = ways[plan->model], .arena = arena_new(), .dns_ns = -1
	};
	pthread_mutex_init(&setup->gate.lock, NULL);
	pthread_cond_init(&setup->gate.moved, NULL);
	enum rc rc = prepare_mix(setup, err);
	for (size_t i = 0; rc == RC_OK && i < plan->request_count; i++)
		rc = check_request(&plan->requests[i], err);
	if (rc == RC_OK)
		rc = check_numbers(plan, err);
	if (rc == RC_OK)
		rc = connection_check(&plan->address, err);
	if (rc != RC_OK)
		return rc;
	prepare_sizes(setup);
	setup->headers = mem_alloc(plan->request_count, sizeof(struct curl_slist *));
	for (size_t i = 0; i < plan->request_count; i++)
		setup->headers[i] = header_lines(&plan->requests[i]);
	rc = load_address_prepare(setup, err);
	if (rc == RC_OK && !load_handle_possible(setup))
		rc = err_set(err, RC_ENVIRONMENT, "libcurl",
			"expected to take the protocol and options asked for, found that %s does not",
			http_libcurl_version());
	return rc;
}

void load_setup_release(struct load_setup *setup)
{
	for (size_t i = 0; setup->headers && i < setup->plan->request_count; i++)
		curl_slist_free_all(setup->headers[i]);
	free(setup->headers);
	curl_slist_free_all(setup->resolve);
	curl_url_cleanup(setup->url);
	pthread_cond_destroy(&setup->gate.moved);
	pthread_mutex_destroy(&setup->gate.lock);
	arena_free(setup->arena);
}

void load_setup_times(struct load_setup *setup, int64_t start_ns)
{
	const struct load_plan *plan = setup->plan;
	setup->start_ns = start_ns;
	setup->from_ns = start_ns + plan->warm_up_ns;
	setup->to_ns = setup->from_ns + plan->measure_ns;
	setup->end_ns = setup->to_ns + (plan->measure_requests ? 0 : plan->tail_ns);
}
