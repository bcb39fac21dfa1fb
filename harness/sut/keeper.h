/*
 * keeper: the process that owns all processes of one start. It is the parent of each and the child subreaper of what
 * descends from them, copies their output, carries out commands (message.h) and tells how they ended.
 *
 * It ends at COMMAND_END, or when onus is gone: either way only once no descendant is left. It has one thread.
 */
#ifndef SUT_KEEPER_H
#define SUT_KEEPER_H

/* `control` is this side of the pair over which onus speaks to it. Called in a new process. */
_Noreturn void keeper_run(int control);

#endif
