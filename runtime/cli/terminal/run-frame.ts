// One frame of the terminal display: time left, success so far, the modules and what they wait for. Pure: a function of the run's
// state that never exceeds the size of the terminal.

import type { RunState } from '../../protocol/daemon/state.ts';
import { problemText } from '../../protocol/problem-text.ts';
import { aboutRun, clock, oneLine } from '../../run/number-format.ts';
import {
  accent,
  cut,
  faint,
  indented,
  plain,
  poor,
  type StyledLine,
  type StyledText,
  spread,
  strong,
  widthOf,
} from './line.ts';
import { type LineBudget, moduleRows, NAME_COLUMNS } from './module-rows.ts';
import { MARGIN } from './output.ts';
import { progressBar, successChart, successLine } from './progress.ts';

export interface RunView {
  readonly state: RunState;
  /** The address of the web page. */
  readonly address: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The user asked to stop; the state of the run may not show it yet. */
  readonly isStopping: boolean;
}

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

const WIDEST = 116;
const HIGHEST_CHART = 14;
const NARROWEST_CHART = 30;

interface Layout {
  /** The least that is worth drawing; 0 for none. */
  readonly chart: number;
  readonly lines: LineBudget;
}

const RICH: LineBudget = { data: 3, others: 1 };
const POOR: LineBudget = { data: 1, others: 1 };
/** The richest first. */
const LAYOUTS: readonly Layout[] = [
  { chart: 7, lines: { data: 3, others: 2 } },
  { chart: 5, lines: RICH },
  { chart: 3, lines: { data: 2, others: 1 } },
  { chart: 0, lines: RICH },
];

export function runFrame(view: RunView, { columns, rows }: TerminalSize): readonly StyledLine[] {
  const width = Math.max(1, Math.min(columns - 1, WIDEST) - MARGIN);
  // One line is for the cursor.
  const room = Math.max(1, rows - 1);
  const fits = LAYOUTS.filter(({ chart }) => chart === 0 || width >= NARROWEST_CHART)
    .map(layout => laidOut(view, layout, width, room))
    .find(lines => lines.length <= room);
  const lines = fits ?? squeezed(view, width, room);
  return indented(
    lines.map(line => cut(line, width)),
    MARGIN,
  );
}

function laidOut(
  view: RunView,
  { chart, lines }: Layout,
  width: number,
  room: number,
): readonly StyledLine[] {
  const { state } = view;
  const [above, below] = [heading(view, width), notes(view)];
  const rows = moduleRows(state, width, lines);
  const points = state.curve.filter(({ split }) => split === 'test');
  const around = above.length + rows.length + below.length + AROUND_CHART;
  const tall = Math.max(chart, Math.min(HIGHEST_CHART, room - around));
  return [
    ...above,
    successLine(points.at(-1), state.about.desktops, width),
    ...(chart === 0 ? [] : successChart(points, state.of, width, tall)),
    [],
    ...rows,
    ...below,
  ];
}

/** The lines of its title, its axis and a blank. */
const AROUND_CHART = 4;

/** A low terminal drops blank lines first, then figures, then the heading, then the last lines. */
function squeezed(view: RunView, width: number, room: number): readonly StyledLine[] {
  const layouts = [RICH, POOR].map(lines => laidOut(view, { chart: 0, lines }, width, room));
  const dense = layouts.find(lines => lines.length - blanksIn(lines) <= room);
  if (dense !== undefined) return withoutBlanks(dense, dense.length - room);
  const poorest = layouts.at(-1) ?? [];
  const fixed = heading(view, width).findIndex(isBlank);
  return withoutBlanks(poorest, blanksIn(poorest)).slice(fixed, fixed + room);
}

const isBlank = (line: StyledLine): boolean => line.length === 0;
const blanksIn = (lines: readonly StyledLine[]): number => lines.filter(isBlank).length;

/** Keeps the first blank lines and drops the last `most`. */
function withoutBlanks(lines: readonly StyledLine[], most: number): readonly StyledLine[] {
  let left = blanksIn(lines) - most;
  return lines.filter(line => !isBlank(line) || left-- > 0);
}

/** The title, a blank line and the progress bar. */
const heading = ({ state, address }: RunView, width: number): readonly StyledLine[] => [
  title(state, width),
  ...(address.length <= width ? [[faint(address)]] : []),
  [],
  progressBar(state, GOES_ON.has(state.status), width),
  [],
];

const GOES_ON: ReadonlySet<RunState['status']> = new Set(['starting', 'running', 'paused']);

/** The name of the run, and as much of its description as fits. */
function title({ run, about }: RunState, width: number): StyledLine {
  const name = [strong(run)];
  const parts = aboutRun(about);
  const some = parts.map((_, index) => [faint(parts.slice(0, parts.length - index).join(' · '))]);
  const most = some.find(each => widthOf(name) + widthOf(each) + 2 <= width);
  return spread(name, most ?? [], width);
}

/** Shorter waits are normal. */
const MIN_REPORTED_WAIT_MS = 5000;

/** Always three lines, so that the lines above never move. */
function notes({ state, now, isStopping }: RunView): readonly StyledLine[] {
  const { status, waiting, problems } = state;
  const waits = (status === 'running' ? waiting : [])
    .filter(({ since }) => now - since >= MIN_REPORTED_WAIT_MS)
    .sort((a, b) => a.since - b.since)
    .map(({ module, reason, since }) => `${clock((now - since) / 1000)} ${module}, for ${oneLine(reason)}`);
  const problem = problems.at(-1);
  return [
    waits.length === 0 ? [] : [accent('waiting'.padEnd(NAME_COLUMNS)), plain(waits.join(' · '))],
    problem === undefined
      ? []
      : [
          poor('problem'.padEnd(NAME_COLUMNS)),
          plain(
            `${clock((now - problem.at) / 1000)} ago, ${problemText(problem.thing, oneLine(problem.message))}${problem.count === undefined ? '' : ` (${problem.count} times)`}`,
          ),
        ],
    doing(isStopping && GOES_ON.has(status) ? { status: 'stopping' } : state),
  ];
}

const STOPS = 'Ctrl-C stops with a checkpoint.';

function doing({ status, message }: Pick<RunState, 'status' | 'message'>): StyledLine {
  const rest = message === undefined ? '' : oneLine(message);
  const row = (word: StyledText, text: string): StyledLine => [
    { ...word, text: word.text.padEnd(NAME_COLUMNS) },
    plain(text),
  ];
  switch (status) {
    case 'starting':
      return row(accent('starting'), rest || 'starting its processes');
    case 'running':
      return [faint(STOPS)];
    case 'paused':
      return row(accent('paused'), 'no new rollouts until you resume it on the page; Ctrl-C stops it');
    case 'stopping':
      return row(accent('stopping'), `${rest || 'writing a checkpoint'}; Ctrl-C again ends at once`);
    case 'ended':
      return row(accent('ended'), rest || 'weights and checkpoint are stored');
    case 'failed':
      return row(poor('failed'), rest);
  }
}
