// The state of the panel Desktops, and its labels. Pure.

import type { DesktopsUpdate, DesktopView } from '../../runtime/protocol/daemon/desktops.ts';
import { desktopNumber } from '../../runtime/protocol/desktop-title.ts';

export type ViewsByDesktop = ReadonlyMap<string, DesktopView>;

export interface WatchedDesktops {
  /** The run that trains, if any. */
  readonly run: string | undefined;
  /** The `after` of the next request. */
  readonly after: number;
  /** In the order of their names. */
  readonly views: ViewsByDesktop;
}

export const NO_DESKTOPS: WatchedDesktops = { run: undefined, after: 0, views: new Map() };

/** The desktops of another run are dropped. */
export function withUpdate(watched: WatchedDesktops, { run, after, views }: DesktopsUpdate): WatchedDesktops {
  const before = run === watched.run ? watched.views : new Map<string, DesktopView>();
  const known = new Map([...before, ...views.map(view => [view.desktop, view] as const)]);
  return { run, after, views: new Map([...known].sort(([one], [other]) => byNumber(one, other))) };
}

/** 'd9' before 'd10'. */
const byNumber = (one: string, other: string): number => desktopNumber(one) - desktopNumber(other);

export const USE_LABELS: Readonly<Record<DesktopView['use'], string>> = {
  starting: 'Starting',
  idle: 'Idle',
  playing: 'Playing',
  held: 'Held by a person',
  broken: 'Broken',
};

export function stepLabel({ doing }: DesktopView): string {
  if (doing === undefined) return '';
  return doing.steps === 0 ? 'at the start' : `step ${doing.steps} of max. ${doing.mostSteps}`;
}

/** '6 playing · 1 held by a person · 1 broken' */
export function summaryOf(known: ViewsByDesktop): string {
  const uses = [...known.values()].map(({ use }) => use);
  return (['playing', 'held', 'idle', 'starting', 'broken'] as const)
    .map(use => ({ use, many: uses.filter(each => each === use).length }))
    .filter(({ many }) => many > 0)
    .map(({ use, many }) => `${many} ${USE_LABELS[use].toLowerCase()}`)
    .join(' · ');
}

/** The previous or next desktop on the wall. */
export function neighbourOf(known: ViewsByDesktop, desktop: string, by: 1 | -1): string | undefined {
  const all = [...known.keys()];
  const at = all.indexOf(desktop);
  return at === -1 ? undefined : all[at + by];
}
