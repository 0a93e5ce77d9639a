// The optimiser inside the graph, against the same formulas in plain numbers.

import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { type AdamOptions, BETA1, BETA2, EPSILON } from '../../runtime/graph/adam.ts';
import { Graph, type Value } from '../../runtime/graph/graph.ts';
import { constant } from '../../runtime/graph/initial.ts';
import * as op from '../../runtime/graph/ops/index.ts';
import { trainingProgram } from '../../runtime/graph/program.ts';
import { openSession } from '../../runtime/graph/session.ts';
import { tensor } from '../../runtime/graph/tensor.ts';
import { runtime } from './differences.ts';
import { floats } from './networks.ts';

const MATRIX = 6;
const VECTOR = 3;
const SIZE = MATRIX + VECTOR;

/** A network whose gradient is whatever is fed: the loss is the product of weights and that gradient. */
async function trainer(options: AdamOptions) {
  const graph = new Graph();
  const matrix = graph.parameter('matrix', [2, 3], constant(0));
  const vector = graph.parameter('vector', [3], constant(0));
  const gradient = graph.input('gradient', 'float32', [SIZE]);
  const flat = op.concat([op.flatten(matrix), vector], 0);
  const session = await openSession(
    runtime,
    trainingProgram(graph, op.reduceSum(op.mul(flat, gradient)), options),
  );
  onTestFinished(() => session.close());
  return session;
}

interface Plain {
  readonly weights: readonly number[];
  readonly mean: readonly number[];
  readonly variance: readonly number[];
  readonly step: number;
}

function plainStep(state: Plain, gradient: readonly number[], options: AdamOptions): Plain {
  const { learningRate, weightDecay = 0, clipNorm = Infinity } = options;
  const step = state.step + 1;
  const norm = Math.hypot(...gradient);
  const clipped = gradient.map(each => each * Math.min(1, clipNorm / (norm + 1e-6)));
  const mean = state.mean.map((each, at) => BETA1 * each + (1 - BETA1) * (clipped[at] ?? 0));
  const variance = state.variance.map((each, at) => BETA2 * each + (1 - BETA2) * (clipped[at] ?? 0) ** 2);
  const rate = learningRate.peak;
  const weights = state.weights.map((weight, at) => {
    const direction =
      (mean[at] ?? 0) /
      (1 - BETA1 ** step) /
      (Math.sqrt((variance[at] ?? 0) / (1 - BETA2 ** step)) + EPSILON);
    return weight - rate * direction - (at < MATRIX ? rate * weightDecay * weight : 0);
  });
  return { weights, mean, variance, step };
}

const options: fc.Arbitrary<AdamOptions> = fc.record(
  {
    learningRate: fc.record({ peak: fc.constantFrom(0.1, 0.003) }),
    weightDecay: fc.constantFrom(0, 0.1),
    clipNorm: fc.constantFrom(0.5, 100),
  },
  { requiredKeys: ['learningRate'] },
);

const number = fc.integer({ min: -40, max: 40 }).map(each => each / 10);
const vector = fc.array(number, { minLength: SIZE, maxLength: SIZE });

test('ten steps with random options match the plain formulas', async () => {
  await fc.assert(
    fc.asyncProperty(
      options,
      vector,
      fc.array(vector, { minLength: 10, maxLength: 10 }),
      async (chosen, start, gradients) => {
        const session = await trainer(chosen);
        await session.write({ weights: tensor('float32', [SIZE], Float32Array.from(start)) });
        const none = new Array<number>(SIZE).fill(0);
        let plain: Plain = { weights: start, mean: none, variance: none, step: 0 };
        for (const gradient of gradients) {
          const outputs = await session.run({
            gradient: tensor('float32', [SIZE], Float32Array.from(gradient)),
          });
          plain = plainStep(plain, gradient, chosen);
          expect(floats(outputs, 'grad_norm')[0]).toBeCloseTo(Math.hypot(...gradient), 4);
          expect(floats(outputs, 'learning_rate')[0]).toBeCloseTo(chosen.learningRate.peak, 6);
        }
        const state = await session.read();
        expect(floats(state, 'adam.step')).toEqual([10]);
        floats(state, 'weights').forEach((weight, at) => {
          expect(weight).toBeCloseTo(plain.weights[at] ?? Number.NaN, 4);
        });
      },
    ),
    { numRuns: 40 },
  );
});

test.each([
  ['not a number', Number.NaN],
  ['infinite', Infinity],
  ['so large that its norm overflows', 3e38],
])('a gradient that is %s is refused and changes nothing', async (_what, bad) => {
  const session = await trainer({ learningRate: { peak: 0.1 }, clipNorm: 1 });
  await session.write({ weights: tensor('float32', [SIZE], new Float32Array(SIZE).fill(0.5)) });
  await session.run({ gradient: tensor('float32', [SIZE], new Float32Array(SIZE).fill(0.1)) });
  const before = await session.read();
  const outputs = await session.run({
    gradient: tensor('float32', [SIZE], new Float32Array(SIZE).fill(bad)),
  });
  expect(floats(outputs, 'applied')).toEqual([0]);
  expect(await session.read()).toEqual(before);
});

/** One weight under any loss. */
async function oneWeight(
  loss: (w: Value, x: Value) => Value,
  start: number,
  options: Partial<AdamOptions> = {},
) {
  const graph = new Graph();
  const w = graph.parameter('w', [1], constant(0));
  const x = graph.input('x', 'float32', [1]);
  const program = trainingProgram(graph, op.reduceSum(loss(w, x)), {
    learningRate: { peak: 0.1 },
    ...options,
  });
  const session = await openSession(runtime, program);
  onTestFinished(() => session.close());
  await session.write({ weights: tensor('float32', [1], Float32Array.of(start)) });
  return {
    session,
    step: (number: number) => session.run({ x: tensor('float32', [1], Float32Array.of(number)) }),
  };
}

test('rejects a non-finite loss with a finite gradient', async () => {
  const { session, step } = await oneWeight((w, x) => op.add(w, op.stopGradient(op.log(x))), 1);
  expect(floats(await step(-1), 'applied')).toEqual([0]);
  expect(floats(await session.read(), 'weights')).toEqual([1]);
  expect(floats(await step(1), 'applied')).toEqual([1]);
});

test('rejects a non-finite gradient with a finite loss', async () => {
  const { session, step } = await oneWeight((w, x) => op.mul(op.sqrt(w), x), 0);
  expect(floats(await step(1), 'applied')).toEqual([0]);
  expect(floats(await session.read(), 'weights')).toEqual([0]);
});

test('rejects a step that would make weights NaN', async () => {
  const { session, step } = await oneWeight((w, x) => op.mul(w, x), 1);
  const negative = tensor('float32', [1], Float32Array.of(-1));
  await session.write({ 'adam.variance': negative, 'adam.step': tensor('int64', [], BigInt64Array.of(5n)) });
  expect(floats(await step(0.01), 'applied')).toEqual([0]);
  expect(floats(await session.read(), 'weights')).toEqual([1]);
});

test('the bias correction uses float64', async () => {
  const { session, step } = await oneWeight((w, x) => op.mul(w, x), 1);
  await step(0.5);
  // The length of the first step of Adam is the learning rate, for a gradient of any size.
  expect(floats(await session.read(), 'weights')[0]).toBeCloseTo(0.9, 6);
});

test.each<[string, Partial<AdamOptions>]>([
  ['learningRate.peak', { learningRate: { peak: Number.NaN } }],
  ['learningRate.peak', { learningRate: { peak: 1e39 } }],
  ['weightDecay', { weightDecay: Number.NaN }],
  ['clipNorm', { clipNorm: -1 }],
])('an odd %s is refused by name', async (name, odd) => {
  await expect(trainer({ learningRate: { peak: 0.1 }, ...odd })).rejects.toThrow(`Adam's ${name} is `);
});

test('a fed rate factor applies to that run only', async () => {
  const gradient = tensor('float32', [SIZE], new Float32Array(SIZE).fill(0.1));
  const fed = await trainer({ learningRate: { peak: 0.2, fed: true } });
  const plain = await trainer({ learningRate: { peak: 0.1 } });
  for (const session of [fed, plain])
    await session.write({ weights: tensor('float32', [SIZE], new Float32Array(SIZE).fill(0.5)) });
  const half = tensor('float32', [], Float32Array.of(0.5));
  for (let step = 0; step < 4; step++) {
    await fed.run({ gradient, rate: half });
    await plain.run({ gradient });
  }
  expect(floats(await fed.read(), 'weights')).toEqual(floats(await plain.read(), 'weights'));
  const none = tensor('float32', [], Float32Array.of(0));
  const before = floats(await fed.read(), 'weights');
  await fed.run({ gradient, rate: none });
  expect(floats(await fed.read(), 'weights')).toEqual(before);
});
