#include "cli/hold_job.h"

#include <stdio.h>
#include <string.h>

#include "cli/load_words.h"
#include "load/defaults.h"

enum { ROUNDS_DEFAULT = 10, BUFFER_BYTES = 1024 };

#define EVERY_DEFAULT_NS NS_PER_S

static enum rc usage(const char *option, const char *text, struct err *err)
{
	return err_set(err, RC_USAGE, option, "%s", text);
}

/* What is of a load only. */
static enum rc check_others(const struct load_words *w, struct err *err)
{
	const struct {
		const char *option;
		bool there;
	} rows[] = { { "--users", w->users }, { "--threads", w->threads },
		{ "--requests", w->requests }, { "--rate", w->rate }, { "--ramp", w->ramp },
		{ "--stages", w->stages }, { "--burst", w->burst }, { "--warm-up", w->warm_up },
		{ "--think", w->think }, { "--hlog", w->hlog }, { "--decode", w->decode } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].there)
			return usage(rows[i].option,
				"what is held has no such thing: --hold says how many streams there are",
				err);
	return RC_OK;
}

static enum rc read_counts(const struct load_words *w, struct hold_job *job, struct err *err)
{
	uint64_t up_to = 0, add = 0, enough;
	enum rc rc = load_word_count("hold", w->hold, 1, USERS_MAX, &up_to, err);
	add = (up_to + ROUNDS_DEFAULT - 1) / ROUNDS_DEFAULT;
	enough = up_to;
	if (rc == RC_OK)
		rc = load_word_count("add", w->add, 1, USERS_MAX, &add, err);
	job->until_oom = w->until && strcmp(w->until, "oom") == 0;
	if (rc == RC_OK && !job->until_oom)
		rc = load_word_count("until", w->until, 1, up_to, &enough, err);
	if (rc != RC_OK)
		return rc;
	job->up_to = (size_t)up_to;
	job->add = (size_t)add;
	job->enough = (size_t)enough;
	if (job->until_oom && !job->load->cost.pid && !job->load->cost.container)
		return usage("--until",
			"oom needs the SUT to be known: --pid PID or --container ID", err);
	return RC_OK;
}

static enum rc read_times(const struct load_words *w, struct hold_job *job, struct err *err)
{
	job->every_ns = EVERY_DEFAULT_NS;
	job->within_ns = job->load->arms[0].plan.timeout_ns;
	enum rc rc = load_word_time("every", w->every, true, &job->every_ns, err);
	if (rc == RC_OK)
		rc = load_word_time("duration", w->duration, true, &job->stay_ns, err);
	if (rc == RC_OK && (job->every_ns > LOAD_LONGEST_NS || job->stay_ns > LOAD_LONGEST_NS))
		return usage(job->every_ns > LOAD_LONGEST_NS ? "--every" : "--duration",
			"expected at most 24 hours", err);
	return rc;
}

static enum rc read_thresholds(const struct options *options, struct hold_job *job, struct err *err)
{
	const struct texts *texts = &options->load.thresholds;
	job->thresholds = arena_alloc(options->arena, texts->count + 1, sizeof *job->thresholds);
	for (; job->threshold_count < texts->count; job->threshold_count++) {
		enum rc rc = hold_threshold_parse(texts->list[job->threshold_count],
			&job->thresholds[job->threshold_count], err);
		if (rc != RC_OK)
			return rc;
	}
	return RC_OK;
}

enum rc hold_job_read(const struct options *options, const struct load_job *load,
	struct hold_job *job, struct err *err)
{
	const struct load_words *w = &options->load;
	*job = (struct hold_job){ .load = load, .plan = load->arms[0].plan, .trigger = w->trigger };
	job->plan.buffer_bytes = BUFFER_BYTES;
	enum rc rc = check_others(w, err);
	if (rc == RC_OK && load->arm_count > 1)
		rc = usage("--accept", "both are two loads: hold streams one after the other", err);
	if (rc == RC_OK)
		rc = read_counts(w, job, err);
	if (rc == RC_OK)
		rc = read_times(w, job, err);
	return rc == RC_OK ? read_thresholds(options, job, err) : rc;
}
