#include "model/process.h"

#include <stdio.h>
#include <string.h>

enum { KIB = 1024 };

/* A cap is told as it is written in a case: 96 MiB, not 100.7 MB. */
static void print_cap(uint64_t bytes, char *text, size_t size)
{
	static const char *const UNITS[] = { "B", "KiB", "MiB", "GiB" };
	size_t unit = 0;
	while (unit + 1 < sizeof UNITS / sizeof *UNITS && bytes && bytes % KIB == 0) {
		bytes /= KIB;
		unit++;
	}
	snprintf(text, size, "%llu %s", (unsigned long long)bytes, UNITS[unit]);
}

void process_oom_words(uint64_t memory_max_bytes, char *text, size_t size)
{
	char cap[32];
	print_cap(memory_max_bytes, cap, sizeof cap);
	snprintf(text, size, "killed by the kernel: its memory cap of %s was full", cap);
}

const char *process_end_words(const struct process_end *end, struct arena *arena)
{
	char text[128];
	if (end->oom) {
		process_oom_words(end->memory_max_bytes, text, sizeof text);
		return arena_text(arena, text);
	}
	if (end->signal)
		return arena_print(
			arena, "ended by signal %d (%s)", end->signal, strsignal(end->signal));
	return arena_print(arena, "exit status %d", end->exit);
}
