#include "measure/load_host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"

enum { FILE_BYTES = 1 << 20, PATH_BYTES = 4096, STEAL_FIELD = 7, TICK_FIELDS = 8 };

static uint64_t number_of(struct slice text)
{
	uint64_t number = 0;
	return slice_number(slice_trim(text), UINT64_MAX, &number) ? number : 0;
}

void load_host_parse_stat(struct slice text, struct load_host *host)
{
	struct slice line, field;
	if (!slice_next(&text, '\n', &line) || !slice_starts(line, "cpu "))
		return;
	(void)slice_next(&line, ' ', &field);
	/* guest and guest_nice, which come behind steal, are part of user and nice. */
	for (size_t i = 0; i < TICK_FIELDS && slice_next(&line, ' ', &field);) {
		if (!field.len)
			continue;
		host->all_ticks += number_of(field);
		if (i++ == STEAL_FIELD)
			host->steal_ticks = number_of(field);
	}
}

int64_t load_host_parse_cpu_stat(struct slice text)
{
	struct slice line, word;
	while (slice_next(&text, '\n', &line)) {
		if (!slice_next(&line, ' ', &word))
			continue;
		if (slice_is(word, "throttled_usec"))
			return (int64_t)number_of(line) * NS_PER_US;
		if (slice_is(word, "throttled_time"))
			return (int64_t)number_of(line);
	}
	return 0;
}

/* A line of names and one of values, each begun by "TcpExt:". */
void load_host_parse_netstat(struct slice text, struct load_host *host)
{
	struct slice names = { 0 }, values = { 0 }, line, name, value;
	while (slice_next(&text, '\n', &line)) {
		if (!slice_starts(line, "TcpExt:"))
			continue;
		names = values;
		values = line;
	}
	while (slice_next(&names, ' ', &name) && slice_next(&values, ' ', &value))
		if (slice_is(name, "ListenOverflows"))
			host->listen_overflows = number_of(value);
}

/* Not file_open(), which wants files that have a size to them; these never block. Absent: no bytes. */
static void read_text(const char *path, struct buf *buf)
{
	char bytes[4096];
	size_t got;
	buf_clear(buf);
	FILE *file = fopen(path, "re");
	while (file && (got = fread(bytes, 1, sizeof bytes, file)) > 0)
		if (buf_append(buf, slice_from(bytes, got)) != RC_OK)
			break;
	if (file)
		fclose(file);
}

static int64_t throttled_along(const char *mount, struct slice group, struct buf *buf)
{
	char path[PATH_BYTES];
	int64_t sum = 0;
	for (;;) {
		snprintf(path, sizeof path, "%s%.*s/cpu.stat", mount, SLICE_PRINT(group));
		read_text(path, buf);
		sum += load_host_parse_cpu_stat(buf_slice(buf));
		if (group.len <= 1)
			return sum;
		while (group.len > 1 && group.ptr[group.len - 1] != '/')
			group.len--;
		group.len -= group.len > 1;
	}
}

/* "0::/a/b" is version 2, "4:cpu,cpuacct:/a/b" version 1; where both exist, a quota can be in either. */
static int64_t read_throttled(struct buf *buf)
{
	struct buf stat;
	int64_t sum = 0;
	buf_init(&stat, FILE_BYTES);
	read_text("/proc/self/cgroup", buf);
	struct slice text = buf_slice(buf), line, number, controllers, one;
	while (slice_next(&text, '\n', &line)) {
		if (!slice_next(&line, ':', &number) || !slice_next(&line, ':', &controllers))
			continue;
		if (slice_is(number, "0") && !controllers.len) {
			sum += throttled_along("/sys/fs/cgroup", line, &stat);
			sum += throttled_along("/sys/fs/cgroup/unified", line, &stat);
		}
		while (slice_next(&controllers, ',', &one))
			if (slice_is(one, "cpu"))
				sum += throttled_along("/sys/fs/cgroup/cpu", line, &stat);
	}
	buf_release(&stat);
	return sum;
}

void load_host_read(struct load_host *host)
{
	struct buf buf;
	*host = (struct load_host){ 0 };
	buf_init(&buf, FILE_BYTES);
	read_text("/proc/stat", &buf);
	load_host_parse_stat(buf_slice(&buf), host);
	read_text("/proc/net/netstat", &buf);
	load_host_parse_netstat(buf_slice(&buf), host);
	host->throttled_ns = read_throttled(&buf);
	buf_release(&buf);
}

double load_host_steal(const struct load_host *before, const struct load_host *after)
{
	if (after->all_ticks <= before->all_ticks || after->steal_ticks < before->steal_ticks)
		return 0;
	return (double)(after->steal_ticks - before->steal_ticks) /
	       (double)(after->all_ticks - before->all_ticks);
}
