// The runs of a workspace as a table that fits the width. Pure.

import type { RunSummary } from '../../protocol/daemon/state.ts';
import { bytes, clock, percent, range } from '../../run/number-format.ts';
import { cut, faint, plain, type StyledLine, type StyledText, type TextTone } from './line.ts';

interface RunColumn {
  readonly title: string;
  readonly cell: (run: RunSummary) => StyledText;
  readonly isNumber: boolean;
  /** Narrow tables drop the columns with the highest number first, and never those with 0. */
  readonly dropOrder: number;
}

const TONES: Readonly<Record<RunSummary['status'], TextTone>> = {
  starting: 'accent',
  running: 'accent',
  paused: 'accent',
  stopping: 'accent',
  ended: 'plain',
  failed: 'poor',
};

const COLUMNS: readonly RunColumn[] = [
  { title: 'run', cell: ({ run }) => plain(run), isNumber: false, dropOrder: 0 },
  {
    title: 'status',
    cell: ({ status }) => ({ text: status, tone: TONES[status] }),
    isNumber: false,
    dropOrder: 1,
  },
  {
    title: 'success',
    cell: ({ last }) => plain(last ? percent(last.rate) : '·'),
    isNumber: true,
    dropOrder: 2,
  },
  { title: '95 %', cell: ({ last }) => faint(last ? range(last) : '·'), isNumber: true, dropOrder: 5 },
  {
    title: 'trained',
    cell: ({ seconds, of }) => plain(`${clock(seconds)} of ${clock(of)}`),
    isNumber: true,
    dropOrder: 3,
  },
  { title: 'disk', cell: ({ bytes: size }) => plain(bytes(size)), isNumber: true, dropOrder: 6 },
  {
    title: 'resume',
    cell: ({ canResume }) => plain(canResume ? 'yes' : 'no'),
    isNumber: false,
    dropOrder: 4,
  },
];

const GAP = 2;

export function runsTable(runs: readonly RunSummary[], width: number): readonly StyledLine[] {
  if (runs.length === 0) return [[plain("No runs yet. Start one with 'dartboard train'.")]];
  const columns = fitting(runs, width);
  const row = (pieceOf: (column: RunColumn) => StyledText): StyledLine =>
    columns.flatMap((column, index) => {
      const { text, tone } = pieceOf(column);
      const wide = widthOf(column, runs);
      const padded = column.isNumber ? text.padStart(wide) : text.padEnd(wide);
      return [...(index === 0 ? [] : [plain(' '.repeat(GAP))]), { text: padded, tone }];
    });
  const lines = [row(({ title }) => faint(title)), ...runs.map(run => row(({ cell }) => cell(run)))];
  return lines.map(line => cut(line, width));
}

function fitting(runs: readonly RunSummary[], width: number): readonly RunColumn[] {
  let columns = COLUMNS;
  const total = () => columns.reduce((sum, column) => sum + GAP + widthOf(column, runs), -GAP);
  while (total() > width && columns.length > 1) {
    const first = Math.max(...columns.map(({ dropOrder }) => dropOrder));
    columns = columns.filter(({ dropOrder }) => dropOrder !== first);
  }
  return columns;
}

const widthOf = ({ title, cell }: RunColumn, runs: readonly RunSummary[]): number =>
  Math.max(title.length, ...runs.map(run => cell(run).text.length));
