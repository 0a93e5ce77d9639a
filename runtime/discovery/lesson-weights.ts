// The sampling weight of each kind of lesson: the lower the success rate of the tasks that ask for it, the higher. Pure.

import type { Needs } from '../core/lesson.ts';
import { kindsFor } from '../environments/pocket/tasks/outcomes.ts';

/** The extra weight of a kind whose tasks never succeed. */
const FAILURE_WEIGHT = 4;

/** `rates`: success rates from 0 to 1 of the tasks that were tried. */
export function needsOf(rates: Readonly<Record<string, number>>): Needs {
  const needs = new Map<string, number>();
  for (const [task, rate] of Object.entries(rates))
    for (const kind of kindsFor(task))
      needs.set(kind, Math.max(needs.get(kind) ?? 1, 1 + FAILURE_WEIGHT * (1 - rate)));
  return Object.fromEntries(needs);
}
