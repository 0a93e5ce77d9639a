// Garbage collection flags for processes that share a few cores.
//
// V8's collector threads gain nothing when every core is busy: they only wait for one another. A process that passes much data through
// buffers fills a small heap several times a second, which costs a tenth of its time. Twice the growth makes that rare.

import { setFlagsFromString } from 'node:v8';

const ROOM = '--heap-growing-percent=200';

/** What a child process is started with. */
const CHILD_FLAGS: readonly string[] = [ROOM, '--single-threaded-gc'];

/**
 * Megabytes for what is young, where V8 takes 16, of which a process has two to three: one in which few things wait does as well with
 * half; of more than the most nothing comes.
 */
const YOUNG = { least: 8, few: 1000, perThousand: 32, most: 256 };

/**
 * `waiting` is how many things wait in it at the same time. Where they are thousands, so much is made between two steps of one of them that
 * whatever it waits with outlives what is young, and is collected with the whole heap: each step then takes a third longer. Nothing is said
 * of a process that does one long thing after another, such as a trainer: with half the room more of an update outlives it.
 */
export function childFlags(waiting?: number): readonly string[] {
  if (waiting === undefined) return CHILD_FLAGS;
  const { least, few, perThousand, most } = YOUNG;
  const room = waiting <= few ? least : Math.min(most, perThousand * Math.ceil(waiting / 1000));
  return [...CHILD_FLAGS, `--max-semi-space-size=${room}`];
}

/** How it is started besides: on Windows a daemon has no console, and each of its processes would open one for all to see. */
export const NO_CONSOLE_WINDOW = { windowsHide: true } as const;

/** For a process that was started without: it has its threads already, and gets the room alone. */
export const growHeapFaster = (): void => setFlagsFromString(ROOM);
