// The plan of the faults: which host fails how, and when. Pure.

export const FAULT_KINDS = ['kill', 'pause', 'partition', 'broker'] as const;
export type HostFaultKind = (typeof FAULT_KINDS)[number];

export interface PlannedFault {
  readonly kind: HostFaultKind;
  /** Milliseconds after the start of the plan. */
  readonly atMs: number;
  /** The number of the host, from 0; absent for the broker. */
  readonly host?: number;
}

/** Time between the starts of two faults. */
export const FAULT_INTERVAL_MS = 15_000;
/** The duration of each kind of fault. A killed host starts again, as a machine that boots. */
export const FAULT_MS: Readonly<Record<HostFaultKind, number>> = {
  kill: 5_000,
  pause: 45_000,
  partition: 15_000,
  broker: 3_000,
};

/** The kinds take turns. A fault hits the host whose last one is over for the longest time, so at least three hosts never have two at a time. */
export function plannedFaults(
  count: number,
  hosts: number,
  kinds: readonly HostFaultKind[],
): readonly PlannedFault[] {
  const overAt = Array.from({ length: hosts }, () => 0);
  return Array.from({ length: count }, (_, index): PlannedFault => {
    const atMs = index * FAULT_INTERVAL_MS;
    const kind = kinds[index % kinds.length] ?? 'broker';
    if (kind === 'broker') return { kind, atMs };
    const host = overAt.indexOf(Math.min(...overAt));
    overAt[host] = atMs + FAULT_MS[kind];
    return { kind, atMs, host };
  });
}
