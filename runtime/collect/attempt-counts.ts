// Counts the attempts of a collection, per task. Pure.

import type { AttemptRow } from '../protocol/daemon/collection.ts';

export type AttemptCounts = Omit<AttemptRow, 'task'>;

const NONE: AttemptCounts = { tried: 0, succeeded: 0, kept: 0, broken: 0 };

/** Rows are in the order of the first attempt of their task. */
export function addAttempt(
  rows: readonly AttemptRow[],
  task: string,
  attempt: Partial<AttemptCounts>,
): readonly AttemptRow[] {
  if (!rows.some(row => row.task === task)) return [...rows, { task, ...NONE, ...attempt }];
  return rows.map(row => (row.task === task ? { task, ...plus(row, attempt) } : row));
}

export const total = (rows: readonly AttemptRow[]): AttemptCounts => rows.reduce(plus, NONE);

function plus(one: AttemptCounts, other: Partial<AttemptCounts>): AttemptCounts {
  const sum = (name: keyof AttemptCounts): number => one[name] + (other[name] ?? 0);
  return { tried: sum('tried'), succeeded: sum('succeeded'), kept: sum('kept'), broken: sum('broken') };
}
