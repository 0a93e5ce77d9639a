// Training progress: applied updates and training time.

import { expect, test } from 'vitest';
import { CheckpointFolder } from '../../runtime/trainer/checkpoint-folder.ts';
import { floats } from '../agents/compact/running-policy.ts';
import { lesson, type Ring, ring, StillClock, UPDATE, until } from './ring.ts';

test('rejected updates do not count in a version', async () => {
  const refused = { applied: floats([0]) };
  const made = await ring({ during: until(40), instead: count => (count <= 30 ? refused : {}) });
  await made.fabric.lessons.put(lesson(5));
  await made.trainer.run(made.stop.signal);
  expect(made.versions.map(({ version }) => version)).toEqual([0, 2, 10]);
});

test('a changed clock and a sleeping machine add no training time', async () => {
  const clock = new StillClock(10_000_000);
  const jumps = new Map([
    [5, -5_000_000],
    [15, 20_000_000],
  ]);
  const during = (count: number, made: Ring): void => {
    clock.time += jumps.get(count) ?? 0;
    until(40)(count, made);
  };
  const made = await ring({ clock, during });
  await made.fabric.lessons.put(lesson(5));
  await made.trainer.run(made.stop.signal);
  const kept = await new CheckpointFolder(made.checkpoints).newest();
  expect(kept?.checkpoint.milliseconds).toBeGreaterThan(35 * UPDATE);
  expect(kept?.checkpoint.milliseconds).toBeLessThan(40 * UPDATE + 60_001);
});
