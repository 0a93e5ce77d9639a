// The runs of a workspace as a table. Pure.

import type { RunSummary } from '../../protocol/daemon/state.ts';
import { bytes, clock, percent, range } from '../../run/number-format.ts';
import { faint, plain, type StyledLine, type TextTone } from './line.ts';
import { spentTotal } from './model-run.ts';
import { type TableColumn, table } from './table.ts';

const TONES: Readonly<Record<RunSummary['status'], TextTone>> = {
  starting: 'accent',
  running: 'accent',
  paused: 'accent',
  stopping: 'accent',
  ended: 'plain',
  failed: 'poor',
};

const COLUMNS: readonly TableColumn<RunSummary>[] = [
  { title: 'run', cell: ({ run }) => [plain(run)] },
  { title: 'status', cell: ({ status }) => [{ text: status, tone: TONES[status] }], dropOrder: 1 },
  {
    title: 'success',
    cell: ({ last }) => [plain(last ? percent(last.rate) : '·')],
    isNumber: true,
    dropOrder: 2,
  },
  { title: '95 %', cell: ({ last }) => [faint(last ? range(last) : '·')], isNumber: true, dropOrder: 5 },
  {
    title: 'trained',
    cell: ({ seconds, of }) => [plain(`${clock(seconds)} of ${clock(of)}`)],
    isNumber: true,
    dropOrder: 3,
  },
  { title: 'disk', cell: ({ bytes: size }) => [plain(bytes(size))], isNumber: true, dropOrder: 6 },
  { title: 'resume', cell: ({ canResume }) => [plain(canResume ? 'yes' : 'no')], dropOrder: 4 },
];

/** Only runs with model agents have a cost. */
const COST: TableColumn<RunSummary> = {
  title: 'cost',
  cell: ({ spent }) => [plain(spent === undefined ? '·' : spentTotal(spent))],
  isNumber: true,
  dropOrder: 7,
};

export const runsTable = (runs: readonly RunSummary[], width: number): readonly StyledLine[] =>
  runs.length === 0
    ? [[plain("No runs yet. Start one with 'dartboard train'.")]]
    : table(runs.some(({ spent }) => spent !== undefined) ? [...COLUMNS, COST] : COLUMNS, runs, width);
