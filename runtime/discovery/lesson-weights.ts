// How much oftener lessons of a kind are shown, by how the tasks that ask for it fare: what goes wrong most is shown most. Pure.

import type { Needs } from '../core/lesson.ts';
import { kindsFor } from '../environments/pocket/tasks/outcomes.ts';

/** How much oftener something is shown that never succeeds than what always does. */
const NEED = 4;

/** `rates` are the success rates of tasks, from 0 to 1; a task that was never tried says nothing. */
export function needsOf(rates: Readonly<Record<string, number>>): Needs {
  const needs: Record<string, number> = {};
  for (const [task, rate] of Object.entries(rates))
    for (const kind of kindsFor(task)) needs[kind] = Math.max(needs[kind] ?? 1, 1 + NEED * (1 - rate));
  return needs;
}
