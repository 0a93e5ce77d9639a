// Success per task, the worst first, as a table that fits the width. Pure.

import { type TaskScore, worstFirst } from '../../inference/scores.ts';
import { percent, range } from '../../run/number-format.ts';
import { faint, filled, plain, type StyledLine } from './line.ts';

const BAR_COLUMNS = 10;
const RANGE_COLUMNS = 11;

/** Narrow tables drop the bars first, then the intervals. */
export function successTable(scores: readonly TaskScore[], width: number): readonly StyledLine[] {
  const rows = worstFirst(scores);
  const name = Math.max(4, ...rows.map(({ task }) => task.length));
  const numbers = Math.max(4, ...rows.map(({ successes, trials }) => tallied(successes, trials).length));
  const left = width - name - 2 - numbers - 7;
  const [ranges, bars] = [left >= RANGE_COLUMNS, left >= RANGE_COLUMNS + BAR_COLUMNS + 2];
  const before = ' '.repeat(2 + (bars ? BAR_COLUMNS + 2 : 0));
  return [
    [faint(`${'task'.padEnd(name)}${before}solved`)],
    ...rows.map(
      (row): StyledLine => [
        plain(row.task.padEnd(name)),
        ...(bars ? [plain('  '), ...filled(row.rate, BAR_COLUMNS, true)] : []),
        plain(`  ${tallied(row.successes, row.trials).padStart(numbers)}  ${percent(row.rate).padStart(5)}`),
        ...(ranges ? [faint(`  ${range(row)}`)] : []),
      ],
    ),
  ];
}

const tallied = (successes: number, trials: number): string => `${successes}/${trials}`;
