// The state of the panel Desktops, and its labels. Pure.

import type { DesktopsUpdate, DesktopView } from '../../runtime/protocol/daemon/desktops.ts';
import type { HostState } from '../../runtime/protocol/daemon/hosts.ts';
import { desktopHost, desktopNumber } from '../../runtime/protocol/desktop-title.ts';

export type ViewsByDesktop = ReadonlyMap<string, DesktopView>;

export interface WatchedDesktops {
  /** The run that trains, if any. */
  readonly run: string | undefined;
  /** The `after` of the next request. */
  readonly after: number;
  /** Of a run over several machines: its hosts, the local one first. */
  readonly hosts: readonly HostState[];
  /** By host, and by number. */
  readonly views: ViewsByDesktop;
}

export const NO_DESKTOPS: WatchedDesktops = { run: undefined, after: 0, hosts: [], views: new Map() };

/** The desktops of another run, and those of hosts that have left, are dropped. */
export function withUpdate(watched: WatchedDesktops, update: DesktopsUpdate): WatchedDesktops {
  const { run, after, hosts = [], views } = update;
  const before = run === watched.run ? watched.views : new Map<string, DesktopView>();
  const known = new Map([...before, ...views.map(view => [view.desktop, view] as const)]);
  // The desktops of the daemon's machine have no host in their name.
  const rank = new Map<string | undefined, number>(
    hosts.filter(({ isLocal }) => !isLocal).map(({ name }, index) => [name, index + 1]),
  );
  rank.set(undefined, 0);
  const rankOf = (desktop: string) => rank.get(desktopHost(desktop)) ?? 0;
  const present = [...known]
    .filter(([desktop]) => rank.has(desktopHost(desktop)))
    .sort(([one], [other]) => rankOf(one) - rankOf(other) || desktopNumber(one) - desktopNumber(other));
  return { run, after, hosts, views: new Map(present) };
}

interface HostDesktops {
  /** Undefined for a run on one machine, and for a local host that has not reported yet. */
  readonly host: HostState | undefined;
  readonly desktops: readonly string[];
}

/** The desktops of each host, in the order of the wall. Hosts without desktops are left out. */
export function desktopsByHost({ hosts, views }: WatchedDesktops): readonly HostDesktops[] {
  const all = [...views.keys()];
  const groups: readonly (HostState | undefined)[] = hosts.some(({ isLocal }) => isLocal)
    ? hosts
    : [undefined, ...hosts];
  const isOf = (host: HostState | undefined) => (desktop: string) =>
    desktopHost(desktop) === (host?.isLocal ? undefined : host?.name);
  return groups
    .map(host => ({ host, desktops: all.filter(isOf(host)) }))
    .filter(({ desktops }) => desktops.length > 0);
}

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
