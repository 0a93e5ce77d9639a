// The weights of the token objective, against automatic differentiation of the same formula in graph operations.

import { describe, expect, test } from 'vitest';
import { OBJECTIVE, objectiveTerms } from '../../runtime/agents/compact/objective.ts';
import { at } from '../../runtime/core/at.ts';
import { type Random, seeded } from '../../runtime/core/rng.ts';
import { sum } from '../../runtime/core/sum.ts';
import * as op from '../../runtime/graph/ops/index.ts';
import {
  DART_OBJECTIVE,
  importanceWeights,
  k3,
  MAX_LOG_RATIO,
  type RecordedReply,
  replyWeights,
  type TokenObjective,
} from '../../runtime/learner/token-objective.ts';
import { differentiate, gainOf, LENGTH } from './differentiate-objective.ts';

/** Log-ratios of π_θ to π_old: not clipped, clipped above and below, beyond the dual clip, and beyond the limit on both sides. */
const BANDS: readonly (readonly [number, number])[] = [
  [-0.15, 0.2],
  [-0.15, 0.2],
  [0.3, 2],
  [-2, -0.3],
  [2.5, 4],
  [21, 25],
  [-25, -21],
];

/** Numbers that float32 has, so that both types compute from the same ones. */
function randomReply(random: Random): RecordedReply {
  const within = ([low, high]: readonly [number, number]) => Math.fround(low + (high - low) * random.next());
  const band = () => at(BANDS, random.int(BANDS.length));
  const shared = random.int(2) === 0 ? band() : undefined;
  const count = 1 + random.int(LENGTH);
  const list = (each: (token: number) => number) =>
    Array.from({ length: count }, (_, token) => Math.fround(each(token)));
  const old = list(() => within([-4, -0.01]));
  const present = list(token => at(old, token) + within(shared ?? band()));
  const near = (values: readonly number[]) => list(token => at(values, token) + within([-2, 2]));
  return {
    advantage: random.int(5) === 0 ? 0 : within([-3, 3]),
    ...{ present, old, reference: random.int(8) === 0 ? list(() => within([20, 30])) : near(present) },
    ...(random.int(4) > 0 && { rollout: near(old) }),
  };
}

const replies = (seed: string, count: number): readonly RecordedReply[] => {
  const random = seeded(seed);
  return Array.from({ length: count }, () => randomReply(random));
};

/** The largest difference, relative to the numbers beyond 1. */
function largestError(one: readonly number[], other: readonly number[]): number {
  const errors = one.map((value, index) => {
    const wanted = at(other, index);
    const error = Math.abs(value - wanted) / Math.max(1, Math.abs(wanted));
    return Number.isNaN(error) ? Infinity : error;
  });
  return Math.max(0, ...errors);
}

const SWITCHES: readonly TokenObjective[] = (['token', 'sequence'] as const).flatMap(importance =>
  (['token', 'sequence'] as const).flatMap(ratio =>
    [0, 1, 5].flatMap(truncation =>
      [0, 0.1].flatMap(divergence =>
        [10, 0].map(dualClip => ({
          ...DART_OBJECTIVE,
          ...{ importance, ratio, truncation, divergence, dualClip },
        })),
      ),
    ),
  ),
);
const nameOf = ({ importance, ratio, truncation, divergence, dualClip }: TokenObjective): string =>
  `importance per ${importance} up to ${truncation}, ratio per ${ratio}, β ${divergence}, dual clip ${dualClip}`;

describe('the weights are the derivative of the objective', () => {
  test.each(SWITCHES.map(objective => [nameOf(objective), objective] as const))(
    '%s',
    async (name, objective) => {
      const batch = replies(name, 64);
      const derived = await differentiate(batch, 'float64', inputs => gainOf(inputs, objective));
      for (const [row, reply] of batch.entries()) {
        const { weights, gain } = replyWeights(reply, objective);
        const wanted = at(derived, row);
        expect(largestError(weights, wanted.weights), JSON.stringify(reply)).toBeLessThan(1e-9);
        expect(largestError([gain], [wanted.gain]), JSON.stringify(reply)).toBeLessThan(1e-9);
      }
    },
  );

  test('the batches have every kind of token', () => {
    const batch = SWITCHES.flatMap(objective => replies(nameOf(objective), 64));
    const some = (holds: (reply: RecordedReply, logRatio: number) => boolean) =>
      batch.filter(reply => reply.present.some((each, token) => holds(reply, each - at(reply.old, token))))
        .length;
    const counts = {
      unclipped: some((_, ratio) => Math.abs(ratio) < 0.2),
      clipped: some(({ advantage }, ratio) => advantage > 0 && ratio > 0.25),
      dualClipped: some(({ advantage }, ratio) => advantage < 0 && ratio > Math.log(10)),
      limited: some((_, ratio) => Math.abs(ratio) > MAX_LOG_RATIO),
      farFromReference: some(({ reference = [], present }) => at(reference, 0) - at(present, 0) > 20),
      withoutAdvantage: some(({ advantage }) => advantage === 0),
      ofOneToken: some(({ present }) => present.length === 1),
      withoutRollout: some(({ rollout }) => rollout === undefined),
    };
    expect(Object.entries(counts).filter(([, count]) => count < 50)).toEqual([]);
  });
});

test.each(
  SWITCHES.filter(
    ({ importance, ratio, dualClip }) => importance === 'token' && ratio === 'token' && dualClip === 10,
  ).map(objective => [nameOf(objective), objective] as const),
)('the built-in policy has the same objective per decision: %s', async (name, objective) => {
  const batch = replies(`compact ${name}`, 64);
  const { truncation, divergence } = objective;
  const derived = await differentiate(batch, 'float32', ({ present, ...recorded }) => {
    const assessment = {
      ...{ logProbability: present, entropy: recorded.used },
      ...{ uncertainty: recorded.used, open: recorded.used },
    };
    const terms = objectiveTerms(assessment, recorded, { ...OBJECTIVE, truncation, divergence });
    return op.sub(terms.surrogate, op.mul(terms.divergence, divergence));
  });
  for (const [row, reply] of batch.entries())
    expect(
      largestError(replyWeights(reply, objective).weights, at(derived, row).weights),
      JSON.stringify(reply),
    ).toBeLessThan(1e-5);
});

describe('simple facts', () => {
  const BATCH = replies('facts', 200);
  const WITHOUT_KL = SWITCHES.filter(({ divergence }) => divergence === 0);
  const onPolicy = BATCH.map(reply => ({ ...reply, present: reply.old }));

  test('without an advantage and without KL, every weight is 0', () => {
    for (const objective of WITHOUT_KL)
      for (const reply of BATCH) {
        const { weights, gain } = replyWeights({ ...reply, advantage: 0 }, objective);
        expect(weights.every(weight => weight === 0) && gain === 0).toBe(true);
      }
  });

  test('on policy, a weight is A / T · importance, or its mean for a ratio per reply', () => {
    for (const objective of WITHOUT_KL)
      for (const reply of onPolicy) {
        const importance = importanceWeights(reply.old, reply.rollout, objective);
        const share = reply.advantage / reply.old.length;
        const mean = sum(importance) / importance.length;
        const wanted = importance.map(each => share * (objective.ratio === 'token' ? each : mean));
        const { weights, clipped } = replyWeights(reply, objective);
        expect(largestError(weights, wanted)).toBeLessThan(1e-12);
        expect(clipped).toBe(0);
      }
  });

  test('on policy, a ratio per reply only spreads the weights: their sum is the same', () => {
    for (const objective of WITHOUT_KL)
      for (const reply of onPolicy) {
        const [token, sequence] = (['token', 'sequence'] as const).map(ratio =>
          sum(replyWeights(reply, { ...objective, ratio }).weights),
        );
        expect(token).toBeCloseTo(sequence ?? Number.NaN, 12);
      }
  });

  test('KL adds nothing at the reference weights, and elsewhere pulls towards them', () => {
    const objective = { ...DART_OBJECTIVE, divergence: 0.1 };
    for (const reply of BATCH) {
      const there = { ...reply, reference: reply.present };
      const { weights } = replyWeights(there, objective);
      const without = replyWeights(there, { ...objective, divergence: 0 });
      expect(largestError(weights, without.weights)).toBe(0);
      const pulled = replyWeights({ ...reply, advantage: 0 }, objective).weights;
      for (const [token, weight] of pulled.entries()) {
        const apart = at(reply.reference ?? [], token) - at(reply.present, token);
        if (Math.abs(apart) <= MAX_LOG_RATIO) expect(Math.sign(weight)).toBe(Math.sign(apart));
        else expect(weight).toBe(0);
      }
    }
  });

  test('an importance weight is positive, at most the truncation, and 1 without a rollout', () => {
    for (const objective of SWITCHES)
      for (const { old, rollout } of BATCH) {
        const { truncation } = objective;
        expect(importanceWeights(old, undefined, objective)).toEqual(old.map(() => 1));
        for (const weight of importanceWeights(old, rollout, objective))
          expect(weight > 0 && weight <= (truncation || 1)).toBe(true);
      }
  });

  test('k3 is 0 for equal policies and positive for others', () => {
    expect(k3(0)).toBe(0);
    for (const ratio of [-30, -1, -0.01, 0.01, 1, 30]) expect(k3(ratio)).toBeGreaterThan(0);
  });

  test('a clipped token has no weight, and is counted', () => {
    const reply = { advantage: 1, present: [-1, -1], old: [-2, -1] };
    const { weights, clipped } = replyWeights(reply, { ...DART_OBJECTIVE, divergence: 0 });
    expect(weights).toEqual([0, 0.5]);
    expect(clipped).toBe(0.5);
  });
});

describe('is rejected', () => {
  const REPLY: RecordedReply = { advantage: 1, present: [-1, -2], old: [-1, -2], reference: [-1, -2] };
  test.each([
    ['old', { ...REPLY, old: [-1] }],
    ['rollout', { ...REPLY, rollout: [-1, -2, -3] }],
    ['reference', { ...REPLY, reference: [] }],
  ])('a list of another length: %s', (name, reply) => {
    expect(() => replyWeights(reply, DART_OBJECTIVE)).toThrow(`'${name}'`);
  });

  test('a reply without reference, if the objective has KL', () => {
    const { reference: _, ...reply } = REPLY;
    expect(() => replyWeights(reply, DART_OBJECTIVE)).toThrow('β = 0.1');
  });
});
