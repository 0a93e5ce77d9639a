// The attempts of a collection as a table. Pure.

import { type AttemptCounts, total } from '../../collect/attempt-counts.ts';
import type { CollectionState } from '../../protocol/daemon/collection.ts';
import { count } from '../../run/number-format.ts';
import { plain, type StyledLine } from './line.ts';
import { type TableColumn, table } from './table.ts';

interface TaskAttempts extends AttemptCounts {
  readonly task: string;
  readonly pool: number;
}

const counted = (title: string, number: (row: TaskAttempts) => number): TableColumn<TaskAttempts> => ({
  title,
  cell: row => [plain(count(number(row)))],
  isNumber: true,
});

const COLUMNS: readonly TableColumn<TaskAttempts>[] = [
  { title: 'task', cell: ({ task }) => [plain(task)] },
  counted('attempts', ({ tried }) => tried),
  counted('successes', ({ succeeded }) => succeeded),
  counted('stored', ({ kept }) => kept),
  counted('in pool', ({ pool }) => pool),
];

/** `members` counts the success pool now. */
export function attemptTable(
  { rows, members }: Pick<CollectionState, 'rows' | 'members'>,
  width: number,
): readonly StyledLine[] {
  const tasks = rows.map(row => ({ ...row, pool: members[row.task] ?? 0 }));
  const pool = tasks.reduce((sum, row) => sum + row.pool, 0);
  return table(COLUMNS, [...tasks, { task: 'total', ...total(rows), pool }], width);
}
