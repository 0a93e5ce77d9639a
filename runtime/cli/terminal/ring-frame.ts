// What a terminal shows while a run trains: time left, success so far, how busy the four modules are, what they wait for. A pure
// function of the run's state; never wider or higher than the terminal.

import type { RunState } from '../../protocol/daemon/state.ts';
import { aboutRun, clock, oneLine } from '../../run/number-format.ts';
import {
  accent,
  cut,
  faint,
  indented,
  type Line,
  type Piece,
  plain,
  poor,
  spread,
  strong,
  widthOf,
} from './line.ts';
import { type Lines, moduleRows, NAME } from './module-rows.ts';
import { bar, curve, solved } from './progress.ts';

export interface RingView {
  readonly state: RunState;
  /** The page that shows it too. */
  readonly address: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Somebody asked it to, whether or not its state says so yet. */
  readonly isStopping: boolean;
}

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

export const MARGIN = 2;
const WIDEST = 116;
const HIGHEST_CHART = 14;
const NARROWEST_CHART = 30;

interface Layout {
  /** The least that is worth drawing; 0 for none. */
  readonly chart: number;
  readonly lines: Lines;
}

const RICH: Lines = { data: 3, others: 1 };
const POOR: Lines = { data: 1, others: 1 };
/** The richest first. */
const LAYOUTS: readonly Layout[] = [
  { chart: 7, lines: { data: 3, others: 2 } },
  { chart: 5, lines: RICH },
  { chart: 3, lines: { data: 2, others: 1 } },
  { chart: 0, lines: RICH },
];

export function ringFrame(view: RingView, { columns, rows }: TerminalSize): readonly Line[] {
  const width = Math.max(1, Math.min(columns - 1, WIDEST) - MARGIN);
  // The cursor needs a line of its own.
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

function laidOut(view: RingView, { chart, lines }: Layout, width: number, room: number): readonly Line[] {
  const { state } = view;
  const [above, below] = [heading(view, width), notes(view)];
  const rows = moduleRows(state, width, lines);
  const points = state.curve.filter(({ split }) => split === 'test');
  const around = above.length + rows.length + below.length + AROUND_CHART;
  const tall = Math.max(chart, Math.min(HIGHEST_CHART, room - around));
  return [
    ...above,
    solved(points.at(-1), width),
    ...(chart === 0 ? [] : curve(points, state.of, width, tall)),
    [],
    ...rows,
    ...below,
  ];
}

/** Its title, its axis and a blank. */
const AROUND_CHART = 4;

/** Where it gets low blanks go first, then numbers, then what does not change, then what comes last. */
function squeezed(view: RingView, width: number, room: number): readonly Line[] {
  const layouts = [RICH, POOR].map(lines => laidOut(view, { chart: 0, lines }, width, room));
  const dense = layouts.find(lines => lines.length - blanksIn(lines) <= room);
  if (dense !== undefined) return withoutBlanks(dense, dense.length - room);
  const poorest = layouts.at(-1) ?? [];
  const fixed = heading(view, width).findIndex(isBlank);
  return withoutBlanks(poorest, blanksIn(poorest)).slice(fixed, fixed + room);
}

const isBlank = (line: Line): boolean => line.length === 0;
const blanksIn = (lines: readonly Line[]): number => lines.filter(isBlank).length;

/** Of so many blanks the last ones go. */
function withoutBlanks(lines: readonly Line[], most: number): readonly Line[] {
  let left = blanksIn(lines) - most;
  return lines.filter(line => !isBlank(line) || left-- > 0);
}

/** What does not change, a blank, and the time. */
const heading = ({ state, address }: RingView, width: number): readonly Line[] => [
  title(state, width),
  ...(address.length <= width ? [[faint(address)]] : []),
  [],
  bar(state, GOES_ON.has(state.status), width),
  [],
];

const GOES_ON: ReadonlySet<RunState['status']> = new Set(['starting', 'running', 'paused']);

/** Beside the run's name, as much of what it is about as there is room for. */
function title({ run, about }: RunState, width: number): Line {
  const name = [strong(run)];
  const parts = aboutRun(about);
  const some = parts.map((_, index) => [faint(parts.slice(0, parts.length - index).join(' · '))]);
  const most = some.find(each => widthOf(name) + widthOf(each) + 2 <= width);
  return spread(name, most ?? [], width);
}

/** Shorter waits are how things should be. */
const WORTH_SAYING = 5000;

/** A line for each, also where there is nothing to say: what stands above stays where it is. */
function notes({ state, now, isStopping }: RingView): readonly Line[] {
  const { status, waiting, troubles } = state;
  const waits = (status === 'running' ? waiting : [])
    .filter(({ since }) => now - since >= WORTH_SAYING)
    .sort((a, b) => a.since - b.since)
    .map(({ module, reason, since }) => `${clock((now - since) / 1000)} ${module}, for ${oneLine(reason)}`);
  const trouble = troubles.at(-1);
  return [
    waits.length === 0 ? [] : [accent('waits'.padEnd(NAME)), plain(waits.join(' · '))],
    trouble === undefined
      ? []
      : [
          poor('trouble'.padEnd(NAME)),
          plain(`${clock((now - trouble.at) / 1000)} ago, ${trouble.thing}: ${oneLine(trouble.message)}`),
        ],
    doing(isStopping && GOES_ON.has(status) ? { status: 'stopping' } : state),
  ];
}

const STOPS = 'Ctrl-C stops with a checkpoint: it can be resumed.';

function doing({ status, message }: Pick<RunState, 'status' | 'message'>): Line {
  const rest = message === undefined ? '' : oneLine(message);
  const said = (word: Piece, text: string): Line => [{ ...word, text: word.text.padEnd(NAME) }, plain(text)];
  switch (status) {
    case 'starting':
      return said(accent('starting'), rest || 'its processes come up');
    case 'running':
      return [faint(STOPS)];
    case 'paused':
      return said(accent('paused'), 'no new rollouts until the page continues it; Ctrl-C stops it');
    case 'stopping':
      return said(accent('stopping'), `${rest || 'keeps what was learned'}; Ctrl-C once more ends at once`);
    case 'ended':
      return said(accent('ended'), rest || 'what was learned is kept');
    case 'failed':
      return said(poor('failed'), rest);
  }
}
