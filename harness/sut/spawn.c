#include "sut/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Behind all that the program gets, and no further: the limit of descriptors may be near. */
enum { LISTEN_FD = 3, HIGH_FD = LISTEN_FD + SUT_LISTEN_MAX, NOT_EXECUTED = 127 };

struct failure {
	enum start_step step;
	int error;
};

static void default_signals(void)
{
	sigset_t none;
	struct sigaction action = { .sa_handler = SIG_DFL };
	/* The C library keeps two for itself and refuses them; nothing set those either. */
	for (int i = 1; i <= SIGRTMAX; i++)
		sigaction(i, &action, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* False with errno. */
static bool place_descriptors(const struct spawn *spawn)
{
	dup2(spawn->in, STDIN_FILENO);
	dup2(spawn->out, STDOUT_FILENO);
	dup2(spawn->err, STDERR_FILENO);
	int high[SUT_LISTEN_MAX];
	/* Out of the way first: one of them may have the number that another is to get. */
	for (size_t i = 0; i < spawn->listens; i++)
		if ((high[i] = fcntl(spawn->listen[i], F_DUPFD_CLOEXEC, HIGH_FD)) < 0)
			return false;
	for (size_t i = 0; i < spawn->listens; i++)
		dup2(high[i], LISTEN_FD + (int)i);
	/* All others are closed on exec already by how they were opened; this holds even if one was forgotten. */
	close_range(LISTEN_FD + (unsigned)spawn->listens, ~0U, CLOSE_RANGE_CLOEXEC);
	return true;
}

/* "0" stands for whoever writes it (cgroups(7)). */
static bool enter(int group)
{
	return group < 0 || write(group, "0", 1) == 1;
}

static _Noreturn void become(const struct spawn *spawn, pid_t keeper, int tell)
{
	struct failure failure = { .step = STEP_PREPARE };
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* The keeper may have died before the line above; then nobody is left to kill this process. */
	if (getppid() != keeper)
		_exit(NOT_EXECUTED);
	setpgid(0, 0);
	default_signals();
	program_set_listen_pid(spawn->program);
	tell = fcntl(tell, F_DUPFD_CLOEXEC, HIGH_FD);
	if (!enter(spawn->group)) {
		failure.step = STEP_CAP;
	} else if (fchdir(spawn->cwd) != 0) {
		failure.step = STEP_DIRECTORY;
	} else if (place_descriptors(spawn)) {
		execvpe(spawn->program->argv[0], spawn->program->argv, spawn->program->env);
		failure.step = STEP_EXECUTE;
	}
	failure.error = errno;
	while (write(tell, &failure, sizeof failure) < 0 && errno == EINTR)
		continue;
	_exit(NOT_EXECUTED);
}

/* The pipe is closed by a successful exec, so that its end without a word is the good news. */
static bool executed(int listen_to, struct failure *failure)
{
	ssize_t n;
	do
		n = read(listen_to, failure, sizeof *failure);
	while (n < 0 && errno == EINTR);
	return n == 0;
}

pid_t spawn_process(const struct spawn *spawn, enum start_step *step, int *error)
{
	int ends[2];
	pid_t keeper = getpid();
	struct failure failure = { .step = STEP_PREPARE };
	if (pipe2(ends, O_CLOEXEC)) {
		*step = STEP_PREPARE;
		*error = errno;
		return -1;
	}
	pid_t pid = fork();
	if (pid == 0)
		become(spawn, keeper, ends[1]);
	failure.error = errno;
	close(ends[1]);
	if (pid > 0 && !executed(ends[0], &failure)) {
		waitpid(pid, NULL, 0);
		pid = -1;
	}
	close(ends[0]);
	*step = failure.step;
	*error = failure.error;
	return pid;
}
