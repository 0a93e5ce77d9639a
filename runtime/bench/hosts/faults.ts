// The plan of the faults: which host fails how, and when. Pure.

import { at } from '../../core/at.ts';

/**
 * A killed host starts again, as a machine that boots. A host that is cut off reaches nobody. A moved clock is an hour ahead, then right
 * again.
 */
export const FAULT_KINDS = ['kill', 'pause', 'partition', 'broker', 'disk', 'clock'] as const;
export type HostFaultKind = (typeof FAULT_KINDS)[number];

/** The duration of each kind that is injected. */
export type FaultTimes = Readonly<Partial<Record<HostFaultKind, number>>>;

export interface PlannedFault {
  readonly kind: HostFaultKind;
  /** Milliseconds after the start of the plan. */
  readonly atMs: number;
  readonly forMs: number;
  /** The number of the host, from 0; absent for the broker and its disk. */
  readonly host?: number;
}

/** Time between the starts of two faults. */
export const FAULT_INTERVAL_MS = 15_000;

/** The kinds take turns. A fault hits the host whose last one is over for the longest time, so at least three hosts never have two at a time. */
export function plannedFaults(count: number, hosts: number, times: FaultTimes): readonly PlannedFault[] {
  const kinds = FAULT_KINDS.flatMap(kind => {
    const forMs = times[kind];
    return forMs === undefined ? [] : { kind, forMs };
  });
  const overAt = Array.from({ length: hosts }, () => 0);
  return Array.from({ length: count }, (_, index): PlannedFault => {
    const atMs = index * FAULT_INTERVAL_MS;
    const { kind, forMs } = at(kinds, index % kinds.length);
    if (isOfBroker(kind)) return { kind, atMs, forMs };
    const host = overAt.indexOf(Math.min(...overAt));
    overAt[host] = atMs + forMs;
    return { kind, atMs, forMs, host };
  });
}

/** Without it, nobody takes orders, and what is under way still finishes. */
export const isOfBroker = (kind: HostFaultKind): boolean => kind === 'broker' || kind === 'disk';
