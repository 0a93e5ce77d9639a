// The traces of a fault in the state of the run, which the panel shows. Pure.

import type { RunState } from '../../protocol/daemon/state.ts';
import type { HostFaultKind } from './faults.ts';

export const CLOCK_AHEAD_MS = 3_600_000;

export interface WatchedFault {
  readonly kind: HostFaultKind;
  /** By the clock of the daemon. */
  readonly sinceMs: number;
  /** The name in the run of the host that it hits. */
  readonly host?: string | undefined;
}

/** The panel shows a vanished host as lost, a wrong clock as such, and a broker that does not work as a problem. */
export function isVisible(
  { kind, sinceMs, host }: WatchedFault,
  { hosts = [], problems }: Pick<RunState, 'hosts' | 'problems'>,
): boolean {
  const row = hosts.find(({ name }) => name === host);
  switch (kind) {
    case 'kill':
    case 'pause':
    case 'partition':
      return row?.status === 'lost';
    case 'clock':
      return (row?.clockOffsetMs ?? 0) > CLOCK_AHEAD_MS / 2;
    case 'broker':
    case 'disk':
      return problems.some(({ thing, at }) => thing === 'the broker' && at >= sinceMs);
  }
}

/** The row of a host of the benchmark that plays now. One that starts again may get a number behind its name. */
export const playingAs = (name: string, hosts: RunState['hosts']): string | undefined =>
  hosts?.find(each => each.status === 'playing' && (each.name === name || each.name.startsWith(`${name}-`)))
    ?.name;
