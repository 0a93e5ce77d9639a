// A process that waits at a breakpoint is not a failed one: while a debugger may be attached, no peer is killed for its silence.

import { url } from 'node:inspector';

/** For a program that is started without a debugger and whose children are debugged. Children inherit it. */
export const DEBUG_VARIABLE = 'DARTBOARD_DEBUG';

/** Whether this process, or the one that started it, runs with --inspect, or DARTBOARD_DEBUG is 1. */
export const isDebugged = (): boolean => process.env[DEBUG_VARIABLE] === '1' || url() !== undefined;
