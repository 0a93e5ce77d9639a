// Graph construction: errors name the node and the shapes.

import { expect, test } from 'vitest';
import { gradients } from '../../runtime/graph/gradient.ts';
import type { Operation } from '../../runtime/graph/graph.ts';
import { Graph, GraphError } from '../../runtime/graph/graph.ts';
import { constant } from '../../runtime/graph/initial.ts';
import { layoutOf, pack, unpack } from '../../runtime/graph/layout.ts';
import * as op from '../../runtime/graph/ops/index.ts';
import { forwardProgram, trainingProgram } from '../../runtime/graph/program.ts';
import { tensor } from '../../runtime/graph/tensor.ts';

function values() {
  const graph = new Graph();
  return {
    graph,
    x: graph.input('x', 'float32', ['B', 3, 4]),
    y: graph.input('y', 'float32', [3, 5]),
    whole: graph.input('whole', 'int32', ['B', 3, 4]),
    w: graph.parameter('w', [4, 4], constant(0)),
  };
}

type Values = ReturnType<typeof values>;

const MORE: [string, (values: Values) => unknown, string][] = [
  ['add of bools', ({ x }) => op.add(op.less(x, 0), op.less(x, 0)), 'Add#1: it takes numbers, not bool'],
  ['and of numbers', ({ x }) => op.and(x, x), 'And#1: it takes bool, not float32'],
  [
    'matmul of types',
    ({ x, graph }) => op.matmul(x, graph.input('d', 'float64', [4, 4])),
    'MatMul#1: the inputs differ in type',
  ],
  [
    'matmul of batches',
    ({ graph }) => op.matmul(graph.input('p', 'float32', [2, 3, 4]), graph.input('q', 'float32', [3, 4, 4])),
    'MatMul#1: the outer shapes cannot be broadcast',
  ],
  [
    'gemm of types',
    ({ y, graph }) => op.gemm(y, graph.input('d', 'float64', [5, 2])),
    'Gemm#1: the inputs differ in type',
  ],
  [
    'gemm with a bias',
    ({ y, w, graph }) => op.gemm(graph.input('a', 'float32', [3, 4]), w, { bias: y }),
    'Gemm#1: the bias does not fit the product',
  ],
  [
    'layerNormalization of whole numbers',
    ({ whole, graph }) =>
      op.layerNormalization(whole, graph.input('g', 'int32', [4]), graph.input('b', 'int32', [4])),
    'LayerNormalization#1: it takes float32 or float64',
  ],
  ['argMax along no axis', ({ x }) => op.argMax(x, 5), 'ArgMax#1: there is no axis 5'],
  [
    'split into nothing',
    ({ x }) => op.split(x, [-1, 4], 1),
    'Split#1: the parts [-1,4] do not add up to axis 1',
  ],
  [
    'reshape to two symbols',
    ({ graph }) => op.reshape(graph.input('s', 'float32', ['B*T', 2]), ['B', 'T', 2]),
    'cannot be reshaped to [B,T,2]: only one dimension with a symbol may move',
  ],
  [
    'reshape to negative sizes',
    ({ graph }) => op.reshape(graph.input('four', 'float32', [4]), [-2, -2]),
    'Reshape#1: it cannot become [-2,-2]',
  ],
  ['a new axis beyond the others', ({ y }) => op.unsqueeze(y, 4), "'y' [3,5] cannot get a new axis 4."],
  ['expand to something smaller', ({ y }) => op.expand(y, [5]), 'Expand#1: it cannot be expanded to [5]'],
  [
    'a constant of the wrong size',
    ({ graph }) => graph.constant('float32', [3], [1]),
    'A constant of float32 [3] is refused',
  ],
  ['half of a whole number', ({ whole }) => op.mul(whole, 0.5), 'int32 cannot hold 0.5'],
  ['300 in a byte', ({ graph }) => op.add(graph.input('byte', 'uint8', [1]), 300), 'uint8 cannot hold 300'],
  [
    'a dimension of 0',
    ({ graph }) => graph.input('none', 'float32', [0, 2]),
    "'none' [0,2]: 0 is not a dimension",
  ],
  [
    'a dimension that is no symbol',
    ({ graph }) => graph.input('odd', 'float32', ['B*2']),
    '"B*2" is not a dimension',
  ],
  [
    'a parameter of a negative size',
    ({ graph }) => graph.parameter('odd', [-2, 3], constant(0)),
    '-2 is not a dimension',
  ],
  ['an empty name', ({ graph }) => graph.input('', 'float32', [1]), 'A value needs a name.'],
  [
    'an output called like an input',
    ({ graph, x }) => forwardProgram(graph, { x: op.exp(x) }),
    "The name 'x' is used for two values",
  ],
  [
    'an output called like a node',
    ({ graph, x }) => forwardProgram(graph, { 'Exp#1': op.neg(op.exp(x)) }),
    "The name 'Exp#1' is used for two values",
  ],
  [
    'an output of another graph',
    ({ graph }) => forwardProgram(graph, { x: values().x }),
    "The output 'x' is a value of another graph.",
  ],
  [
    'a reserved output',
    ({ graph, w }) => trainingProgram(graph, op.reduceSum(w), { learningRate: { peak: 1 } }, { loss: w }),
    "The output name 'loss' is reserved for training programs",
  ],
  [
    'an input called weights',
    ({ graph, w }) => forwardProgram(graph, { y: op.mul(w, graph.input('weights', 'float32', [1])) }),
    "The name 'weights' is taken",
  ],
  [
    'a parameter after the first program',
    ({ graph, w }) => {
      forwardProgram(graph, { y: op.exp(w) });
      graph.parameter('late', [1], constant(0));
      return forwardProgram(graph, { y: op.exp(w) });
    },
    'create all parameters before the first program',
  ],
];

test.each<[string, (values: Values) => unknown, string]>([
  [
    'matmul',
    ({ x, y }) => op.matmul(x, y),
    "MatMul#1: the inner dimensions 4 and 3 differ (inputs: 'x' float32[B,3,4], 'y' float32[3,5]).",
  ],
  [
    'gemm',
    ({ y, w }) => op.gemm(y, w),
    "Gemm#1: the inner dimensions 5 and 4 differ (inputs: 'y' float32[3,5], 'w' float32[4,4]).",
  ],
  [
    'add',
    ({ x, y }) => op.add(x, y),
    "Add#1: the shapes cannot be broadcast to each other (inputs: 'x' float32[B,3,4], 'y' float32[3,5]).",
  ],
  [
    'add of types',
    ({ x, whole }) => op.add(x, whole),
    "Add#1: the inputs differ in type; cast one of them (inputs: 'x' float32[B,3,4], 'whole' int32[B,3,4]).",
  ],
  [
    'exp',
    ({ whole }) => op.exp(whole),
    "Exp#1: it takes float32 or float64, not int32 (inputs: 'whole' int32[B,3,4]).",
  ],
  ['where', ({ x }) => op.where(x, x, x), 'Where#1: the condition must be bool'],
  ['reduceSum', ({ x }) => op.reduceSum(x, [3]), 'ReduceSum#1: there is no axis 3'],
  ['reduceMean', ({ x }) => op.reduceMean(x, []), 'ReduceMean#1: it needs at least one axis'],
  ['softmax', ({ x }) => op.softmax(x, 3), 'Softmax#1: there is no axis 3'],
  [
    'layerNormalization',
    ({ x, w }) => op.layerNormalization(x, w, w),
    'LayerNormalization#1: gain and bias must fit the last axis',
  ],
  [
    'reshape',
    ({ x }) => op.reshape(x, ['B', 13]),
    "Reshape#1: it cannot become [B,13], which has another size (inputs: 'x' float32[B,3,4]",
  ],
  ['transpose', ({ x }) => op.transpose(x, [0, 0, 1]), 'Transpose#1: [0,0,1] is no order of its axes'],
  ['expand', ({ y }) => op.expand(y, [4, 5]), 'Expand#1: it cannot be expanded to [4,5]'],
  [
    'concat',
    ({ x, y }) => op.concat([x, y], 1),
    'Concat#1: the values differ in more than the size of axis 1',
  ],
  [
    'concat of symbols',
    ({ x }) => op.concat([x, x], 0),
    'Concat#1: axis 0 must have a known size everywhere',
  ],
  ['split', ({ x }) => op.split(x, [1, 1], 1), 'Split#1: the parts [1,1] do not add up to axis 1'],
  ['gather', ({ x }) => op.gather(x, x), 'Gather#1: it takes indices of int32 or int64, not float32'],
  [
    'gatherElements',
    ({ y, whole }) => op.gatherElements(y, whole),
    'GatherElements#1: the shapes must agree except along axis -1',
  ],
  ...MORE,
  [
    'a taken name',
    ({ graph }) => graph.input('x', 'float32', [1]),
    "The name 'x' is taken; names are used once.",
  ],
  ['a value of another graph', ({ x }) => op.add(x, values().x), "Add#1: 'x' belongs to another graph."],
  ['two plain numbers', () => op.add(1, 2), 'An operation needs at least one value beside plain numbers.'],
])('%s', (_name, build, message) => {
  expect(() => build(values())).toThrow(message);
});

test('a node name has the scope as its prefix', () => {
  const { graph, x, y } = values();
  expect(() => graph.scope('block0', () => graph.scope('attention', () => op.matmul(x, y)))).toThrow(
    /^block0\.attention\.MatMul#1: /,
  );
});

test('an operation without a gradient is an error that names the node, unless the gradient is stopped', () => {
  const { graph, w } = values();
  const floor: Operation = { type: 'Floor', infer: () => [{ dtype: 'float32', shape: [4, 4] }] };
  const steps = graph.scope('head', () => graph.apply(floor, [w]))[0] ?? w;
  expect(() => gradients(op.reduceSum(steps), [w])).toThrow(
    /^head\.Floor#1: the operation Floor has no gradient/,
  );
  const stopped = op.reduceSum(op.mul(w, op.stopGradient(steps)));
  expect(gradients(stopped, [w])).toHaveLength(1);
});

test('a parameter without influence on the loss is an error', () => {
  const { graph, w } = values();
  graph.parameter('unused', [2], constant(0));
  const loss = op.reduceSum(w);
  expect(() => trainingProgram(graph, loss, { learningRate: { peak: 1 } })).toThrow(
    `'${loss.name}' does not depend on 'unused', so it has no gradient.`,
  );
});

test('only a scalar can be differentiated, and only what has parameters can be trained', () => {
  const { w } = values();
  expect(() => gradients(w, [w])).toThrow(/scalar.*'w'.*\[4,4\]/);
  const bare = new Graph();
  const loss = op.reduceSum(bare.input('x', 'float32', [2]));
  expect(() => trainingProgram(bare, loss, { learningRate: { peak: 1 } })).toThrow(
    /has no parameters to train/,
  );
});

test('a program contains only the nodes that its outputs need', () => {
  const { graph, x, w } = values();
  const used = op.exp(x);
  op.matmul(x, w);
  expect(forwardProgram(graph, { used }).feeds.map(feed => feed.name)).toEqual(['x']);
});

test('the layout has matrices before vectors, and pack reverses unpack', () => {
  const graph = new Graph();
  graph.parameter('bias', [3], constant(2));
  graph.parameter('matrix', [2, 3], constant(1));
  const layout = layoutOf(graph);
  expect(layout).toEqual({
    size: 9,
    decayed: 6,
    entries: [
      { name: 'matrix', dims: [2, 3], offset: 0, size: 6 },
      { name: 'bias', dims: [3], offset: 6, size: 3 },
    ],
  });
  const flat = Float32Array.from({ length: 9 }, (_, index) => index);
  const named = unpack(layout, flat);
  expect(named['bias']).toEqual(tensor('float32', [3], Float32Array.from([6, 7, 8])));
  expect(pack(layout, named)).toEqual(flat);
});

test('rejects weights that do not fit the network and names the tensor', () => {
  const { graph } = values();
  const layout = layoutOf(graph);
  const w = tensor('float32', [4, 4], new Float32Array(16));
  expect(() => pack(layout, {})).toThrow(/'w' is missing/);
  expect(() => pack(layout, { w: tensor('float32', [2, 8], new Float32Array(16)) })).toThrow(
    /'w'.*\[2,8\].*\[4,4\]/,
  );
  expect(() => pack(layout, { w, v: w })).toThrow("no tensor 'v'");
  expect(() => unpack(layout, new Float32Array(15))).toThrow(/15 numbers.*16/);
});

test('construction errors are GraphErrors', () => {
  const { x, y } = values();
  expect(() => op.matmul(x, y)).toThrow(GraphError);
});

test('a scope ends after its build function, even if it throws, and prefixes parameters', () => {
  const { graph } = values();
  expect(() =>
    graph.scope('broken', () => {
      throw new Error('on purpose');
    }),
  ).toThrow('on purpose');
  expect(graph.scope('block0', () => graph.parameter('w', [1], constant(0))).name).toBe('block0.w');
});

test('user names and node names do not collide', () => {
  const { graph, x } = values();
  graph.input('Exp#1', 'float32', [1]);
  expect(op.exp(x).name).toBe('Exp#2');
});

test('one graph serves several programs: forward, training, and training anew', () => {
  const { graph, w } = values();
  const loss = op.reduceSum(op.square(w));
  const states = () =>
    trainingProgram(graph, loss, { learningRate: { peak: 1 } }).state.map(({ name }) => name);
  const forward = forwardProgram(graph, { loss });
  expect(states()).toEqual(['weights', 'adam.mean', 'adam.variance', 'adam.step']);
  expect(states()).toEqual(['weights', 'adam.mean', 'adam.variance', 'adam.step']);
  expect(forwardProgram(graph, { loss })).toEqual(forward);
});

test('a constant copies its array', () => {
  const { graph } = values();
  const numbers = Float32Array.of(1, 2);
  const before = graph.constant('float32', [2], numbers);
  numbers[0] = 9;
  expect(before.source).toMatchObject({ tensor: { data: Float32Array.of(1, 2) } });
});
