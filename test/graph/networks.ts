// Small networks that several tests train.

import { seeded } from '../../runtime/core/rng.ts';
import type { AdamOptions } from '../../runtime/graph/adam.ts';
import { Graph, type Value } from '../../runtime/graph/graph.ts';
import * as initial from '../../runtime/graph/initial.ts';
import { linear, norm } from '../../runtime/graph/layers.ts';
import { initialWeights, layoutOf, WEIGHTS } from '../../runtime/graph/layout.ts';
import * as op from '../../runtime/graph/ops/index.ts';
import { type Tensor, type Tensors, tensor } from '../../runtime/graph/tensor.ts';

export interface Network {
  readonly graph: Graph;
  readonly outputs: Readonly<Record<string, Value>>;
  readonly loss: Value;
}

export const ADAM: AdamOptions = {
  learningRate: { peak: 0.01 },
  weightDecay: 0.01,
  clipNorm: 1,
};

const random = (seed: string) => {
  const source = seeded(seed);
  return () => source.next();
};

/** Between -1 and 1. */
export const numbers = (seed: string, dims: readonly number[]): Tensor => {
  const next = random(seed);
  const count = dims.reduce((product, dim) => product * dim, 1);
  return tensor(
    'float32',
    dims,
    Float32Array.from({ length: count }, () => 2 * next() - 1),
  );
};

export const startingWeights = ({ graph }: Network, seed = 'weights'): Tensors => ({
  [WEIGHTS]: tensor('float32', [layoutOf(graph).size], initialWeights(graph, random(seed))),
});

/** A smooth activation: its finite differences have no kink. */
const smooth = (x: Value): Value => op.div(x, op.add(1, op.exp(op.neg(x))));

/** Two layers that learn a function of two numbers. */
export function perceptron(): Network {
  const graph = new Graph();
  const x = graph.input('x', 'float32', ['B', 2]);
  const wanted = graph.input('wanted', 'float32', ['B', 1]);
  const y = linear(graph, smooth(linear(graph, x, 'first', 8)), 'second', 1);
  return { graph, outputs: { y }, loss: op.reduceMean(op.square(op.sub(y, wanted))) };
}

export const perceptronFeeds = (seed: string, size = 8): Tensors => {
  const x = numbers(seed, [size, 2]);
  const wanted = Float32Array.from(
    { length: size },
    (_, row) => Number(x.data[2 * row]) * Number(x.data[2 * row + 1]),
  );
  return { x, wanted: tensor('float32', [size, 1], wanted) };
};

/** A little of everything: patches of a picture, attention, an embedding, a pointer. */
export function reader(): Network {
  const graph = new Graph();
  const image = graph.input('image', 'float32', ['B', 3, 8, 8]);
  const squares = op.transpose(op.reshape(image, ['B', 12, 16]), [0, 2, 1]);
  const patches = smooth(linear(graph, squares, 'patch', 6));
  const table = graph.parameter('table', [10, 6], initial.normal(0.5));
  const words = op.gather(table, graph.input('words', 'int32', ['B', 3]));
  const x = norm(graph, op.concat([patches, words], 1), 'norm');
  const scores = op.softmax(
    op.mul(op.matmul(linear(graph, x, 'q', 6), op.swapLast(linear(graph, x, 'k', 6))), 0.4),
  );
  const mixed = op.add(x, op.matmul(scores, linear(graph, x, 'v', 6)));
  const pointer = op.logSoftmax(op.reshape(linear(graph, mixed, 'pointer', 1), ['B', 19]));
  const taken = op.reshape(graph.input('taken', 'int32', ['B']), ['B', 1]);
  return { graph, outputs: { pointer }, loss: op.neg(op.reduceMean(op.gatherElements(pointer, taken))) };
}

export function readerFeeds(seed: string, size = 4): Tensors {
  const source = seeded(seed);
  const draw = (count: number, below: number) => Int32Array.from({ length: count }, () => source.int(below));
  return {
    image: numbers(`${seed}/image`, [size, 3, 8, 8]),
    words: tensor('int32', [size, 3], draw(3 * size, 10)),
    taken: tensor('int32', [size], draw(size, 19)),
  };
}

export const floats = (tensors: Tensors, name: string): readonly number[] => {
  const found = tensors[name];
  if (found === undefined) throw new Error(`There is no '${name}' among ${Object.keys(tensors)}.`);
  return Array.from(found.data, Number);
};
