/*
 * What cppcheck, which reads no headers of libraries, has to know about their macros, and about the one
 * keyword that it knows by an older name alone. ci/lint has it included before each file.
 */
#define _Noreturn __attribute__((noreturn))
#define cJSON_ArrayForEach(at, list) for (at = (list) ? (list)->child : 0; at; at = at->next)
#define START_TEST(name)             static void name(int _i)
#define END_TEST
#define ck_assert(condition)                                                                       \
	do {                                                                                       \
		if (!(condition))                                                                  \
			abort();                                                                   \
	} while (0)
