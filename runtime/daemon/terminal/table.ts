// Success task by task, the worst first, as a table that is as wide as there is room. Pure.

import { type TaskScore, worstFirst } from '../learn/scores.ts';
import { faint, filled, type Line, plain } from './line.ts';
import { percent, range } from './words.ts';

const BAR = 10;
const RANGE = 11;
/** Of a column beside the first one. */
const BESIDE = 12;

export interface Column {
  readonly title: string;
  readonly scores: readonly TaskScore[];
}

/** The first column orders the rows and has bars and intervals where they fit; the others have plain rates. */
export function table([first, ...others]: readonly [Column, ...Column[]], width: number): readonly Line[] {
  const rows = worstFirst(first.scores);
  const name = Math.max(4, ...rows.map(({ task }) => task.length));
  const numbers = Math.max(4, ...rows.map(({ successes, trials }) => tallied(successes, trials).length));
  // Where it gets narrow the bars go first, then what stands beside, then the intervals.
  let left = width - name - 2 - numbers - 7;
  const fits = [RANGE, ...others.map(() => BESIDE), BAR + 2].map(each => {
    left -= each;
    return left >= 0;
  });
  const [ranges, bars] = [fits[0] === true, fits.at(-1) === true];
  const beside = others.filter((_, index) => fits[1 + index] === true);
  const before = ' '.repeat(2 + (bars ? BAR + 2 : 0));
  const title = first.title.padEnd(numbers + 7 + (ranges ? RANGE : 0));
  return [
    [
      faint(`${'task'.padEnd(name)}${before}${title}`),
      ...beside.map(each => faint(each.title.padStart(BESIDE))),
    ],
    ...rows.map(
      (row): Line => [
        plain(row.task.padEnd(name)),
        ...(bars ? [plain('  '), ...filled(row.rate, BAR, true)] : []),
        plain(`  ${tallied(row.successes, row.trials).padStart(numbers)}  ${percent(row.rate).padStart(5)}`),
        ...(ranges ? [faint(`  ${range(row).padEnd(RANGE - 2)}`)] : []),
        ...beside.map(({ scores }) => faint(rateOf(scores, row.task).padStart(BESIDE))),
      ],
    ),
  ];
}

const tallied = (successes: number, trials: number): string => `${successes}/${trials}`;

function rateOf(scores: readonly TaskScore[], task: string): string {
  const found = scores.find(each => each.task === task);
  return found === undefined || found.trials === 0 ? '' : percent(found.successes / found.trials);
}
