// The table of task differences: the rates of both arms, and the difference as a dot with its interval. Pure.

import { fixed } from '../../run/curves/svg.ts';
import type { ArmDifference, TaskDifference } from '../comparison.ts';
import { SIGNIFICANT } from '../comparison.ts';
import { formatDifference, formatP, formatRate } from '../numbers.ts';
import { chartMarkup, el, type Markup, nameMarkup, table } from './markup.ts';

const WIDTH = 260;
const HEIGHT = 20;
const MARGIN = 8;

/** From −1 to 1. */
const left = (difference: number): number => fixed(MARGIN + ((difference + 1) / 2) * (WIDTH - 2 * MARGIN));

export function taskTable({ arms, tasks }: ArmDifference): Markup {
  const [first, second] = arms;
  const hasTiers = tasks.some(({ tier }) => tier !== undefined);
  const columns = [
    { title: 'Task' },
    ...(hasTiers ? [{ title: 'Tier', isNumber: true }] : []),
    { title: first, isNumber: true },
    { title: second, isNumber: true },
    { title: ['← ', second, ' better', el('span', { class: 'right' }, first, ' better →')] },
    { title: 'Difference (95 %)', isNumber: true },
    { title: 'p', isNumber: true },
    { title: 'p, Holm', isNumber: true },
  ];
  const rows = tasks.map(each => ({
    ...(each.adjusted < SIGNIFICANT && { class: 'sure' }),
    cells: [
      nameMarkup(each.task),
      ...(hasTiers ? [each.tier === undefined ? '–' : String(each.tier)] : []),
      rateCell(each.sides[0]),
      rateCell(each.sides[1]),
      dot(each),
      formatDifference(each.difference),
      formatP(each.p),
      [formatP(each.adjusted), each.adjusted < SIGNIFICANT ? ' ✱' : ''],
    ],
  }));
  return table(`Success per task of ${first} and ${second}, the largest difference first`, columns, rows);
}

const rateCell = ({ rate, successes, trials }: TaskDifference['sides'][0]): Markup =>
  el('span', { title: `${successes} of ${trials}` }, formatRate(rate));

/** The cells beside it have the same numbers, so screen readers skip it. */
function dot({ difference: { value, low, high } }: TaskDifference): Markup {
  const middle = HEIGHT / 2;
  const side = value > 0 ? 'first' : value < 0 ? 'second' : 'equal';
  return chartMarkup(
    `<svg class="dot ${side}" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true"><line class="zero" x1="${left(0)}" x2="${left(0)}" y1="0" y2="${HEIGHT}"/><line class="reach" x1="${left(low)}" x2="${left(high)}" y1="${middle}" y2="${middle}"/><circle cx="${left(value)}" cy="${middle}" r="4"/></svg>`,
  );
}
