#include "drive/files.h"

#include <ftw.h>
#include <stdio.h>

enum { TAIL_MAX_BYTES = 4096, OPEN_MAX = 16 };

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	(void)status;
	(void)type;
	(void)walk;
	remove(path);
	return 0;
}

void files_remove(const char *path)
{
	(void)!nftw(path, remove_one, OPEN_MAX, FTW_DEPTH | FTW_PHYS);
}

const char *files_tail(struct arena *arena, struct slice output, size_t lines)
{
	while (output.len &&
		(output.ptr[output.len - 1] == '\n' || output.ptr[output.len - 1] == '\r'))
		output.len--;
	size_t start = output.len, seen = 0;
	while (start && output.len - start < TAIL_MAX_BYTES) {
		if (output.ptr[start - 1] == '\n' && ++seen == lines)
			break;
		start--;
	}
	return output.len ? arena_slice(arena, slice_part(output, start, SIZE_MAX)) : NULL;
}
