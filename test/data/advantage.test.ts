// Group-relative advantages.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LessonStep } from '../../runtime/core/lesson.ts';
import { carriesGradient, withAdvantages } from '../../runtime/data/advantage.ts';

const BOUND = 3;

const trajectory = fc.record({
  reward: fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true })),
  steps: fc.integer({ min: 1, max: 30 }),
});
const group = fc.array(trajectory, { minLength: 2, maxLength: 10 });

const STEP: LessonStep = {
  observation: { encoding: 'test', bytes: new Uint8Array() },
  choice: { kind: 'heads', decisions: [] },
};

const advantages = (
  trajectories: readonly { readonly reward: number; readonly steps: number }[],
): readonly number[] =>
  withAdvantages(
    trajectories.map(({ reward, steps }) => ({ reward, steps: Array<LessonStep>(steps).fill(STEP) })),
  ).map(({ advantage }) => advantage);

/** Reference implementation over single steps. */
function plain(
  trajectories: readonly { readonly reward: number; readonly steps: number }[],
): readonly number[] {
  const steps = trajectories.flatMap(({ reward, steps }) => Array<number>(steps).fill(reward));
  const mean = steps.reduce((sum, each) => sum + each, 0) / steps.length;
  const deviation = Math.sqrt(steps.reduce((sum, each) => sum + (each - mean) ** 2, 0) / steps.length);
  return trajectories.map(({ reward }) =>
    Math.min(BOUND, Math.max(-BOUND, (reward - mean) / (deviation + 1e-6))),
  );
}

describe('an advantage', () => {
  test('is the distance of the reward from the mean over all steps, in standard deviations, clipped', () => {
    fc.assert(
      fc.property(group, trajectories => {
        const found = advantages(trajectories);
        expect(found).toHaveLength(trajectories.length);
        for (const [index, wanted] of plain(trajectories).entries())
          expect(Math.abs((found[index] ?? Number.NaN) - wanted)).toBeLessThan(1e-6);
      }),
    );
  });

  test('weighs long trajectories more than short ones', () => {
    const [short] = advantages([
      { reward: 1, steps: 2 },
      { reward: 0, steps: 2 },
    ]);
    const [beside] = advantages([
      { reward: 1, steps: 2 },
      { reward: 0, steps: 10 },
    ]);
    expect(short).toBeCloseTo(1, 4);
    expect(beside).toBeCloseTo(Math.sqrt(5), 4);
  });

  test('is clipped for one short success among long failures', () => {
    const failures = Array.from({ length: 7 }, () => ({ reward: 0, steps: 30 }));
    expect(advantages([{ reward: 1, steps: 5 }, ...failures])[0]).toBe(BOUND);
    const successes = Array.from({ length: 7 }, () => ({ reward: 1, steps: 30 }));
    expect(advantages([{ reward: 0, steps: 5 }, ...successes])[0]).toBe(-BOUND);
  });

  test('is 0 for equal rewards', () => {
    for (const reward of [0, 0.5, 1])
      expect(
        advantages([
          { reward, steps: 3 },
          { reward, steps: 9 },
        ]),
      ).toEqual([0, 0]);
    for (const each of advantages(Array.from({ length: 3 }, () => ({ reward: 0.1, steps: 7 }))))
      expect(Math.abs(each)).toBeLessThan(1e-6);
    expect(advantages([])).toEqual([]);
  });

  test('has the order of the rewards', () => {
    fc.assert(
      fc.property(group, trajectories => {
        const found = advantages(trajectories);
        return trajectories.every(({ reward }, a) =>
          trajectories.every((other, b) => reward <= other.reward || (found[a] ?? 0) >= (found[b] ?? 0)),
        );
      }),
    );
  });
});

test('a group carries a gradient only if its rewards differ', () => {
  expect([[], [1], [0, 0], [0.5, 0.5, 0.5]].map(carriesGradient)).toEqual([false, false, false, false]);
  expect(
    [
      [0, 1],
      [1, 1, 0.9],
    ].map(carriesGradient),
  ).toEqual([true, true]);
});
