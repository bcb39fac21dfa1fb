/*
 * memory_testing: memory that is really there, page by page, until the process ends.
 */
#ifndef SUT_MEMORY_TESTING_H
#define SUT_MEMORY_TESTING_H

#include "base/err.h"

static inline void memory_take(size_t bytes)
{
	volatile char *memory = mem_alloc(bytes, 1);
	for (size_t i = 0; i < bytes; i += 4096)
		memory[i] = 1;
}

#endif
