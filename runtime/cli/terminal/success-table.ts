// Success per task, the worst first, as a table. Pure.

import { type TaskScore, worstFirst } from '../../inference/scores.ts';
import { percent, range } from '../../run/number-format.ts';
import { faint, filled, plain, type StyledLine } from './line.ts';
import { type TableColumn, table } from './table.ts';

const BAR_COLUMNS = 10;

const COLUMNS: readonly TableColumn<ReturnType<typeof worstFirst>[number]>[] = [
  { title: 'task', cell: ({ task }) => [plain(task)] },
  { title: '', cell: ({ rate }) => filled(rate, BAR_COLUMNS, true), dropOrder: 2 },
  { title: 'solved', cell: ({ successes, trials }) => [plain(`${successes}/${trials}`)], isNumber: true },
  { title: '', cell: ({ rate }) => [Number.isNaN(rate) ? faint('–') : plain(percent(rate))], isNumber: true },
  { title: '95 %', cell: row => [faint(range(row))], dropOrder: 1 },
];

export const successTable = (scores: readonly TaskScore[], width: number): readonly StyledLine[] =>
  table(COLUMNS, worstFirst(scores), width);
