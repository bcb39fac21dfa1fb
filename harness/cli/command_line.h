/*
 * command_line: what the program was called with, as reports repeat it: quoted for a shell, credentials of header fields
 * masked.
 *
 *	command_line(argc, argv, arena)		// "onus load -H 'Cookie: ****' http://h/"
 */
#ifndef CLI_COMMAND_LINE_H
#define CLI_COMMAND_LINE_H

#include "base/arena.h"

/* argv without the program's own name. Of the arena. */
const char *command_line(int argc, char *const *argv, struct arena *arena);

#endif
