#include "measure/load_null.h"

#include "http/null_server.h"
#include "measure/load_number.h"

static enum rc drive(const struct load_plan *wanted, const struct null_server *server,
	uint64_t users, int stop_fd, struct load_result **result, struct err *err)
{
	struct load_plan plan = { .requests = wanted->requests,
		.request_count = wanted->request_count,
		.model = LOAD_CLOSED,
		.users = { .kind = USERS_CONSTANT, .users = users, .length_ns = CLOCK_NEVER },
		.warm_up_ns = LOAD_NULL_NS / 10,
		.measure_ns = LOAD_NULL_NS,
		.timeout_ns = NS_PER_S,
		.drain_ns = NS_PER_S,
		.threads = wanted->threads,
		.streams = 1,
		.decode = wanted->decode,
		.seed = wanted->seed,
		.stop_fd = stop_fd };
	plan.address = (struct client_options){
		.scheme = "http", .host = "127.0.0.1", .port = server->port
	};
	return load_run(&plan, result, err);
}

static void take(const struct load_result *result, bool one_user, struct load_null *null)
{
	if (one_user)
		null->floor_ns = hist_quantile(result->hists[LOAD_SERVICE], 0.5);
	else
		null->ceiling_per_s = load_rate(result);
}

void load_null_drive(
	const struct load_plan *like, int stop_fd, struct arena *arena, struct load_null *null)
{
	uint64_t users = like->model == LOAD_OPEN ? like->max_in_flight : users_most(&like->users);
	uint64_t runs[] = { users < LOAD_NULL_USERS ? users : LOAD_NULL_USERS, 1 };
	struct null_server server;
	struct err err = { 0 };
	bool partial = false;
	*null = (struct load_null){ 0 };
	enum rc rc = null_server_start(&server, &err);
	for (size_t i = 0; rc == RC_OK && !partial && i < 2; i++) {
		struct load_result *result;
		rc = drive(like, &server, runs[i], stop_fd, &result, &err);
		if (rc != RC_OK)
			break;
		take(result, i == 1, null);
		partial = result->partial;
		load_result_free(result);
	}
	null_server_stop(&server);
	null->driven = rc == RC_OK && !partial && null->floor_ns > 0;
	if (!null->driven && !partial)
		null->problem = rc == RC_OK ? "it did not answer" : arena_text(arena, err.text);
}
