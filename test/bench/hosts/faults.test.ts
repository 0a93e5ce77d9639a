// The laws of the plan of faults.

import { expect, test } from 'vitest';
import {
  FAULT_KINDS,
  type FaultTimes,
  isOfBroker,
  plannedFaults,
} from '../../../runtime/bench/hosts/faults.ts';

const BRIEF: FaultTimes = { kill: 5_000, pause: 45_000, partition: 15_000, broker: 3_000 };
const LONG: FaultTimes = {
  ...{ kill: 20_000, pause: 90_000, partition: 30_000, broker: 3_000, disk: 3_000, clock: 30_000 },
};
const without = (times: FaultTimes, ...kinds: readonly string[]): FaultTimes =>
  Object.fromEntries(Object.entries(times).filter(([kind]) => !kinds.includes(kind)));

test.each([
  ['brief faults', BRIEF],
  ['brief ones without partitions', without(BRIEF, 'partition')],
  ['long faults of all kinds', LONG],
  ['long ones without a disk', without(LONG, 'disk')],
  ['long ones without partitions and a disk', without(LONG, 'partition', 'disk')],
])('with %s, no host has two faults at a time, and every host and kind has its share', (_, times) => {
  const kinds = FAULT_KINDS.filter(kind => times[kind] !== undefined);
  const plan = plannedFaults(60 * kinds.length, 3, times);
  const count = (is: (fault: (typeof plan)[number]) => boolean) => plan.filter(is).length;
  for (const kind of kinds) expect(count(fault => fault.kind === kind)).toBe(60);
  for (const host of [0, 1, 2]) {
    const faults = plan.filter(fault => fault.host === host);
    expect(faults.length).toBeGreaterThanOrEqual(30);
    for (const [index, { atMs }] of faults.entries()) {
      const before = faults[index - 1];
      if (before !== undefined) expect(atMs).toBeGreaterThanOrEqual(before.atMs + before.forMs);
    }
  }
});

test('faults follow one another in time, last as long as their kind, and the broker is no host', () => {
  const plan = plannedFaults(12, 3, LONG);
  expect(plan.map(({ atMs }) => atMs)).toEqual([...plan.map(({ atMs }) => atMs)].sort((a, b) => a - b));
  for (const { kind, host, forMs } of plan) {
    expect(host === undefined).toBe(isOfBroker(kind));
    expect(forMs).toBe(LONG[kind]);
  }
});
