// The priority of the host's process. The workers, which are its children, inherit it.

import { constants, getPriority, setPriority } from 'node:os';

const { PRIORITY_BELOW_NORMAL } = constants.priority;

/** Keeps a priority that is lower already: only an administrator may raise it. A larger number is a lower priority. */
export function lowerPriority(get = () => getPriority(), set = (to: number) => setPriority(to)): void {
  if (get() < PRIORITY_BELOW_NORMAL) set(PRIORITY_BELOW_NORMAL);
}
