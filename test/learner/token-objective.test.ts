// The weights of the token objective, against automatic differentiation of the same formula in graph operations.

import { describe, expect, test } from 'vitest';
import { OBJECTIVE, objectiveTerms } from '../../runtime/agents/compact/objective.ts';
import { at } from '../../runtime/core/at.ts';
import { type Random, seeded } from '../../runtime/core/rng.ts';
import { sum } from '../../runtime/core/sum.ts';
import { gradients } from '../../runtime/graph/gradient.ts';
import { Graph, type Value } from '../../runtime/graph/graph.ts';
import { only } from '../../runtime/graph/operation.ts';
import * as op from '../../runtime/graph/ops/index.ts';
import { forwardProgram } from '../../runtime/graph/program.ts';
import { openSession } from '../../runtime/graph/session.ts';
import { type Tensor, tensor, tensorNamed, tensorValue } from '../../runtime/graph/tensor.ts';
import {
  DART_OBJECTIVE,
  importanceWeights,
  k3,
  MAX_LOG_RATIO,
  type RecordedReply,
  replyWeights,
  type TokenObjective,
} from '../../runtime/learner/token-objective.ts';
import { runtime } from '../graph/differences.ts';

const LENGTH = 6;
const NAMES = ['present', 'old', 'rollout', 'reference', 'used'] as const;

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

/** The formula once more, as graph operations on a table of tokens, in the type of `present`. */
function gainOf(
  table: Readonly<Record<(typeof NAMES)[number] | 'advantage', Value>>,
  objective: TokenObjective,
): Value {
  const { present, old, rollout, reference, used } = table;
  const advantage = op.unsqueeze(table.advantage, 1);
  const total = (value: Value) => op.reduceSum(op.mul(value, used), [1], { keepDims: true });
  const count = total(used);
  const limited = (value: Value) => op.clip(value, -MAX_LOG_RATIO, MAX_LOG_RATIO);

  const logRatios = op.sub(present, old);
  const logRatio = objective.ratio === 'token' ? logRatios : op.div(total(logRatios), count);
  const ratio = op.exp(limited(logRatio));
  const clipped = op.clip(ratio, 1 - objective.clipLow, 1 + objective.clipHigh);
  const least = op.min(op.mul(ratio, advantage), op.mul(clipped, advantage));
  const surrogate = Number.isFinite(objective.dualClip)
    ? op.where(op.less(advantage, 0), op.max(least, op.mul(advantage, objective.dualClip)), least)
    : least;

  const apart = op.sub(old, rollout);
  const importance = op.exp(limited(objective.importance === 'token' ? apart : total(apart)));
  const aligned =
    objective.truncation > 0 ? op.mul(op.min(importance, objective.truncation), surrogate) : surrogate;

  const fromReference = limited(op.sub(reference, present));
  const divergence = op.sub(op.sub(op.exp(fromReference), fromReference), 1);
  const terms = op.sub(op.mul(aligned, used), op.mul(op.mul(divergence, used), objective.divergence));
  return op.reduceSum(op.div(op.reduceSum(terms, [1], { keepDims: true }), count), [1]);
}

/** A row for each reply, padded; a missing rollout is equal to π_old. */
function feedsOf(batch: readonly RecordedReply[], dtype: 'float32' | 'float64') {
  const made = (dims: readonly number[], numbers: readonly number[]): Tensor =>
    tensor(dtype, dims, dtype === 'float32' ? Float32Array.from(numbers) : Float64Array.from(numbers));
  const table = (of: (reply: RecordedReply, token: number) => number) =>
    made(
      [batch.length, LENGTH],
      batch.flatMap(reply =>
        Array.from({ length: LENGTH }, (_, token) => (token < reply.present.length ? of(reply, token) : 0)),
      ),
    );
  return {
    advantage: made(
      [batch.length],
      batch.map(({ advantage }) => advantage),
    ),
    present: table(({ present }, token) => at(present, token)),
    old: table(({ old }, token) => at(old, token)),
    rollout: table(({ rollout, old }, token) => at(rollout ?? old, token)),
    reference: table(({ reference, old }, token) => at(reference ?? old, token)),
    used: table(() => 1),
  };
}

function inputsOf(graph: Graph, dtype: 'float32' | 'float64') {
  const table = (name: (typeof NAMES)[number]) => graph.input(name, dtype, ['B', LENGTH]);
  return {
    advantage: graph.input('advantage', dtype, ['B']),
    ...{ present: table('present'), old: table('old'), rollout: table('rollout') },
    ...{ reference: table('reference'), used: table('used') },
  };
}

interface Differentiated {
  readonly gain: number;
  readonly weights: readonly number[];
}

async function differentiate(
  batch: readonly RecordedReply[],
  dtype: 'float32' | 'float64',
  gainsOf: (inputs: ReturnType<typeof inputsOf>) => Value,
): Promise<readonly Differentiated[]> {
  const graph = new Graph();
  const inputs = inputsOf(graph, dtype);
  const gains = gainsOf(inputs);
  const derivative = only(gradients(op.reduceSum(gains), [inputs.present]));
  const program = forwardProgram(graph, { gains, derivative });
  const session = await openSession(runtime, program);
  try {
    // A feed that this formula does not use is not an input of its program.
    const used = new Set(program.feeds.map(({ name }) => name));
    const feeds = Object.entries(feedsOf(batch, dtype)).filter(([name]) => used.has(name));
    const outputs = await session.run(Object.fromEntries(feeds));
    return batch.map(({ present }, row) => ({
      gain: tensorValue(tensorNamed(outputs, 'gains'), row),
      weights: present.map((_, token) =>
        tensorValue(tensorNamed(outputs, 'derivative'), row * LENGTH + token),
      ),
    }));
  } finally {
    await session.close();
  }
}

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
        [10, Infinity].map(dualClip => ({
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
