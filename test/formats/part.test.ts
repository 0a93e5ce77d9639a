// Trajectories trimmed to the part to learn from.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Step } from '../../runtime/core/step.ts';
import { partOf } from '../../runtime/formats/part.ts';
import { turnsOf } from '../../runtime/formats/steps.ts';
import { WriteRefusal } from '../../runtime/formats/written-files.ts';
import { episode } from './arbitraries.ts';

const trimmed = episode().chain(random =>
  fc.record({
    random: fc.constant(random),
    part: fc
      .tuple(fc.nat(random.trajectory.steps.length), fc.integer({ min: 1, max: 20 }))
      .map(([from, length]) => ({ from, to: from + length })),
  }),
);

test('a part has the whole turns within its limits, and nothing else', () => {
  fc.assert(
    fc.property(trimmed, ({ random: { trajectory, pictures }, part }) => {
      const { steps } = trajectory;
      const within = turnsOf(steps).filter(
        ({ at, actions }) => at >= part.from && at + actions.length <= part.to,
      );
      const kept: readonly Step[] = within.flatMap(({ at, actions }) => steps.slice(at, at + actions.length));
      if (kept.length === 0) {
        expect(() => partOf(trajectory, pictures, part)).toThrow(WriteRefusal);
        return;
      }
      const found = partOf(trajectory, pictures, part);
      expect(found.trajectory).toEqual({ ...trajectory, steps: kept });
      // The screen before each step and the one after the last.
      const [first] = within;
      for (let step = 0; step <= kept.length; step++)
        expect(found.pictures[step]).toBe(pictures[(first?.at ?? 0) + step]);
      expect(found.pictures.length).toBeLessThanOrEqual(kept.length + 1);
    }),
  );
});

test('the part of all steps is the whole', () => {
  fc.assert(
    fc.property(episode(), ({ trajectory, pictures }) => {
      const part = { from: 0, to: trajectory.steps.length };
      expect(partOf(trajectory, pictures, part)).toEqual({
        trajectory,
        pictures: pictures.slice(0, part.to + 1),
      });
    }),
  );
});
