// Initialisers and layers.

import { expect, onTestFinished, test } from 'vitest';
import { seeded } from '../../runtime/core/rng.ts';
import { Graph } from '../../runtime/graph/graph.ts';
import * as initial from '../../runtime/graph/initial.ts';
import { linear, norm } from '../../runtime/graph/layers.ts';
import { initialWeights, layoutOf, pack, unpack, WEIGHTS } from '../../runtime/graph/layout.ts';
import { forwardProgram } from '../../runtime/graph/program.ts';
import { openSession } from '../../runtime/graph/session.ts';
import { tensor } from '../../runtime/graph/tensor.ts';
import { runtime } from './differences.ts';
import { floats, numbers } from './networks.ts';

const source = seeded('layers');
const random = () => source.next();
const deviation = (numbers: Float32Array): number => {
  const mean = numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
  return Math.sqrt(numbers.reduce((sum, each) => sum + (each - mean) ** 2, 0) / numbers.length);
};

test.each([
  ['normal', initial.normal(0.3), [100, 100], 0.3],
  ['fanIn of a matrix', initial.fanIn(2), [25, 400], 2 / 5],
  ['constant', initial.constant(7), [100], 0],
] as const)('%s spreads its numbers as it says', (_name, start, dims, wanted) => {
  const drawn = start(dims, random);
  expect(drawn.length).toBe(dims.reduce((product: number, dim) => product * dim, 1));
  expect(deviation(drawn)).toBeCloseTo(wanted, 2);
});

test.each([[['B', 3]], [['B', 'T', 3]]] as const)(
  'a linear layer over %j is a product and a sum, whatever axes stand before',
  async shape => {
    const graph = new Graph();
    const y = linear(graph, graph.input('x', 'float32', shape), 'layer', 2);
    expect(y.shape).toEqual([...shape.slice(0, -1), 2]);
    const session = await openSession(runtime, forwardProgram(graph, { y }));
    onTestFinished(() => session.close());
    const w = [1, 2, 3, 4, 5, 6];
    const flat = pack(layoutOf(graph), {
      'layer.w': tensor('float32', [3, 2], Float32Array.from(w)),
      'layer.b': tensor('float32', [2], Float32Array.of(0.5, -0.5)),
    });
    await session.write({ [WEIGHTS]: tensor('float32', [8], flat) });
    const dims = shape.map(dim => (typeof dim === 'number' ? dim : 2));
    const x = numbers('x', dims);
    const result = floats(await session.run({ x }), 'y');
    for (let row = 0; row < x.data.length / 3; row++) {
      for (const column of [0, 1]) {
        const sum = [0, 1, 2].reduce(
          (total, at) => total + Number(x.data[3 * row + at]) * (w[2 * at + column] ?? 0),
          0,
        );
        expect(result[2 * row + column]).toBeCloseTo(sum + (column === 0 ? 0.5 : -0.5), 5);
      }
    }
  },
);

test('a norm starts with gain 1 and bias 0', () => {
  const graph = new Graph();
  norm(graph, graph.input('x', 'float32', ['B', 4]), 'norm');
  const weights = unpack(layoutOf(graph), initialWeights(graph, random));
  expect(floats(weights, 'norm.g')).toEqual([1, 1, 1, 1]);
  expect(floats(weights, 'norm.b')).toEqual([0, 0, 0, 0]);
});

test('rejects an unknown width and initial numbers of the wrong length', () => {
  const graph = new Graph();
  expect(() => linear(graph, graph.input('x', 'float32', [2, 'B']), 'layer', 2)).toThrow(
    "'x' [2,B] must have a known size",
  );
  graph.parameter('short', [3], () => new Float32Array(2));
  expect(() => initialWeights(graph, random)).toThrow("The initial numbers of 'short' [3] do not fit");
  const lying = { dtype: 'float32', dims: [3], data: new Float32Array(1) } as const;
  expect(() => pack(layoutOf(graph), { short: lying })).toThrow("The tensor 'short' does not fit");
});
