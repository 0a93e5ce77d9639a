// Accumulated gradients and the Adam step on them, against the training program.

import { expect, onTestFinished, test } from 'vitest';
import { seeded } from '../../runtime/core/rng.ts';
import { BETA1, BETA2, EPSILON } from '../../runtime/graph/adam.ts';
import { Graph, type Value } from '../../runtime/graph/graph.ts';
import { normal } from '../../runtime/graph/initial.ts';
import { initialWeights, layoutOf } from '../../runtime/graph/layout.ts';
import * as op from '../../runtime/graph/ops/index.ts';
import {
  accumulatingProgram,
  adamProgram,
  type Program,
  trainingProgram,
} from '../../runtime/graph/program.ts';
import { openSession, type Session } from '../../runtime/graph/session.ts';
import { type Tensors, tensor, tensorNamed, tensorValue } from '../../runtime/graph/tensor.ts';
import { runtime } from './differences.ts';

const ROWS = 6;

function network(): { readonly graph: Graph; readonly loss: Value } {
  const graph = new Graph();
  const x = graph.input('x', 'float32', ['B', 3]);
  const matrix = graph.parameter('matrix', [3, 4], normal(0.7));
  const vector = graph.parameter('vector', [4], normal(0.3));
  const wide = op.add(op.matmul(x, matrix), vector);
  return { graph, loss: op.reduceSum(op.square(op.relu(wide))) };
}

const firstWeights = () => {
  const random = seeded('accumulate');
  return initialWeights(network().graph, () => random.next());
};

async function opened(program: Program): Promise<Session> {
  const session = await openSession(runtime, program);
  onTestFinished(() => session.close());
  return session;
}

const flat = (data: Float32Array<ArrayBuffer>) => tensor('float32', [data.length], data);

function rows(from: number, to: number): Tensors {
  const random = seeded('rows');
  const all = Float32Array.from({ length: ROWS * 3 }, () => random.next() - 0.5);
  return { x: tensor('float32', [to - from, 3], all.slice(from * 3, to * 3)) };
}

const numbers = (state: Tensors, name: string): number[] => Array.from(tensorNamed(state, name).data, Number);

async function gradientOf(
  session: Session,
  parts: readonly (readonly [number, number])[],
): Promise<number[]> {
  const weights = firstWeights();
  await session.write({ weights: flat(weights), gradient: flat(new Float32Array(weights.length)) });
  for (const [from, to] of parts) await session.run(rows(from, to));
  return numbers(await session.read(['gradient']), 'gradient');
}

test('runs add their gradients, whatever the split', async () => {
  const { graph, loss } = network();
  const session = await opened(accumulatingProgram(graph, loss));
  const whole = await gradientOf(session, [[0, ROWS]]);
  const split = await gradientOf(session, [
    [0, 2],
    [2, 3],
    [3, ROWS],
  ]);
  expect(Math.max(...whole.map(Math.abs))).toBeGreaterThan(0.1);
  for (const [index, each] of whole.entries()) expect(split[index]).toBeCloseTo(each, 5);
});

test('runs leave the weights as they are', async () => {
  const { graph, loss } = network();
  const session = await opened(accumulatingProgram(graph, loss));
  await gradientOf(session, [[0, ROWS]]);
  expect(numbers(await session.read(['weights']), 'weights')).toEqual([...firstWeights()]);
});

const scalar = (value: number) => tensor('float64', [], Float64Array.of(value));
const settings = ({ rate = 0.01, decay = 0, clip = 0 } = {}) => ({
  ...{ learning_rate: scalar(rate), beta1: scalar(BETA1), beta2: scalar(BETA2), epsilon: scalar(EPSILON) },
  ...{ weight_decay: scalar(decay), clip_norm: scalar(clip) },
});

test.each([
  ['plain', {}, {}],
  ['with decay', { decay: 0.1 }, { weightDecay: 0.1 }],
  ['with a limit of the norm', { clip: 0.5 }, { clipNorm: 0.5 }],
])('steps on accumulated gradients equal steps of the training program: %s', async (_, fed, options) => {
  const { graph, loss } = network();
  const accumulating = await opened(accumulatingProgram(graph, loss));
  const stepping = await opened(adamProgram(layoutOf(graph)));
  const other = network();
  const training = await opened(
    trainingProgram(other.graph, other.loss, { learningRate: { peak: 0.01 }, ...options }),
  );
  let weights = firstWeights();
  await training.write({ weights: flat(weights) });
  await stepping.write({ weights: flat(weights) });
  for (let step = 0; step < 4; step++) {
    await accumulating.write({ weights: flat(weights), gradient: flat(new Float32Array(weights.length)) });
    await accumulating.run(rows(0, 3));
    await accumulating.run(rows(3, ROWS));
    const { gradient } = await accumulating.read(['gradient']);
    if (gradient === undefined) throw new RangeError('The program has no gradient.');
    const { grad_norm, applied } = await stepping.run({ gradient, ...settings(fed) });
    const expected = await training.run(rows(0, ROWS));
    weights = Float32Array.from(numbers(await stepping.read(['weights']), 'weights'));
    expect(applied?.data[0]).toBe(1);
    expect(Number(grad_norm?.data[0])).toBeCloseTo(tensorValue(tensorNamed(expected, 'grad_norm'), 0), 4);
    const trained = numbers(await training.read(['weights']), 'weights');
    for (const [index, each] of trained.entries()) expect(weights[index]).toBeCloseTo(each, 5);
  }
});

test('a step with a gradient that is not finite changes nothing', async () => {
  const { graph } = network();
  const session = await opened(adamProgram(layoutOf(graph)));
  const weights = firstWeights();
  await session.write({ weights: flat(weights) });
  const gradient = flat(new Float32Array(weights.length).fill(Number.NaN));
  const { applied } = await session.run({ gradient, ...settings() });
  expect(applied?.data[0]).toBe(0);
  const state = await session.read();
  expect(numbers(state, 'weights')).toEqual([...weights]);
  expect(
    [numbers(state, 'adam.mean'), numbers(state, 'adam.variance')].flat().every(each => each === 0),
  ).toBe(true);
  expect(numbers(state, 'adam.step')).toEqual([0]);
});

test('equals AdamW in plain numbers for other settings', async () => {
  const { graph } = network();
  const layout = layoutOf(graph);
  const session = await opened(adamProgram(layout));
  const weights = firstWeights();
  await session.write({ weights: flat(weights) });
  const [rate, beta1, beta2, epsilon, decay] = [0.003, 0.8, 0.95, 1e-12, 0.02];
  const random = seeded('settings');
  let plain = Array.from(weights, weight => ({ weight, mean: 0, variance: 0 }));
  for (let step = 1; step <= 5; step++) {
    const gradient = Float32Array.from(weights, () => random.next() - 0.5);
    await session.run({
      ...{
        gradient: flat(gradient),
        learning_rate: scalar(rate),
        beta1: scalar(beta1),
        beta2: scalar(beta2),
      },
      ...{ epsilon: scalar(epsilon), weight_decay: scalar(decay), clip_norm: scalar(0) },
    });
    plain = plain.map((each, index) => {
      const slope = gradient[index] ?? 0;
      const mean = beta1 * each.mean + (1 - beta1) * slope;
      const variance = beta2 * each.variance + (1 - beta2) * slope ** 2;
      const direction = mean / (1 - beta1 ** step) / (Math.sqrt(variance / (1 - beta2 ** step)) + epsilon);
      const shrunk = index < layout.decayed ? each.weight * (1 - rate * decay) : each.weight;
      return { weight: shrunk - rate * direction, mean, variance };
    });
  }
  const state = await session.read();
  for (const [index, { weight, mean }] of plain.entries()) {
    expect(numbers(state, 'weights')[index]).toBeCloseTo(weight, 5);
    expect(numbers(state, 'adam.mean')[index]).toBeCloseTo(mean, 5);
  }
});
