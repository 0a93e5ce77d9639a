// What collecting came to, task by task: counted here, and drawn as a table. Pure.

import type { TaskId } from '../../contracts/ids.ts';
import { faint, type Line, plain } from '../terminal/line.ts';
import { count } from '../terminal/words.ts';

export interface Tries {
  readonly tried: number;
  readonly succeeded: number;
  /** On disk now. */
  readonly kept: number;
  /** The infrastructure failed: these were not tried. */
  readonly broken: number;
}

export type ByTask = ReadonlyMap<TaskId, Tries>;

const NONE: Tries = { tried: 0, succeeded: 0, kept: 0, broken: 0 };

export const noted = (all: ByTask, task: TaskId, came: Partial<Tries>): ByTask =>
  new Map([...all, [task, plus(all.get(task) ?? NONE, came)]]);

export const total = (all: ByTask): Tries => [...all.values()].reduce(plus, NONE);

function plus(one: Tries, other: Partial<Tries>): Tries {
  const sum = (name: keyof Tries): number => one[name] + (other[name] ?? 0);
  return { tried: sum('tried'), succeeded: sum('succeeded'), kept: sum('kept'), broken: sum('broken') };
}

/** `members` of the success pool there are now. */
export function triesTable(all: ByTask, members: ReadonlyMap<TaskId, number>): readonly Line[] {
  const rows = [...all].map(([task, tries]) => cells(task, tries, members.get(task) ?? 0));
  const inAll = [...all.keys()].reduce((sum, task) => sum + (members.get(task) ?? 0), 0);
  const lines = [['task', 'tried', 'succeeded', 'kept', 'in pool'], ...rows, cells('all', total(all), inAll)];
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

const cells = (name: string, { tried, succeeded, kept }: Tries, pool: number): readonly string[] => [
  name,
  ...[tried, succeeded, kept, pool].map(count),
];
