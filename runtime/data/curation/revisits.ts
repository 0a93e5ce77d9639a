// How often a task is visited (DART, revisits): one of which nothing changes any more, solved or not, comes less often, and is never
// forgotten. Pure.

import { WINDOW } from './results.ts';

/** One visit in so many is left of a task whose outcome does not change. */
export const SELDOM = 4;

/** The last results are all there, and all the same. */
export function isUnchanging(results: readonly boolean[]): boolean {
  const last = results.slice(-WINDOW);
  return last.length === WINDOW && last.every(result => result === last[0]);
}

/** `visit` counts the turns that tasks have. */
export const isWorthVisiting = (results: readonly boolean[], visit: number): boolean =>
  !isUnchanging(results) || visit % SELDOM === 0;
