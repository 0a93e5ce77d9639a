// When PPO's loss takes the place of signed weights: exactly where both have the same gradient.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { at } from '../../runtime/core/at.ts';
import { seeded } from '../../runtime/core/rng.ts';
import { sum } from '../../runtime/core/sum.ts';
import {
  builtInLoss,
  checkUnclipped,
  clippedWeights,
  ratioReport,
} from '../../runtime/learner/built-in-loss.ts';
import {
  DART_OBJECTIVE,
  type RecordedReply,
  replyWeights,
  type TokenObjective,
} from '../../runtime/learner/token-objective.ts';

const objectives: fc.Arbitrary<TokenObjective> = fc.record({
  clipLow: fc.double({ min: 0.05, max: 0.9, noNaN: true }),
  clipHigh: fc.double({ min: 0.05, max: 3, noNaN: true }),
  dualClip: fc.constantFrom(0, 1.5, 10),
  truncation: fc.constantFrom(0, 0.5, 1, 5),
  importance: fc.constantFrom('token', 'sequence'),
  ratio: fc.constantFrom('token', 'sequence'),
  divergence: fc.constantFrom(0, 0.1),
});

/** Log-ratios on both sides of all bounds, within the limit. */
const replies = (seed: number): readonly RecordedReply[] => {
  const random = seeded(`replies ${seed}`);
  const within = (low: number, high: number) => low + (high - low) * random.next();
  return Array.from({ length: 60 }, () => {
    const old = Array.from({ length: 1 + random.int(6) }, () => within(-4, -0.1));
    const apart = (size: number) => old.map(each => each + within(-size, size));
    return {
      ...{ advantage: within(-2, 2), old, present: apart(3), rollout: apart(1), reference: apart(1) },
    };
  });
};

const ofPpo = (reply: RecordedReply, objective: TokenObjective): readonly number[] =>
  clippedWeights(
    { ...reply, weights: replyWeights({ ...reply, present: reply.old }, objective).weights },
    objective,
  );

const farthest = (one: readonly number[], other: readonly number[]): number =>
  Math.max(...one.map((each, token) => Math.abs(each - at(other, token))));

test('it is chosen exactly where its gradient is that of the objective, for every switch', () => {
  fc.assert(
    fc.property(objectives, fc.nat(), (objective, seed) => {
      const apart = replies(seed).map(reply =>
        farthest(ofPpo(reply, objective), replyWeights(reply, objective).weights),
      );
      expect(Math.max(...apart) < 1e-12).toBe(builtInLoss(objective) !== undefined);
    }),
    { numRuns: 300 },
  );
});

test("the paper's constants have a KL term and a dual clip, so they keep signed weights", () => {
  expect(builtInLoss(DART_OBJECTIVE)).toBeUndefined();
  expect(builtInLoss({ ...DART_OBJECTIVE, divergence: 0 })).toBeUndefined();
  expect(builtInLoss({ ...DART_OBJECTIVE, divergence: 0, dualClip: 0 })).toEqual({
    clipLow: 0.2,
    clipHigh: 0.28,
  });
});

describe('the report of an update', () => {
  const clip = { clipLow: 0.2, clipHigh: 0.28 };
  const row = (weights: readonly number[], ratios: readonly number[]) => ({
    ...{ weights, old: ratios.map(() => -2), present: ratios.map(ratio => Math.log(ratio) - 2) },
  });

  test('has the loss, the share of clipped tokens and the divergence', () => {
    const rows = [row([1, 1, -1, -1], [2, 0.5, 2, 0.5]), row([3], [1])];
    const { loss, clipped, divergence } = ratioReport(rows, clip);
    expect(loss).toBeCloseTo(-1.28 - 0.5 + 2 + 0.8 - 3, 12);
    expect(clipped).toBeCloseTo((2 / 4 + 0) / 2, 12);
    const k3 = (ratio: number) => ratio - Math.log(ratio) - 1;
    expect(divergence).toBeCloseTo((k3(2) + k3(0.5)) / 2 / 2, 12);
  });

  test('has a divergence whose mean over tokens of π_old is KL(π_old ‖ π_θ)', () => {
    const [old, present] = [
      [0.5, 0.3, 0.2],
      [0.1, 0.2, 0.7],
    ] as const;
    const chances = old.map((chance, token) => ({ chance, ratio: at(present, token) / chance }));
    const divergenceOf = (ratio: number) => ratioReport([row([1], [ratio])], clip).divergence;
    const mean = sum(chances.map(({ chance, ratio }) => chance * divergenceOf(ratio)));
    const exact = sum(chances.map(({ chance, ratio }) => -chance * Math.log(ratio)));
    expect(mean).toBeCloseTo(exact, 12);
  });

  test('counts no token without a weight', () => {
    expect(ratioReport([row([0, 1], [9, 1.1])], clip)).toMatchObject({ clipped: 0 });
    expect(ratioReport([row([0], [9])], clip)).toEqual({ loss: 0, clipped: 0, divergence: 0 });
  });
});

test('a learner without the loss names the update', () => {
  const update = { id: 'b/1', rows: [], optimiser: { ...OPTIMISER }, clip: { clipLow: 0.2, clipHigh: 0.2 } };
  expect(() => checkUnclipped(update, 'the server X')).toThrow(
    "The update 'b/1' has a clip, and the server X does not compute PPO's loss. Send the weights",
  );
});

const OPTIMISER = { learningRate: 1, beta1: 0, beta2: 0, epsilon: 1, weightDecay: 0, clipNorm: 0 };
