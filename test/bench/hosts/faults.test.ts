// The laws of the plan of faults.

import { expect, test } from 'vitest';
import { FAULT_KINDS, FAULT_MS, plannedFaults } from '../../../runtime/bench/hosts/faults.ts';

const WITHOUT_NETWORK = FAULT_KINDS.filter(kind => kind !== 'partition');

test.each([
  ['all kinds', FAULT_KINDS],
  ['no partitions', WITHOUT_NETWORK],
])('with %s, no host has two faults at a time, and every host and kind has its share', (_, kinds) => {
  const plan = plannedFaults(60, 3, kinds);
  const count = (is: (fault: (typeof plan)[number]) => boolean) => plan.filter(is).length;
  for (const kind of kinds) expect(count(fault => fault.kind === kind)).toBe(60 / kinds.length);
  for (const host of [0, 1, 2]) {
    const faults = plan.filter(fault => fault.host === host);
    expect(faults.length).toBeGreaterThanOrEqual(60 / kinds.length / 2);
    for (const [index, { atMs }] of faults.entries()) {
      const before = faults[index - 1];
      if (before !== undefined) expect(atMs).toBeGreaterThanOrEqual(before.atMs + FAULT_MS[before.kind]);
    }
  }
});

test('faults follow one another in time, and the broker is no host', () => {
  const plan = plannedFaults(8, 3, FAULT_KINDS);
  expect(plan.map(({ atMs }) => atMs)).toEqual([...plan.map(({ atMs }) => atMs)].sort((a, b) => a - b));
  for (const { kind, host } of plan) expect(host === undefined).toBe(kind === 'broker');
});
