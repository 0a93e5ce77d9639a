// What is known of the desktops that somebody watches, and how it is said. Pure.

import type { DesktopsUpdate, DesktopView } from '../../runtime/protocol/daemon/desktops.ts';

export type Known = ReadonlyMap<string, DesktopView>;

export interface Watched {
  /** The run that trains; undefined where none does. */
  readonly run: string | undefined;
  /** What to ask for next. */
  readonly after: number;
  /** In the order of their names. */
  readonly known: Known;
}

export const NOTHING_WATCHED: Watched = { run: undefined, after: 0, known: new Map() };

/** What was known of another run is of no use any more. */
export function withLooked(watched: Watched, { run, after, views }: DesktopsUpdate): Watched {
  const before = run === watched.run ? watched.known : new Map<string, DesktopView>();
  const known = new Map([...before, ...views.map(view => [view.desktop, view] as const)]);
  return { run, after, known: new Map([...known].sort(([one], [other]) => byNumber(one, other))) };
}

/** 'd9' before 'd10'. */
const byNumber = (one: string, other: string): number => numberOf(one) - numberOf(other);

const numberOf = (desktop: string): number => Number(/\d+$/.exec(desktop)?.[0] ?? 0);

/** As people count. */
export const titleOf = (desktop: string): string => `Desktop ${numberOf(desktop) + 1}`;

export const USE_WORDS: Readonly<Record<DesktopView['use'], string>> = {
  starting: 'Starting',
  idle: 'Idle',
  playing: 'Playing',
  broken: 'Broken',
};

export function stepWords({ doing }: DesktopView): string {
  if (doing === undefined) return '';
  return doing.steps === 0 ? 'at the start' : `step ${doing.steps} of at most ${doing.mostSteps}`;
}

/** '6 playing · 1 idle · 1 broken' */
export function summed(known: Known): string {
  const uses = [...known.values()].map(({ use }) => use);
  return (['playing', 'idle', 'starting', 'broken'] as const)
    .map(use => ({ use, many: uses.filter(each => each === use).length }))
    .filter(({ many }) => many > 0)
    .map(({ use, many }) => `${many} ${USE_WORDS[use].toLowerCase()}`)
    .join(' · ');
}

/** The one before or after it on the wall. */
export function beside(known: Known, desktop: string, by: 1 | -1): string | undefined {
  const all = [...known.keys()];
  const at = all.indexOf(desktop);
  return at === -1 ? undefined : all[at + by];
}
