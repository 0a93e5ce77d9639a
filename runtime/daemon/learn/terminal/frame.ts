// What a terminal shows while a training runs: time left, success so far, what goes on, and counts. A pure function of what is
// known; never wider or higher than the terminal.

import { accent, cut, faint, indented, type Line, plain, spread, strong } from '../../terminal/line.ts';
import { bar, curve, type Point, solved } from '../../terminal/progress.ts';
import { count } from '../../terminal/words.ts';
import type { Progress } from '../training.ts';

export type Doing =
  | 'starting'
  | 'imitating'
  | 'exploring'
  | 'playing'
  | 'stopping'
  | 'measuring'
  | 'done'
  | 'broken';

export interface View {
  /** Of what is trained, in a few words each. */
  readonly about: readonly string[];
  readonly doing: Doing;
  /** Trained so far, and in all. */
  readonly seconds: number;
  readonly of: number;
  /** Success on the test split. */
  readonly curve: readonly Point[];
  readonly counts: Omit<Progress, 'seconds'> | undefined;
}

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

const CAN_STOP: ReadonlySet<Doing> = new Set<Doing>(['starting', 'imitating', 'exploring', 'playing']);

const MARGIN = 2;
const WIDEST = 116;
const HIGHEST_CHART = 14;
const LOWEST_CHART = 3;
const NARROWEST_CHART = 30;

export function frame(view: View, { columns, rows }: TerminalSize): readonly Line[] {
  const width = Math.max(1, Math.min(columns - 1, WIDEST) - MARGIN);
  const title = spread([strong('Dartboard learns to use a desktop')], [faint(view.about.join(' · '))], width);
  const above: readonly Line[] = [[], title, [], bar(view, CAN_STOP.has(view.doing), width), []];
  const below: readonly Line[] = [
    ...doing(view.doing, width),
    [],
    ...grid(counts(view.counts), width),
    [],
    CAN_STOP.has(view.doing) ? [faint('Ctrl-C stops early and keeps what was learned.')] : [],
  ];
  // The cursor needs a line of its own.
  const room = rows - 1 - above.length - below.length;
  const tall = Math.min(HIGHEST_CHART, room - AROUND_CHART);
  const middle = tall >= LOWEST_CHART && width >= NARROWEST_CHART ? success(view, width, tall) : [];
  const lines = [...above, ...middle, ...below].map(line => cut(line, width));
  // In a very low terminal the line with the time comes first, and what does not fit below it goes.
  return indented(room < 0 ? lines.slice(3, 2 + Math.max(2, rows)) : lines, MARGIN);
}

/** Its title, its axis and blanks. */
const AROUND_CHART = 5;

const success = ({ curve: points, of }: View, width: number, tall: number): readonly Line[] => [
  solved(points.at(-1), width),
  [],
  ...curve(points, of, width, tall),
  [],
];

const DOING: Readonly<Record<Doing, readonly [string, string, string]>> = {
  starting: ['Starting', 'two processes: one plays, one learns', 'from nothing'],
  imitating: [
    'Imitating',
    'watches scripted solutions before it tries anything itself',
    'scripted solutions',
  ],
  exploring: [
    'Exploring',
    'tries things, names what came of them, and imitates that',
    'and imitating what it found',
  ],
  playing: [
    'Playing',
    'tries each task several times, and learns from the difference',
    'and learning from it',
  ],
  measuring: ['Measuring', 'plays fresh instances of every task, a last time', 'a last time'],
  done: ['Done', 'what was learned is kept', 'and kept'],
  broken: ['Broken off', 'before its time was over', 'too early'],
  stopping: ['Stopping', 'keeps what was learned; Ctrl-C once more ends at once', 'and keeping it'],
};

function doing(name: Doing, width: number): readonly Line[] {
  const [word, long, short] = DOING[name];
  const rest = word.length + 2 + long.length <= width ? long : short;
  return [[accent(word.padEnd(11)), plain(rest)]];
}

interface Counted {
  readonly name: string;
  readonly value: string;
}

function counts(known: View['counts']): readonly Counted[] {
  const say = (name: string, value: number | undefined): Counted => ({
    name,
    value: value === undefined ? '·' : count(value),
  });
  return [
    say('episodes', known?.player.episodes),
    say('steps', known && known.player.steps + known.player.explored),
    say('updates', known?.student.updates),
    say('deeds found', known?.player.findings),
    say('groups trained', known?.student.trained),
    say('groups filtered', known?.student.filtered),
  ];
}

const NAME = 15;
const VALUE = 8;
const GAP = 3;

/** In as many columns as fit. */
function grid(entries: readonly Counted[], width: number): readonly Line[] {
  const fit = Math.floor((width + GAP) / (NAME + VALUE + GAP));
  const columns = fit >= 3 ? 3 : Math.max(1, fit);
  const lines: Line[] = [];
  for (let from = 0; from < entries.length; from += columns) {
    lines.push(
      entries
        .slice(from, from + columns)
        .flatMap(({ name, value }, index) => [
          faint(`${' '.repeat(index === 0 ? 0 : GAP)}${name.padEnd(NAME)}`),
          plain(value.padStart(VALUE)),
        ]),
    );
  }
  return lines;
}
