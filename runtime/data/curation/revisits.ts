// DART's revisits: a task whose results do not change, solved or not, is visited less often but never dropped. Pure.

import { RESULT_WINDOW } from './results.ts';

/** An unchanging task keeps one visit in this number. */
export const SELDOM = 4;

/** Whether the window is full of equal results. */
export function isUnchanging(results: readonly boolean[]): boolean {
  const last = results.slice(-RESULT_WINDOW);
  return last.length === RESULT_WINDOW && last.every(result => result === last[0]);
}

/** `visit` is the index of the visit, from 0. */
export const isWorthVisiting = (results: readonly boolean[], visit: number): boolean =>
  !isUnchanging(results) || visit % SELDOM === 0;
