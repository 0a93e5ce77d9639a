// Every operation's gradient, against central finite differences over random shapes, with broadcasting.

import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { gradients } from '../../runtime/graph/gradient.ts';
import { Graph, type Value } from '../../runtime/graph/graph.ts';
import { layoutOf, WEIGHTS } from '../../runtime/graph/layout.ts';
import { only } from '../../runtime/graph/operation.ts';
import * as op from '../../runtime/graph/ops/index.ts';
import { forwardProgram } from '../../runtime/graph/program.ts';
import { openSession } from '../../runtime/graph/session.ts';
import { broadcast } from '../../runtime/graph/shape.ts';
import { type Tensors, tensor } from '../../runtime/graph/tensor.ts';
import { type Build, gradientError, runtime } from './differences.ts';
import { floats, numbers, reader, readerFeeds, startingWeights } from './networks.ts';

const BATCH = 5;
type Dims = readonly number[];

const size = fc.integer({ min: 1, max: 4 });
const dims = (min: number, max: number) => fc.array(size, { minLength: min, maxLength: max });
/** One shape; its first axis is sometimes a symbol. */
const one = (min = 0, max = 4): fc.Arbitrary<Dims[]> => batched(dims(min, max).map(shape => [shape]));
/** Two shapes that fit each other, each with some axes missing or of size one. */
const fitting = (min = 0): fc.Arbitrary<Dims[]> =>
  batched(
    fc
      .record({
        whole: dims(min, 4),
        drop: fc.nat(3),
        ones: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
        swap: fc.boolean(),
      })
      .map(({ whole, drop, ones, swap }) => {
        const other = whole.map((dim, axis) => (ones[axis] ? 1 : dim)).slice(drop);
        return swap ? [other, whole] : [whole, other];
      }),
  );
const batched = (shapes: fc.Arbitrary<Dims[]>): fc.Arbitrary<Dims[]> =>
  fc.tuple(shapes, fc.boolean()).map(([all, batch]) => {
    const rank = Math.max(...all.map(shape => shape.length));
    return batch && rank > 0
      ? all.map(shape => (shape.length === rank ? [BATCH, ...shape.slice(1)] : shape))
      : all;
  });

/** Numbers a clear step apart from one another and from zero, so that no kink lies within a finite difference. */
const spaced = (scale: number, offset: number) => (count: number, order: readonly number[]) => {
  const places = Array.from({ length: count }, (_, index) => index);
  places.sort(
    (a, b) =>
      (order[a % order.length] ?? 0) * Math.sin(a + 1) - (order[b % order.length] ?? 0) * Math.sin(b + 1),
  );
  return places.map(place => offset + (scale * (place + 0.5 - count / 2)) / Math.max(count, 8));
};
const around = spaced(4, 0.013);
const positive = spaced(2, 1.6);

interface Case {
  readonly shapes: fc.Arbitrary<Dims[]>;
  readonly build: Build;
  readonly numbers?: typeof around;
  readonly dtype?: 'float32';
  readonly tolerance?: number;
}

const unary = (build: op.Unary, rest: Partial<Case> = {}): Case => ({
  shapes: one(),
  build,
  ...rest,
});
const binary = (build: op.Binary, rest: Partial<Case> = {}): Case => ({
  shapes: fitting(),
  build,
  ...rest,
});
const index = (x: Value, shape: Dims, below: number) =>
  x.graph.constant(
    'int64',
    shape,
    Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, at) => (at * 7 + 3) % below),
  );

/** The derivative of a value's sum of cubes, so that the second derivative depends on the first. */
const derivative = (y: Value, x: Value): Value => only(gradients(op.reduceSum(op.mul(op.square(y), y)), [x]));

const CASES: Readonly<Record<string, Case>> = {
  add: binary(op.add),
  sub: binary(op.sub),
  mul: binary(op.mul),
  div: binary(op.div, { numbers: positive }),
  pow: binary(op.pow, { numbers: positive }),
  min: binary(op.min),
  max: binary(op.max),
  'a value with itself': unary(x => op.mul(op.add(x, x), x)),
  'a plain number beside a value': unary(x => op.div(1, op.add(op.mul(2, x), 7))),
  neg: unary(op.neg),
  sqrt: unary(op.sqrt, { numbers: positive }),
  exp: unary(op.exp),
  log: unary(op.log, { numbers: positive }),
  relu: unary(op.relu),
  cast: unary(x => op.cast(op.exp(op.cast(x, 'float32')), 'float64'), {
    shapes: fc.constant([[3]]),
    dtype: 'float32',
  }),
  clip: unary(x => op.clip(x, -0.7001, 0.9001)),
  where: {
    shapes: fitting(),
    build: (a, b) => op.where(op.less(a, b), op.exp(a), op.mul(b, 3)),
  },
  reduceSum: { shapes: one(2), build: x => op.reduceSum(op.exp(x), [-1]) },
  'reduceSum over several axes': {
    shapes: one(3),
    build: x => op.reduceSum(op.exp(x), [0, 2], { keepDims: true }),
  },
  reduceMean: { shapes: one(2), build: x => op.reduceMean(op.exp(x), [0]) },
  'reduceMean of everything': { shapes: one(1), build: x => op.reduceMean(op.exp(x)) },
  reduceMax: { shapes: one(2), build: x => op.reduceMax(op.exp(x), [1]) },
  cumulativeSum: { shapes: one(2), build: x => op.cumulativeSum(op.exp(x), 1) },
  'cumulativeSum from the end': { shapes: one(2), build: x => op.cumulativeSum(op.exp(x), 0, true) },
  reduceSumSquare: { shapes: one(1), build: x => op.reduceSumSquare(x, [-1]) },
  softmax: { shapes: one(1), build: x => op.softmax(x) },
  'softmax along an inner axis': { shapes: one(3), build: x => op.softmax(x, 1) },
  logSoftmax: { shapes: one(1), build: x => op.logSoftmax(x) },
  layerNormalization: {
    shapes: batched(
      fc
        .tuple(dims(1, 3), fc.integer({ min: 2, max: 4 }))
        .map(([outer, last]) => [[...outer, last], [last], [last]]),
    ),
    build: (x, gain, bias) => op.layerNormalization(x, gain, bias),
  },
  'layerNormalization with a larger epsilon': {
    shapes: fc.constant([[3, 4], [4], [4]]),
    build: (x, gain, bias) => op.layerNormalization(x, gain, bias, 0.1),
  },
  'the gradient of layerNormalization': {
    shapes: fc.constant([[2, 3], [3], [3]]),
    build: (x, gain, bias) => op.mul(derivative(op.layerNormalization(x, gain, bias, 0.1), x), x),
    tolerance: 1e-4, // third derivatives are steep
  },
  'where under a wider condition': {
    shapes: fc.constant([[4], [1]]),
    build: (a, b) => op.where(a.graph.constant('bool', [2, 4], [1, 0, 0, 1, 0, 1, 1, 0]), op.exp(a), b),
  },
  'matmul of matrices': {
    shapes: batched(
      fc.tuple(size, size, size).map(([n, k, m]) => [
        [n, k],
        [k, m],
      ]),
    ).filter(([, b]) => b?.[0] !== BATCH),
    build: (a, b) => op.matmul(a, b),
  },
  'matmul with one matrix for a batch': {
    shapes: batched(
      fc.tuple(dims(1, 2), size, size, size).map(([outer, n, k, m]) => [
        [...outer, n, k],
        [k, m],
      ]),
    ),
    build: (a, b) => op.matmul(a, b),
  },
  'matmul of two batches that broadcast': {
    shapes: fc.tuple(fitting(1), size, size, size).map(([[a, b], n, k, m]) => [
      [...(a ?? []).slice(-2), n, k],
      [...(b ?? []).slice(-2), k, m],
    ]),
    build: (a, b) => op.matmul(a, b),
  },
  ...Object.fromEntries(
    [0, 1, 2, 3].map(bits => {
      const [transA, transB] = [Boolean(bits & 1), Boolean(bits & 2)];
      const kind: Case = {
        shapes: fc
          .tuple(size, size, size, fc.boolean())
          .map(([n, k, m, wide]) => [
            transA ? [k, n] : [n, k],
            transB ? [m, k] : [k, m],
            wide ? [n, m] : [m],
          ]),
        build: (a, b, bias) => op.gemm(a, b, { bias: bias, transA, transB }),
      };
      return [`gemm${transA ? ' of aᵀ' : ''}${transB ? ' with bᵀ' : ''}`, kind];
    }),
  ),
  reshape: { shapes: one(2), build: x => op.reshape(op.exp(x), [-1]) },
  transpose: {
    shapes: one(3, 3),
    build: x => op.exp(op.transpose(x, [2, 0, 1])),
  },
  expandLike: {
    shapes: fitting(2)
      .map(([a = [], b = []]) => (a.length < b.length ? [b, a] : [a, b]))
      .filter(([a, b]) => broadcast(a ?? [], b ?? [])?.join() === a?.join()),
    build: (whole, part) => op.mul(op.expandLike(op.exp(part), whole), whole),
  },
  concat: {
    shapes: batched(
      fc.tuple(dims(1, 2), size, size).map(([outer, n, m]) => [
        [...outer, n],
        [...outer, m],
      ]),
    ),
    build: (a, b) => op.concat([op.exp(a), b, a], -1),
  },
  'split, with a part left unused': {
    shapes: batched(dims(1, 2).map(outer => [[...outer, 6]])),
    build: x => {
      const [first, , last] = op.split(op.exp(x), [1, 3, 2], -1);
      return op.mul(last, first);
    },
  },
  'gather rows, some of them twice': {
    shapes: dims(0, 2).map(inner => [[4, ...inner]]),
    build: x => op.exp(op.gather(x, index(x, [2, 3], 4))),
  },
  gatherElements: {
    shapes: fc.tuple(size, size).map(([outer, inner]) => [[outer, 4, inner]]),
    build: x => op.exp(op.gatherElements(x, index(x, [x?.shape[0], 3, x?.shape[2]] as Dims, 4), 1)),
  },
};

describe('the gradient agrees with finite differences', () => {
  test.each(Object.entries(CASES))('%s', async (_name, { shapes, build, numbers = around, ...precision }) => {
    await fc.assert(
      fc.asyncProperty(
        shapes,
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 9 }),
        async (all, order) => {
          const error = await gradientError({
            build,
            shapes: all,
            numbers: count => numbers(count, order),
            symbol: BATCH,
            ...precision,
          });
          expect(error, 'in units of the tolerance').toBeLessThan(1);
        },
      ),
      { numRuns: 40 },
    );
  });
});

test('the gradient of a network predicts the directional derivative of the loss', async () => {
  const network = reader();
  const parameters = network.graph.parameters.map(parameter => parameter.value);
  const slopes = gradients(network.loss, parameters);
  const outputs = Object.fromEntries(slopes.map((slope, index) => [`d${index}`, slope]));
  const session = await openSession(
    runtime,
    forwardProgram(network.graph, { loss: network.loss, ...outputs }),
  );
  onTestFinished(() => session.close());
  const layout = layoutOf(network.graph);
  const start = floats(startingWeights(network), WEIGHTS);
  const feeds = readerFeeds('batch');
  const at = async (weights: readonly number[]) => {
    await session.write({ [WEIGHTS]: tensor('float32', [layout.size], Float32Array.from(weights)) });
    return session.run(feeds);
  };
  const exact = await at(start);
  for (const seed of ['one', 'two', 'three', 'four', 'five']) {
    const direction = floats({ direction: numbers(seed, [layout.size]) }, 'direction');
    const moved = (by: number) => at(start.map((weight, index) => weight + by * (direction[index] ?? 0)));
    const rise = (floats(await moved(2e-3), 'loss')[0] ?? 0) - (floats(await moved(-2e-3), 'loss')[0] ?? 0);
    let slope = 0;
    for (const [index, { name }] of parameters.entries()) {
      const offset = layout.entries.find(entry => entry.name === name)?.offset ?? 0;
      for (const [place, each] of floats(exact, `d${index}`).entries())
        slope += each * (direction[offset + place] ?? 0);
    }
    expect(rise / 4e-3).toBeCloseTo(slope, 2);
  }
});

async function runOnce(
  graph: Graph,
  outputs: Readonly<Record<string, Value>>,
  feeds: Tensors,
): Promise<Tensors> {
  const session = await openSession(runtime, forwardProgram(graph, outputs));
  onTestFinished(() => session.close());
  return session.run(feeds);
}

test('min and max give the gradient of a tie to one operand, reduceMax shares it', async () => {
  const graph = new Graph();
  const [a, b] = [graph.input('a', 'float32', [3]), graph.input('b', 'float32', [3])];
  const slopes = (loss: Value) => gradients(loss, [a, b]);
  const [minA, minB] = slopes(op.reduceSum(op.min(a, b)));
  const [maxA, maxB] = slopes(op.reduceSum(op.max(a, b)));
  const [most] = gradients(op.reduceMax(a), [a]);
  if (!minA || !minB || !maxA || !maxB || !most) throw new Error('Every slope exists.');
  const tied = tensor('float32', [3], Float32Array.of(2, 2, 1));
  const outputs = await runOnce(graph, { minA, minB, maxA, maxB, most }, { a: tied, b: tied });
  expect(floats(outputs, 'minA')).toEqual([1, 1, 1]);
  expect(floats(outputs, 'minB')).toEqual([0, 0, 0]);
  expect(floats(outputs, 'maxA')).toEqual([1, 1, 1]);
  expect(floats(outputs, 'maxB')).toEqual([0, 0, 0]);
  expect(floats(outputs, 'most')).toEqual([0.5, 0.5, 0]);
});

test('a value whose shape has two symbols can be reshaped and differentiated', async () => {
  const graph = new Graph();
  const x = graph.input('x', 'float32', ['B', 'T', 2]);
  const [slope] = gradients(op.reduceSum(op.square(op.reshape(x, [-1, 2]))), [x]);
  if (slope === undefined) throw new Error('There is a slope.');
  const fed = numbers('x', [2, 3, 2]);
  const outputs = await runOnce(graph, { slope }, { x: fed });
  expect(outputs['slope']?.dims).toEqual([2, 3, 2]);
  floats(outputs, 'slope').forEach((each, at) => {
    expect(each).toBeCloseTo(2 * Number(fed.data[at]), 5);
  });
});

test('argMax finds the index of the maximum along any axis', async () => {
  const graph = new Graph();
  const x = graph.input('x', 'float32', [2, 3]);
  const fed = tensor('float32', [2, 3], Float32Array.of(1, 5, 2, 9, 0, 3));
  const outputs = await runOnce(graph, { rows: op.argMax(x), columns: op.argMax(x, 0) }, { x: fed });
  expect([outputs['rows']?.dims, floats(outputs, 'rows')]).toEqual([[2], [1, 0]]);
  expect([outputs['columns']?.dims, floats(outputs, 'columns')]).toEqual([[3], [1, 0, 1]]);
});

test('a gradient rule with a wrong shape or without a result raises an error that names it', () => {
  const graph = new Graph();
  const x = graph.input('x', 'float32', [2, 3]);
  const infer = () => [{ dtype: 'float32' as const, shape: [2, 3] }];
  const flat = only(
    graph.apply({ type: 'Wrong', infer, gradient: (_node, [dy]) => [dy && op.flatten(dy)] }, [x]),
  );
  expect(() => gradients(op.reduceSum(flat), [x])).toThrow(
    "Wrong#1: the gradient of Wrong with respect to 'x' is float32[6], not float32[2,3].",
  );
  const silent = only(graph.apply({ type: 'Silent', infer, gradient: () => [] }, [x]));
  expect(() => gradients(op.reduceSum(silent), [x])).toThrow(
    "Silent#1: Silent has no gradient with respect to 'x'.",
  );
  const whole = graph.input('whole', 'int32', [2]);
  expect(() => gradients(op.reduceSum(op.cast(whole, 'float32')), [whole])).toThrow("'whole' is int32");
  const stopped = op.stopGradient(x);
  expect(gradients(op.reduceSum(op.square(stopped)), [stopped])).toHaveLength(1);
});
