// Group-relative advantages.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encode } from '../../runtime/agents/compact/observation.ts';
import type { LessonStep } from '../../runtime/core/lesson.ts';
import { stepAdvantages } from '../../runtime/data/advantage.ts';
import { carriesGradient } from '../../runtime/data/group-comparison.ts';

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
  stepAdvantages(
    trajectories.map(({ reward, steps }) => ({
      ...{ reward, isSuccess: reward === 1 },
      steps: Array<LessonStep>(steps).fill(STEP),
    })),
    'steps',
  ).map(([first]) => first ?? Number.NaN);

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

/** A step whose screen is known by its patches: the policy sees another screen after an effective step. */
const seeing = (screen: number): LessonStep => ({
  observation: encode({
    ...{ mode: 'screenshot', size: { width: 160, height: 210 }, instruction: 'Go.', recent: [], memory: [] },
    ...{ elements: [], firstElement: 0, patches: [], squares: new Uint8Array(256).fill(screen) },
  }),
  choice: { kind: 'heads', decisions: [] },
});

const rolloutOf = (isSuccess: boolean, screens: readonly number[]) => ({
  ...{ isSuccess, reward: Number(isSuccess) },
  steps: screens.map(seeing),
});

describe('the advantage of GRPO', () => {
  test('compares rollouts: mean 1/4 and deviation √3/4 of the rewards 1, 0, 0, 0, at any length', () => {
    const found = stepAdvantages(
      [rolloutOf(true, [1, 2]), rolloutOf(false, [1]), rolloutOf(false, [1, 2, 3]), rolloutOf(false, [1])],
      'rollouts',
    );
    expect(found.map(({ length }) => length)).toEqual([2, 1, 3, 1]);
    for (const advantage of found[0] ?? []) expect(advantage).toBeCloseTo(1.7320508, 4);
    for (const advantage of found.slice(1).flat()) expect(advantage).toBeCloseTo(-0.5773503, 4);
  });

  test('is that of DART where all rollouts are equally long', () => {
    const rewards = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 8 });
    fc.assert(
      fc.property(rewards, fc.integer({ min: 1, max: 5 }), (all, length) => {
        const rollouts = all.map(reward => ({
          ...{ reward, isSuccess: false },
          steps: Array<LessonStep>(length).fill(STEP),
        }));
        const [one, other] = [stepAdvantages(rollouts, 'rollouts'), stepAdvantages(rollouts, 'steps')];
        // A deviation near the epsilon of the formula enlarges rounding errors.
        for (const [place, steps] of one.entries())
          for (const [index, each] of steps.entries())
            expect(Math.abs(each - (other[place]?.[index] ?? Number.NaN))).toBeLessThan(1e-4);
      }),
    );
  });
});

describe('the advantage of ComputerRL', () => {
  test('rewards the steps of a success that changed the screen: rewards 1, 0, 1 and 0, 0 have mean 0.4 and deviation √0.24', () => {
    // The second step of the success leaves the screen as it is.
    const found = stepAdvantages([rolloutOf(true, [1, 2, 2]), rolloutOf(false, [1, 2])], 'contributions');
    const wanted = [
      [1.2247449, -0.8164966, 1.2247449],
      [-0.8164966, -0.8164966],
    ];
    expect(found.map(({ length }) => length)).toEqual([3, 2]);
    for (const [place, steps] of wanted.entries())
      for (const [index, advantage] of steps.entries())
        expect(found[place]?.[index]).toBeCloseTo(advantage, 4);
  });

  test('is that of DART where each step changes the screen', () => {
    const outcomes = fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 6 })), {
      minLength: 2,
      maxLength: 6,
    });
    fc.assert(
      fc.property(outcomes, all => {
        const rollouts = all.map(([isSuccess, length]) =>
          rolloutOf(
            isSuccess,
            Array.from({ length }, (_, index) => index),
          ),
        );
        const [one, other] = [stepAdvantages(rollouts, 'contributions'), stepAdvantages(rollouts, 'steps')];
        for (const [place, steps] of one.entries())
          for (const [index, each] of steps.entries())
            expect(each).toBeCloseTo(other[place]?.[index] ?? 9, 6);
      }),
      { numRuns: 30 },
    );
  });
});

test('filtered imitation gives each step of a success the advantage 1', () => {
  const rollouts = [rolloutOf(true, [1, 2]), rolloutOf(false, [1]), rolloutOf(true, [1])];
  expect(stepAdvantages(rollouts, 'successes')).toEqual([[1, 1], [0], [1]]);
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
