#include "sut/crew.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

/* Where both go to one file, err is closed, and what is in the file is out's. */
static void tell_output(const struct child *child, struct process_end *end, struct arena *arena)
{
	char text[512] = "";
	bool one = child->err.fd < 0;
	uint64_t err_dropped = child->err.copied.dropped;
	end->out = output_tail(&child->out, arena);
	end->err = output_tail(&child->err, arena);
	end->out_bytes =
		output_bytes(&child->out) + child->out.copied.dropped + (one ? err_dropped : 0);
	end->err_bytes = output_bytes(&child->err) + (one ? 0 : err_dropped);
	output_dropped(&child->out, "stdout", text, sizeof text);
	if (text[0] && err_dropped)
		snprintf(text + strlen(text), sizeof text - strlen(text), "; ");
	output_dropped(&child->err, "stderr", text, sizeof text);
	end->dropped = text[0] ? arena_text(arena, text) : NULL;
	end->sanitizer = output_sanitizer(&child->err, arena);
	if (!end->sanitizer)
		end->sanitizer = output_sanitizer(&child->out, arena);
}

void crew_tell(const struct child *child, struct process_end *end, struct arena *arena)
{
	*end = (struct process_end){ .running = !child->ended, .exit = -1 };
	int64_t to_ns = child->ended ? child->ended_ns : clock_now_ns();
	end->duration_ns = to_ns - child->started_ns;
	end->answered = child->ready;
	if (child->ended && WIFEXITED(child->status))
		end->exit = WEXITSTATUS(child->status);
	if (child->ended && WIFSIGNALED(child->status))
		end->signal = WTERMSIG(child->status);
	end->oom = child->ended && child->memory.oom_kills > 0;
	end->memory_max_bytes = child->memory_max_bytes;
	end->memory_peak_bytes = child->memory.peak_bytes;
	tell_output(child, end, arena);
}

void crew_describe(const struct child *child, char *text, size_t size)
{
	size_t used = strlen(text);
	if (!child->ended)
		snprintf(text + used, size - used, "it still runs");
	else if (child->memory.oom_kills) {
		char words[128];
		process_oom_words(child->memory_max_bytes, words, sizeof words);
		snprintf(text + used, size - used, "it was %s", words);
	} else if (WIFEXITED(child->status))
		snprintf(text + used, size - used, "it exited with status %d",
			WEXITSTATUS(child->status));
	else
		snprintf(text + used, size - used, "it was killed by signal %d (%s)",
			WTERMSIG(child->status), sigdescr_np(WTERMSIG(child->status)));
}
