// Advantages by the actions of an expert, against values computed by hand: those of UI-S1 from its code, those of Mobile-R1 and CRAFT-GUI
// from their formulas.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ExpertMatch } from '../../runtime/core/expert-match.ts';
import type { LessonStep } from '../../runtime/core/lesson.ts';
import { stepAdvantages } from '../../runtime/data/advantage.ts';
import {
  actionReward,
  differsInActions,
  differsInMatches,
  matchReturns,
  matchReward,
  partsReward,
} from '../../runtime/data/match-advantages.ts';

const STEP: LessonStep = {
  observation: { encoding: 'test', bytes: new Uint8Array() },
  choice: { kind: 'heads', decisions: [] },
};

const matchesOf = (scores: readonly number[]): readonly ExpertMatch[] =>
  scores.map((score, step) => ({ step, score }));

const rolloutOf = (scores: readonly number[]) => ({
  ...{ reward: 0, isSuccess: false },
  steps: scores.map(() => STEP),
  matches: matchesOf(scores),
});

const near = (values: readonly number[]) => values.map(value => expect.closeTo(value, 4));

test('the reward is a tenth for a readable reply, and the rest for the match', () => {
  const rewards = [1, 0.5, 0.1, 0].map(score => matchReward({ step: 0, score }));
  expect(rewards).toEqual(near([1, 0.55, 0.19, 0]));
});

describe('the return of a step', () => {
  test('adds half of the next one, until a step does not match', () => {
    expect(matchReturns(matchesOf([1, 1, 1]))).toEqual(near([1.75, 1.5, 1]));
    // The third step is due to the expert, who acted in place of the second.
    expect(matchReturns(matchesOf([1, 0.5, 1, 1]))).toEqual(near([1, 0.55, 1.5, 1]));
    expect(matchReturns(matchesOf([0, 1]))).toEqual(near([0, 1]));
  });

  test('is at least its reward, and below 2', () => {
    const scores = fc.array(fc.constantFrom(0, 0.1, 0.5, 1), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(scores, each => {
        for (const [index, value] of matchReturns(matchesOf(each)).entries()) {
          expect(value).toBeGreaterThanOrEqual(matchReward({ step: 0, score: each[index] ?? 0 }));
          expect(value).toBeLessThan(2);
        }
      }),
    );
  });
});

describe('an advantage', () => {
  test('is the sum of that among all steps and that among those of the same expert step', () => {
    // Rewards 1, 1 and 0.55: mean 0.85, deviation √(0.135 / 3) = 0.212132. Returns of step 0: 1.5 and 0.55, mean 1.025, deviation 0.475.
    // Step 1 has one return, which is its own mean.
    const found = stepAdvantages([rolloutOf([1, 1]), rolloutOf([0.5])], 'matches');
    expect(found).toEqual([near([Math.SQRT1_2 + 1, Math.SQRT1_2]), near([-Math.SQRT2 - 1])]);
  });

  test('compares by the expert step, whatever the number of the step in its rollout', () => {
    const typed = {
      ...rolloutOf([1, 1]),
      matches: [
        { step: 0, score: 1 },
        { step: 0, score: 1 },
      ],
    };
    const found = stepAdvantages([typed, rolloutOf([0.5])], 'matches');
    // A text in two parts counts once: rewards and returns are 1 and 0.55.
    expect(found).toEqual([near([2, 2]), near([-2])]);
  });

  test('of a text is the same in parts and at once, whatever follows', () => {
    const scores = fc.array(fc.constantFrom(0, 0.1, 0.5, 1), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(scores, fc.integer({ min: 1, max: 4 }), (after, parts) => {
        const atOnce = rolloutOf([1, ...after]);
        const text = Array.from({ length: parts }, () => ({ step: 0, score: 1 }));
        const typed = {
          ...rolloutOf([...text.map(() => 1), ...after]),
          matches: [...text, ...matchesOf([1, ...after]).slice(1)],
        };
        const [other] = [rolloutOf([0.5])];
        const [inParts, whole] = [typed, atOnce].map(
          each => stepAdvantages([each, other], 'matches')[0] ?? [],
        );
        expect(inParts?.slice(parts)).toEqual(near(whole?.slice(1) ?? []));
        for (const part of inParts?.slice(0, parts) ?? []) expect(part).toBeCloseTo(whole?.[0] ?? 9, 4);
      }),
    );
  });

  test('is bounded', () => {
    const good = Array.from({ length: 40 }, () => rolloutOf([1]));
    expect(stepAdvantages([...good, rolloutOf([0])], 'matches').at(-1)).toEqual([-3]);
  });

  test('takes the steps of a demonstration for those of the expert', () => {
    const { matches: _, ...demonstrated } = { ...rolloutOf([1, 1]), isSuccess: true };
    const [found] = stepAdvantages([demonstrated, rolloutOf([0.5])], 'matches');
    expect(found).toEqual(near([Math.SQRT1_2 + 1, Math.SQRT1_2]));
  });
});

test('a group trains if the returns of its first step deviate by more than 0.3', () => {
  expect(differsInMatches([rolloutOf([1, 1]), rolloutOf([0.5, 1])])).toBe(true);
  // 1.5 and 1: a deviation of 0.25.
  expect(differsInMatches([rolloutOf([1, 1]), rolloutOf([1, 0])])).toBe(false);
});

describe('single actions (Mobile-R1)', () => {
  test('the reward is 1 for the action of the expert, and 1 for a reply with an action', () => {
    expect([1, 0.5, 0.1, 0].map(score => actionReward({ step: 0, score }))).toEqual([2, 1, 1, 0]);
  });

  test('an action is compared with those at the same step alone', () => {
    // Step 0 has the rewards 2, 2 and 0: mean 4/3, deviation √(8/9). Step 1 has 1 and 1: nothing to compare. Step 2 has one action.
    const found = stepAdvantages([rolloutOf([1, 0.5, 1]), rolloutOf([1, 0.1]), rolloutOf([0])], 'actions');
    expect(found).toEqual([near([Math.SQRT1_2, 0, 0]), near([Math.SQRT1_2, 0]), near([-Math.SQRT2])]);
  });

  test('what follows an action does not count', () => {
    const scores = fc.array(fc.constantFrom(0, 0.1, 0.5, 1), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(scores, scores, scores, (one, other, later) => {
        const found = stepAdvantages([rolloutOf(one), rolloutOf(other)], 'actions');
        const longer = stepAdvantages([rolloutOf([...one, ...later]), rolloutOf(other)], 'actions');
        const shared = Math.min(one.length, other.length);
        expect(longer.map(each => each.slice(0, shared))).toEqual(found.map(each => each.slice(0, shared)));
      }),
    );
  });

  test('a group trains if the actions at a step differ in their reward', () => {
    expect(differsInActions([rolloutOf([1, 1]), rolloutOf([1, 0.5])], actionReward)).toBe(true);
    expect(differsInActions([rolloutOf([1, 0.5]), rolloutOf([1, 0.1])], actionReward)).toBe(false);
    expect(differsInActions([rolloutOf([1, 1]), rolloutOf([1])], actionReward)).toBe(false);
  });
});

describe('parts of actions (CRAFT-GUI)', () => {
  test('the reward has 0.1 for an action, 0.3 for its kind and 0.4 for the rest', () => {
    const [whole = 0, kind = 0, other = 0, none = 0] = [1, 0.5, 0.1, 0].map(score =>
      partsReward({ step: 0, score }),
    );
    expect([whole, kind, other]).toEqual(near([0.8, 0.4, 0.1]));
    expect(none).toBe(0);
  });

  test('an action is compared with those at the same step alone', () => {
    // Step 0 has the rewards 0.8, 0.4 and 0: mean 0.4, deviation √(0.32 / 3) = 0.326599. Step 1 has 0.4 and 0.1: mean 0.25, deviation 0.15.
    const found = stepAdvantages([rolloutOf([1, 0.5]), rolloutOf([0.5, 0.1]), rolloutOf([0])], 'parts');
    expect(found).toEqual([near([1.224745, 1]), near([0, -1]), near([-1.224745])]);
  });

  test('a group of equal rewards does not train, however many rollouts it has', () => {
    for (const score of [1, 0.5, 0.1, 0])
      for (let count = 2; count <= 16; count++) {
        const same = Array.from({ length: count }, () => rolloutOf([score]));
        expect(differsInActions(same, partsReward)).toBe(false);
        expect(differsInActions([...same, rolloutOf([score === 1 ? 0 : 1])], partsReward)).toBe(true);
      }
  });

  test('a group trains if two actions at a step differ, and if only in their kind', () => {
    expect(differsInActions([rolloutOf([1, 0.5]), rolloutOf([1, 0.1])], partsReward)).toBe(true);
    expect(differsInActions([rolloutOf([1, 0.5]), rolloutOf([1, 0.5])], partsReward)).toBe(false);
  });
});
