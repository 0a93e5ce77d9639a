// The part of a run's time that counts as trained.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { TrainingTime } from '../../runtime/run/training-time.ts';

test('time counts from the value before a resume up to the limit', async () => {
  const clock = new VirtualClock(5000);
  const trained = new TrainingTime(clock, 100, 40);
  await clock.run(10_000);
  expect(trained.seconds()).toBe(40);
  trained.start();
  await clock.run(15_000);
  trained.stop();
  await clock.run(90_000);
  expect([trained.seconds(), trained.isOver()]).toEqual([45, false]);
  trained.start();
  for (const now of [120_000, 170_000]) {
    await clock.run(now);
    expect(trained.isOver()).toBe(now === 170_000);
  }
  expect(trained.seconds()).toBe(100);
});

test('repeated starts and stops do not change the sum', () => {
  const parts = fc.array(
    fc.record({ goesOn: fc.boolean(), twice: fc.boolean(), seconds: fc.integer({ min: 0, max: 60 }) }),
  );
  return fc.assert(
    fc.asyncProperty(parts, async all => {
      const clock = new VirtualClock();
      const trained = new TrainingTime(clock, 1e9, 0);
      let expected = 0;
      for (const { goesOn, twice, seconds } of all) {
        for (let time = twice ? 2 : 1; time > 0; time--) goesOn ? trained.start() : trained.stop();
        await clock.run(clock.now() + 1000 * seconds);
        if (goesOn) expected += seconds;
        expect(trained.seconds()).toBeCloseTo(expected, 6);
      }
    }),
    { numRuns: 30 },
  );
});
