// The runs of a workspace as a table that is as wide as there is room. Pure.

import type { RunSummary } from '../../protocol/daemon/state.ts';
import { bytes, clock, percent, range } from '../../run/number-format.ts';
import { cut, faint, type Line, type Piece, plain, type Tone } from './line.ts';

interface Column {
  readonly title: string;
  readonly cell: (run: RunSummary) => Piece;
  readonly isNumber: boolean;
  /** The highest goes first where it gets narrow; 0 never. */
  readonly goes: number;
}

const TONES: Readonly<Record<RunSummary['status'], Tone>> = {
  starting: 'accent',
  running: 'accent',
  paused: 'accent',
  stopping: 'accent',
  ended: 'plain',
  failed: 'poor',
};

const COLUMNS: readonly Column[] = [
  { title: 'run', cell: ({ run }) => plain(run), isNumber: false, goes: 0 },
  {
    title: 'status',
    cell: ({ status }) => ({ text: status, tone: TONES[status] }),
    isNumber: false,
    goes: 1,
  },
  { title: 'success', cell: ({ last }) => plain(last ? percent(last.rate) : '·'), isNumber: true, goes: 2 },
  { title: '95 %', cell: ({ last }) => faint(last ? range(last) : '·'), isNumber: true, goes: 5 },
  {
    title: 'trained',
    cell: ({ seconds, of }) => plain(`${clock(seconds)} of ${clock(of)}`),
    isNumber: true,
    goes: 3,
  },
  { title: 'disk', cell: ({ bytes: size }) => plain(bytes(size)), isNumber: true, goes: 6 },
  { title: 'resume', cell: ({ canResume }) => plain(canResume ? 'yes' : 'no'), isNumber: false, goes: 4 },
];

const GAP = 2;

export function runsTable(runs: readonly RunSummary[], width: number): readonly Line[] {
  if (runs.length === 0) return [[plain("There are no runs here yet: 'dartboard train' begins one.")]];
  const columns = fitting(runs, width);
  const row = (pieceOf: (column: Column) => Piece): Line =>
    columns.flatMap((column, index) => {
      const { text, tone } = pieceOf(column);
      const wide = widthOf(column, runs);
      const padded = column.isNumber ? text.padStart(wide) : text.padEnd(wide);
      return [...(index === 0 ? [] : [plain(' '.repeat(GAP))]), { text: padded, tone }];
    });
  const lines = [row(({ title }) => faint(title)), ...runs.map(run => row(({ cell }) => cell(run)))];
  return lines.map(line => cut(line, width));
}

function fitting(runs: readonly RunSummary[], width: number): readonly Column[] {
  let columns = COLUMNS;
  const total = () => columns.reduce((sum, column) => sum + GAP + widthOf(column, runs), -GAP);
  while (total() > width && columns.length > 1) {
    const first = Math.max(...columns.map(({ goes }) => goes));
    columns = columns.filter(({ goes }) => goes !== first);
  }
  return columns;
}

const widthOf = ({ title, cell }: Column, runs: readonly RunSummary[]): number =>
  Math.max(title.length, ...runs.map(run => cell(run).text.length));
