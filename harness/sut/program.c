#include "sut/program.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "sut/sut.h"

enum { PROGRAM_MAX_BYTES = 64 * 1024 * 1024, PID_DIGITS = 10 };

/* The process id is not known yet: the digits are room for it. */
static const char listen_pid[] = "LISTEN_PID=0000000000";

static enum rc add(struct buf *b, const char *text, uint32_t *count)
{
	(*count)++;
	return buf_append(b, slice_from(text, strlen(text) + 1));
}

static bool names(const char *variable, const char *name)
{
	size_t length = strlen(name);
	return strncmp(variable, name, length) == 0 && variable[length] == '=';
}

static bool replaced(const char *variable, bool listens, bool notifies)
{
	if (listens && (names(variable, "LISTEN_FDS") || names(variable, "LISTEN_PID") ||
			       names(variable, "LISTEN_FDNAMES")))
		return true;
	return notifies && names(variable, "NOTIFY_SOCKET");
}

static enum rc add_listeners(struct buf *b, const struct process_spec *spec, uint32_t *variables)
{
	char *names = mem_text("");
	char *count = mem_print("LISTEN_FDS=%zu", spec->listen_count);
	for (size_t i = 0; spec->listen_names && i < spec->listen_count; i++) {
		char *more = mem_print("%s%s%s", i ? names : "LISTEN_FDNAMES=", i ? ":" : "",
			spec->listen_names[i]);
		free(names);
		names = more;
	}
	enum rc rc = add(b, count, variables);
	if (rc == RC_OK && names[0])
		rc = add(b, names, variables);
	free(names);
	free(count);
	return rc;
}

static enum rc pack(struct buf *b, const struct process_spec *spec, const char *notify,
	uint32_t *arguments, uint32_t *variables)
{
	enum rc rc = RC_OK;
	bool listens = spec->listen_count > 0;
	for (const char *const *a = spec->argv; *a && rc == RC_OK; a++)
		rc = add(b, *a, arguments);
	for (const char *const *e = spec->env; e && *e && rc == RC_OK; e++)
		if (!replaced(*e, listens, notify))
			rc = add(b, *e, variables);
	if (rc == RC_OK && listens)
		rc = add_listeners(b, spec, variables);
	if (rc == RC_OK && listens)
		rc = add(b, listen_pid, variables);
	if (rc == RC_OK && notify) {
		char *variable = mem_print("NOTIFY_SOCKET=%s", notify);
		rc = add(b, variable, variables);
		free(variable);
	}
	return rc;
}

static enum rc memory_file(const char *name, struct slice bytes, int *fd, struct err *err)
{
	int file = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (file < 0)
		return err_errno(err, RC_ENVIRONMENT, name, "memfd_create");
	for (size_t done = 0; done < bytes.len;) {
		ssize_t n = pwrite(file, bytes.ptr + done, bytes.len - done, (off_t)done);
		if (n < 0 && errno != EINTR) {
			err_errno(err, RC_ENVIRONMENT, name, "memory file");
			close(file);
			return RC_ENVIRONMENT;
		}
		done += n > 0 ? (size_t)n : 0;
	}
	if (fcntl(file, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)) {
		err_errno(err, RC_ENVIRONMENT, name, "seal of a memory file");
		close(file);
		return RC_ENVIRONMENT;
	}
	*fd = file;
	return RC_OK;
}

enum rc program_write(const struct process_spec *spec, const char *notify, int *fd,
	uint32_t *arguments, uint32_t *variables, struct err *err)
{
	struct buf b;
	buf_init(&b, PROGRAM_MAX_BYTES);
	*arguments = *variables = 0;
	enum rc rc = pack(&b, spec, notify, arguments, variables);
	if (rc == RC_OK)
		rc = memory_file("onus-program", buf_slice(&b), fd, err);
	else
		rc = err_set(err, RC_ENVIRONMENT, spec->name,
			"expected at most %d bytes of arguments and environment",
			PROGRAM_MAX_BYTES);
	buf_release(&b);
	return rc;
}

enum rc program_input(struct slice bytes, int *fd, struct err *err)
{
	return memory_file("onus-input", bytes, fd, err);
}

static enum rc load(int fd, char **bytes, size_t *len)
{
	struct stat status;
	if (fstat(fd, &status) || status.st_size <= 0 || status.st_size > PROGRAM_MAX_BYTES)
		return RC_INVALID;
	*len = (size_t)status.st_size;
	*bytes = mem_alloc(*len + 1, 1);
	for (size_t done = 0; done < *len;) {
		ssize_t n = pread(fd, *bytes + done, *len - done, (off_t)done);
		if (n == 0 || (n < 0 && errno != EINTR))
			return RC_INVALID;
		done += n > 0 ? (size_t)n : 0;
	}
	return RC_OK;
}

static enum rc point(char **list, uint32_t count, char **at, const char *end)
{
	for (uint32_t i = 0; i < count; i++) {
		if (*at >= end)
			return RC_INVALID;
		list[i] = *at;
		*at += strlen(*at) + 1;
	}
	return RC_OK;
}

enum rc program_read(int fd, uint32_t arguments, uint32_t variables, struct program *program)
{
	size_t len = 0;
	*program = (struct program){ 0 };
	if (!arguments || load(fd, &program->bytes, &len) != RC_OK)
		return RC_INVALID;
	program->argv = mem_alloc((size_t)arguments + 1, sizeof *program->argv);
	program->env = mem_alloc((size_t)variables + 1, sizeof *program->env);
	char *at = program->bytes;
	if (point(program->argv, arguments, &at, program->bytes + len) != RC_OK ||
		point(program->env, variables, &at, program->bytes + len) != RC_OK)
		return RC_INVALID;
	for (uint32_t i = 0; i < variables; i++)
		if (strcmp(program->env[i], listen_pid) == 0)
			program->listen_pid = program->env[i] + strlen("LISTEN_PID=");
	return RC_OK;
}

void program_release(struct program *program)
{
	free(program->bytes);
	free(program->argv);
	free(program->env);
	*program = (struct program){ 0 };
}

void program_set_listen_pid(struct program *program)
{
	if (program->listen_pid)
		snprintf(program->listen_pid, PID_DIGITS + 1, "%d", (int)getpid());
}
