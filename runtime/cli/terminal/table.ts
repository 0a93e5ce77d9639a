// Success task by task, the worst first, as a table that is as wide as there is room. Pure.

import { type TaskScore, worstFirst } from '../../inference/scores.ts';
import { percent, range } from '../../run/number-format.ts';
import { faint, filled, type Line, plain } from './line.ts';

const BAR = 10;
const RANGE = 11;

/** Where it gets narrow the bars go first, then the intervals. */
export function table(scores: readonly TaskScore[], width: number): readonly Line[] {
  const rows = worstFirst(scores);
  const name = Math.max(4, ...rows.map(({ task }) => task.length));
  const numbers = Math.max(4, ...rows.map(({ successes, trials }) => tallied(successes, trials).length));
  const left = width - name - 2 - numbers - 7;
  const [ranges, bars] = [left >= RANGE, left >= RANGE + BAR + 2];
  const before = ' '.repeat(2 + (bars ? BAR + 2 : 0));
  return [
    [faint(`${'task'.padEnd(name)}${before}solved`)],
    ...rows.map(
      (row): Line => [
        plain(row.task.padEnd(name)),
        ...(bars ? [plain('  '), ...filled(row.rate, BAR, true)] : []),
        plain(`  ${tallied(row.successes, row.trials).padStart(numbers)}  ${percent(row.rate).padStart(5)}`),
        ...(ranges ? [faint(`  ${range(row)}`)] : []),
      ],
    ),
  ];
}

const tallied = (successes: number, trials: number): string => `${successes}/${trials}`;
