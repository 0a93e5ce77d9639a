// Garbage collection flags for processes that share a few cores.
//
// V8's collector threads gain nothing when every core is busy: they only wait for one another. A process that passes much data through
// buffers fills a small heap several times a second, which costs a tenth of its time. Twice the growth makes that rare.

import { setFlagsFromString } from 'node:v8';

const HEAP_GROWTH = '--heap-growing-percent=200';
const CHILD_FLAGS: readonly string[] = [HEAP_GROWTH, '--single-threaded-gc'];

/** Sizes of a semi-space, of which a process has two to three. V8's default is 16 MB. */
const MIN_SEMI_SPACE_MB = 8;
const MAX_SEMI_SPACE_MB = 256;
/** Up to so many items in a process, the smallest semi-space is enough. */
const FEW_ITEMS = 1000;
const SEMI_SPACE_MB_PER_1000_ITEMS = 32;

/**
 * `waiting` is the number of items that wait in the process at a time. With thousands, objects of a waiting item outlive a small young
 * generation and need a full collection, which makes each step a third slower. Without it, V8's default applies: a trainer, which does one
 * long step after another, is slower with a smaller semi-space.
 */
export function childFlags(waiting?: number): readonly string[] {
  if (waiting === undefined) return CHILD_FLAGS;
  const megabytes =
    waiting <= FEW_ITEMS
      ? MIN_SEMI_SPACE_MB
      : Math.min(MAX_SEMI_SPACE_MB, SEMI_SPACE_MB_PER_1000_ITEMS * Math.ceil(waiting / 1000));
  return [...CHILD_FLAGS, `--max-semi-space-size=${megabytes}`];
}

/** On Windows, each child of a daemon without a console would open a window. */
export const NO_CONSOLE_WINDOW = { windowsHide: true } as const;

/** Sets the growth in a running process. Its collector threads exist already. */
export const growHeapFaster = (): void => setFlagsFromString(HEAP_GROWTH);
