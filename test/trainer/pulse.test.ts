// Phases of imitation between those of reinforcement learning.

import { expect, test } from 'vitest';
import { isImitationPhase } from '../../runtime/trainer/pulse.ts';
import { numbers } from '../agents/compact/running-policy.ts';
import { batch, lesson, ring, until } from './ring.ts';

const PULSE = { imitation: 2, policy: 3 };

test('each cycle begins with its optimiser steps of imitation', () => {
  const phases = Array.from({ length: 10 }, (_, step) => isImitationPhase(step, PULSE));
  const cycle = [true, true, false, false, false];
  expect(phases).toEqual([...cycle, ...cycle]);
  expect(phases.map((_, step) => isImitationPhase(step, { imitation: 2, policy: 0 }))).toEqual(
    phases.map(() => false),
  );
});

test('lessons train in their phases only, and groups in the others', async () => {
  const pulse = { imitation: 4, policy: 6 };
  const made = await ring({ during: until(16), recipe: { pulse, replay: 0, highEntropy: false } });
  for (const name of ['a', 'b', 'c']) await made.fabric.batches.put(batch(name, 0, 12));
  await made.fabric.lessons.put(lesson(1));
  await made.trainer.run(made.stop.signal);
  // An update has two optimiser steps; a batch of 12 rows has two updates, so a phase may end in the middle of a batch.
  const imitates = made.updates
    .slice(0, 10)
    .map(each => numbers(each, 'cloneWeight').some(weight => weight > 0));
  expect(imitates.slice(0, 4)).toEqual([true, true, true, true]);
  expect(imitates.slice(4, 10)).toEqual(imitates.slice(4, 10).map(() => false));
  expect(
    made.updates.slice(4, 10).every(each => numbers(each, 'policyWeight').every(weight => weight > 0)),
  ).toBe(true);
});

test('without lessons a phase of imitation is skipped', async () => {
  const made = await ring({
    during: until(2),
    recipe: { pulse: { imitation: 100, policy: 1 }, highEntropy: false },
  });
  await made.fabric.batches.put(batch('b', 0, 6));
  await made.trainer.run(made.stop.signal);
  expect(made.updates.length).toBeGreaterThanOrEqual(2);
});
