// Time in a process while the clock of its machine is set.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SteadyTime } from '../../runtime/core/steady-time.ts';

/** The clock of a machine, and the time of a process that reads it. */
function machine() {
  let clock = 1_000_000;
  const time = new SteadyTime(() => clock);
  return {
    now: () => time.now(),
    clock: () => clock,
    passes: (milliseconds: number) => {
      clock += milliseconds;
      return time.now();
    },
  };
}

test('it is the clock of the machine, also after that was set forward', () => {
  const { passes, clock } = machine();
  for (const milliseconds of [0, 1, 250, 3_600_000, 1]) expect(passes(milliseconds)).toBe(clock());
});

test('after the clock was set back, time goes on from where it was, until the clock has caught up', () => {
  const { now, passes, clock } = machine();
  const before = now();
  expect(passes(-1000)).toBe(before);
  expect(passes(100)).toBe(before + 50);
  for (let step = 0; step < 100; step++) passes(1);
  expect(now()).toBe(before + 100);
  expect(passes(1800)).toBe(clock());
  expect(passes(10)).toBe(clock());
});

test('law: it never goes back, is never behind the clock, and passes at half the speed at least', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -5000, max: 5000 }), { maxLength: 50 }), steps => {
      const { now, passes, clock } = machine();
      for (const step of steps) {
        const before = now();
        const after = passes(step);
        expect(after).toBeGreaterThanOrEqual(before);
        expect(after).toBeGreaterThanOrEqual(clock());
        if (step > 0) expect(after - before).toBeGreaterThanOrEqual(Math.floor(step / 2));
      }
    }),
  );
});
