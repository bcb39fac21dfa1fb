/*
 * root_testing: a folder that stands for /, with what the kernel's files in it say.
 */
#ifndef SUT_ROOT_TESTING_H
#define SUT_ROOT_TESTING_H

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char root[64];

static inline void make_root(void)
{
	snprintf(root, sizeof root, "/tmp/root_testing.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(root));
}

static inline void remove_root(void)
{
	char command[128];
	snprintf(command, sizeof command, "rm -rf %s", root);
	ck_assert_int_eq(system(command), 0);
}

/* Makes the folders above it as well. */
static inline void put(const char *path, const char *text)
{
	char full[512];
	snprintf(full, sizeof full, "%s%s", root, path);
	for (char *slash = full; (slash = strchr(slash + 1, '/'));) {
		*slash = '\0';
		if (mkdir(full, 0755))
			ck_assert_int_eq(errno, EEXIST);
		*slash = '/';
	}
	FILE *file = fopen(full, "we");
	ck_assert_msg(file != NULL, "%s", full);
	fputs(text, file);
	ck_assert_int_eq(fclose(file), 0);
}

#endif
