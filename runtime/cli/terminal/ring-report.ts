// What is said of a run beside the live display: a line now and then where nobody watches, and the summary in the end. Pure.

import type { RunState } from '../../protocol/daemon/state.ts';
import { aboutRun, clock, count, decimal, oneLine, percent, rated } from '../../run/number-format.ts';
import { accent, cut, faint, filled, indented, type Line, plain, poor, strong, widthOf } from './line.ts';

/** How much of a run was said already. */
export interface Told {
  readonly status: RunState['status'];
  readonly seconds: number;
  readonly measured: number;
  /** The time of the last trouble. */
  readonly trouble: number;
}

/** Seconds of training between two lines. */
const SAY_EVERY = 30;

/** What is to be said now: each measurement, each trouble and each change at once, all else now and then. */
export function news(
  state: RunState,
  told: Told | undefined,
): { readonly lines: readonly string[]; readonly told: Told } {
  const { run, about, status, seconds, troubles } = state;
  const measured = tested(state).length;
  const last = troubles.at(-1)?.at ?? 0;
  if (told === undefined) {
    const lines = [`Run ${run}: ${aboutRun(about).join(', ')}`, progressLine(state)];
    return { lines, told: { status, seconds: spoken(seconds), measured, trouble: last } };
  }
  const isDue = measured > told.measured || status !== told.status || seconds - told.seconds >= SAY_EVERY;
  const lines = [
    ...troubles
      .filter(({ at }) => at > told.trouble)
      .map(({ thing, message }) => `trouble: ${thing}: ${oneLine(message)}`),
    ...(isDue ? [progressLine(state)] : []),
  ];
  return {
    lines,
    told: {
      status,
      seconds: isDue ? spoken(seconds) : told.seconds,
      measured,
      trouble: Math.max(last, told.trouble),
    },
  };
}

const spoken = (seconds: number): number => seconds - (seconds % SAY_EVERY);

/** '1:15 of 5:00  running · solved 41 of 92 · 45 % (31–60 %) · 1,204 episodes, 7.4/s …' */
function progressLine(state: RunState): string {
  const { seconds, of, status, message, rollout, trainer, data } = state;
  const last = tested(state).at(-1);
  const why = message === undefined ? '' : ` (${oneLine(message)})`;
  return [
    `${clock(seconds)} of ${clock(of)}  ${status}${why}`,
    ...(last === undefined ? [] : [`solved ${rated(last)}`]),
    `${count(rollout.episodes)} episodes, ${decimal(rollout.episodesPerSecond)}/s`,
    `${count(trainer.updates)} updates, ${decimal(trainer.updatesPerSecond)}/s`,
    `accepted ${count(data.books.accepted)}, filtered ${count(data.books.filtered)}`,
  ].join(' · ');
}

const tested = ({ curve }: RunState) => curve.filter(({ split }) => split === 'test');

export interface Named {
  readonly name: string;
  readonly what: string;
}

export interface Left {
  readonly folder: string;
  readonly files: readonly Named[];
  /** Commands. */
  readonly next: readonly Named[];
}

const MARGIN = 2;

/** As wide as there is room; only names of files and commands are never cut, since they are to be used. */
export function ringSummary(state: RunState, { folder, files, next }: Left, room: number): readonly Line[] {
  const width = room - MARGIN;
  const last = tested(state).at(-1);
  const measured =
    last === undefined ? [faint('never measured')] : [strong(rated(last)), faint('   never trained on')];
  return indented(
    [
      [],
      cut(ending(state), width),
      [],
      cut([plain('  test worlds  '), ...measured], width),
      [],
      ...taskTable(state.tasks, width),
      [],
      [plain(`Kept in ${folder}`)],
      ...listed(files, width),
      [],
      [plain('Next')],
      ...listed(next, width),
      [],
    ],
    MARGIN,
  );
}

function ending({ status, message, seconds, of }: RunState): Line {
  const how = `${clock(seconds)} of ${clock(of)}`;
  if (status === 'failed')
    return [poor(`Failed after ${how}`), plain(message === undefined ? '' : `: ${oneLine(message)}`)];
  if (isEarly({ seconds, of })) return [strong(`Stopped after ${how}`), plain('; what was learned is kept.')];
  return [strong(`Trained for ${clock(seconds)}`), plain('.')];
}

/** Before its time was over. */
export const isEarly = ({ seconds, of }: Pick<RunState, 'seconds' | 'of'>): boolean => seconds < of - 1;

/** More would push all else off the screen. */
const MOST_TASKS = 20;
const BAR = 10;

/** The worst first, as its last rollouts went; what was never rolled out comes last. */
function taskTable(tasks: RunState['tasks'], width: number): readonly Line[] {
  const worst = tasks.toSorted((a, b) => (a.rate ?? 2) - (b.rate ?? 2) || (a.task < b.task ? -1 : 1));
  const shown = worst.slice(0, MOST_TASKS);
  const name = Math.max(4, ...shown.map(({ task }) => task.length));
  const hasBar = width >= name + 2 + BAR + 22;
  const bars = hasBar ? ' '.repeat(BAR + 2) : '';
  const more = worst.length - shown.length;
  return [
    [faint(`${'task'.padEnd(name)}${bars}  lately  rollouts`)],
    ...shown.map(
      ({ task, rate, rollouts }): Line => [
        plain(`${task.padEnd(name)}  `),
        ...(hasBar && rate !== undefined ? [...filled(rate, BAR, true), plain('  ')] : [plain(bars)]),
        plain(`${(rate === undefined ? '·' : percent(rate)).padStart(6)}`),
        faint(`  ${count(rollouts).padStart(8)}`),
      ],
    ),
    ...(more > 0 ? [[accent('… '), faint(`and ${count(more)} more`)]] : []),
  ].map(line => cut(line, width));
}

/** What they are is said where there is room for it. */
export function listed(all: readonly Named[], width: number): readonly Line[] {
  const longest = Math.max(0, ...all.map(({ name }) => name.length));
  return all.map(({ name, what }) => {
    const line: Line = [plain(`  ${name.padEnd(longest)}`), faint(`   ${what}`)];
    return widthOf(line) <= width ? line : line.slice(0, 1);
  });
}
