// The attempts of a collection as a table. Pure.

import { type AttemptCounts, type CountsByTask, total } from '../../collect/attempt-counts.ts';
import type { TaskId } from '../../core/ids.ts';
import { count } from '../../run/number-format.ts';
import { faint, plain, type StyledLine } from './line.ts';

/** `members` counts the success pool now. */
export function attemptTable(all: CountsByTask, members: ReadonlyMap<TaskId, number>): readonly StyledLine[] {
  const rows = [...all].map(([task, tries]) => cells(task, tries, members.get(task) ?? 0));
  const inAll = [...all.keys()].reduce((sum, task) => sum + (members.get(task) ?? 0), 0);
  const lines = [
    ['task', 'attempts', 'successes', 'stored', 'in pool'],
    ...rows,
    cells('total', total(all), inAll),
  ];
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map(cells => cells[column]?.length ?? 0)));
  return lines.map((each, row) => {
    const text = each
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths?.[0] ?? 0) : cell.padStart(widths?.[column] ?? 0),
      )
      .join('  ');
    return [row === 0 ? faint(text) : plain(text)];
  });
}

const cells = (name: string, { tried, succeeded, kept }: AttemptCounts, pool: number): readonly string[] => [
  name,
  ...[tried, succeeded, kept, pool].map(count),
];
