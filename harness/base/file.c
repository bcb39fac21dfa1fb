#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static bool is_null(const struct stat *status)
{
	/* Its number is part of the ABI: null(4). */
	return S_ISCHR(status->st_mode) && status->st_rdev == makedev(1, 3);
}

static const char *kind(mode_t mode)
{
	return S_ISDIR(mode)    ? "a folder"
	       : S_ISFIFO(mode) ? "a pipe"
	       : S_ISSOCK(mode) ? "a socket"
				: "a device";
}

enum rc file_open(const char *path, int *fd, struct err *err)
{
	struct stat status;
	/* Without O_NONBLOCK a named pipe would wait here; on a file it changes nothing. */
	*fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	if (*fd < 0 && errno == ENXIO)
		return err_set(err, RC_ENVIRONMENT, path, "is not a file but a socket or a device");
	if (*fd < 0)
		return err_errno(err, RC_ENVIRONMENT, path, "cannot be opened");
	enum rc rc = RC_OK;
	if (fstat(*fd, &status))
		rc = err_errno(err, RC_ENVIRONMENT, path, "cannot be opened");
	else if (!S_ISREG(status.st_mode) && !is_null(&status))
		rc = err_set(
			err, RC_ENVIRONMENT, path, "is not a file but %s", kind(status.st_mode));
	if (rc != RC_OK)
		close(*fd);
	return rc;
}
