// A training step of the benchmark network in TensorFlow.js on WebAssembly, with the library's public operations, gradients and Adam.
// Each node of our forward graph is evaluated by its counterpart in the library.

import { createRequire } from 'node:module';
import { dirname, sep } from 'node:path';
import { setThreadsCount, setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import type { Tensor } from '@tensorflow/tfjs-core';
import * as tf from '@tensorflow/tfjs-core';
import { at } from '../../core/at.ts';
// The Node build registers no gradients. Node cannot resolve this module; as a path, unlike a package, it is bundled.
import '../../../node_modules/@tensorflow/tfjs-core/dist/register_all_gradients.js';
import { BETA1, BETA2, EPSILON } from '../../graph/adam.ts';
import type { Node, Value } from '../../graph/graph.ts';
import { resolve } from '../../graph/shape.ts';
import type { Tensors } from '../../graph/tensor.ts';
import { ADAM } from './network.ts';

/** Evaluates a node; `of` evaluates a value that it depends on. */
type Kernel = (node: Node, of: (value: Value) => Tensor) => Tensor | readonly Tensor[];

const unary =
  (apply: (x: Tensor) => Tensor): Kernel =>
  ({ inputs }, of) =>
    apply(of(at(inputs, 0)));
const binary =
  (apply: (a: Tensor, b: Tensor) => Tensor): Kernel =>
  ({ inputs }, of) =>
    apply(of(at(inputs, 0)), of(at(inputs, 1)));
const reduction =
  (apply: (x: Tensor, axes: number[], keepDims: boolean) => Tensor): Kernel =>
  (node, of) =>
    apply(of(at(node.inputs, 0)), constantInput(node, 1), true);

const KERNELS: Readonly<Record<string, Kernel>> = {
  Add: binary(tf.add),
  Sub: binary(tf.sub),
  Mul: binary(tf.mul),
  Div: binary(tf.div),
  Min: binary(tf.minimum),
  Neg: unary(tf.neg),
  Exp: unary(tf.exp),
  Relu: unary(tf.relu),
  Softmax: unary(x => tf.softmax(x)),
  LogSoftmax: unary(x => tf.logSoftmax(x)),
  Cast: unary(x => tf.cast(x, 'float32')),
  Clip: (node, of) =>
    tf.clipByValue(of(at(node.inputs, 0)), at(constantInput(node, 1), 0), at(constantInput(node, 2), 0)),
  ReduceSum: reduction(tf.sum),
  ReduceMean: reduction(tf.mean),
  Concat: ({ inputs, attributes }, of) => tf.concat(inputs.map(of), Number(attributes['axis'])),
  Split: (node, of) =>
    tf.split(of(at(node.inputs, 0)), constantInput(node, 1), Number(node.attributes['axis'])),
  Transpose: (node, of) => tf.transpose(of(at(node.inputs, 0)), orderOf(node)),
  // The kernel transposes its second matrix itself.
  MatMul: ({ inputs }, of) => {
    const [a, b] = [at(inputs, 0), at(inputs, 1)];
    const transpose =
      b.source.kind === 'node' && b.source.node.operation.type === 'Transpose' && b.source.node;
    return transpose && orderOf(transpose).join() === '0,1,3,2'
      ? tf.matMul(of(a), of(at(transpose.inputs, 0)), false, true)
      : tf.matMul(of(a), of(b));
  },
  Gemm: ({ inputs: [a, b, bias] }, of) => {
    if (a === undefined || b === undefined) throw new RangeError('Gemm needs two matrices.');
    const product = tf.matMul(of(a), of(b));
    return bias === undefined ? product : tf.add(product, of(bias));
  },
  // Products with one-hot rows: the WASM backend lacks UnsortedSegmentSum, the gradient of tf.gather.
  Gather: binary((table, indices) => {
    const rows = tf.matMul(oneHot(tf.reshape(indices, [-1]), at(table.shape, 0)), table);
    return tf.reshape(rows, [...indices.shape, at(table.shape, 1)]);
  }),
  GatherElements: binary((x, indices) => {
    const chosen = oneHot(tf.reshape(indices, [-1]), at(x.shape, 1));
    return tf.sum(tf.mul(x, chosen), -1, true);
  }),
  LayerNormalization: ({ inputs, attributes: { epsilon } }, of) => {
    const { mean, variance } = tf.moments(of(at(inputs, 0)), -1, true);
    const small = typeof epsilon === 'object' && 'float' in epsilon ? epsilon.float : Number.NaN;
    const normal = tf.div(tf.sub(of(at(inputs, 0)), mean), tf.sqrt(tf.add(variance, small)));
    return tf.add(tf.mul(normal, of(at(inputs, 1))), of(at(inputs, 2)));
  },
};

/** Casts explicitly: the one-hot kernel of the WASM backend always writes integers. */
const oneHot = (indices: Tensor, count: number): Tensor => tf.cast(tf.oneHot(indices, count), 'float32');

function constantInput({ name, inputs }: Node, index: number): number[] {
  const { source } = at(inputs, index);
  if (source.kind !== 'constant') throw new RangeError(`Input ${index} of ${name} is not a constant.`);
  return Array.from(source.tensor.data, Number);
}

function orderOf({ name, attributes: { perm } }: Node): number[] {
  if (typeof perm === 'object' && 'length' in perm) return [...perm];
  throw new RangeError(`${name} has no order of axes.`);
}

/** The value of the loss; `known` holds the feeds and the weights by name. */
function evaluate(loss: Value, known: ReadonlyMap<string, Tensor>, batch: number): Tensor {
  const results = new Map<Value, Tensor>();
  const of = (value: Value): Tensor => {
    const result = results.get(value) ?? known.get(value.name) ?? computed(value);
    results.set(value, result);
    return result;
  };
  const computed = ({ name, source, shape }: Value): Tensor => {
    if (source.kind === 'constant')
      return tf.tensor(Array.from(source.tensor.data, Number), [...source.tensor.dims]);
    if (source.kind !== 'node') throw new RangeError(`The value '${name}' is neither fed nor a weight.`);
    const { node } = source;
    if (node.operation.type === 'Reshape')
      return tf.reshape(
        of(at(node.inputs, 0)),
        shape.map(dim => resolve(dim, new Map([['B', batch]])) ?? Number.NaN),
      );
    const kernel = KERNELS[node.operation.type];
    if (kernel === undefined)
      throw new RangeError(`TensorFlow.js lacks a kernel for ${name}. Add its operation to KERNELS.`);
    const outputs = kernel(node, of);
    if (outputs instanceof tf.Tensor) return outputs;
    for (const [index, output] of node.outputs.entries()) results.set(output, at(outputs, index));
    return at(
      outputs,
      node.outputs.findIndex(output => output.name === name),
    );
  };
  return of(loss);
}

/** Starts the backend with SIMD on one thread. */
async function startWasm(): Promise<void> {
  const require = createRequire(import.meta.url);
  setWasmPaths(dirname(require.resolve('@tensorflow/tfjs-backend-wasm')) + sep);
  setThreadsCount(1);
  tf.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);
  if (!(await tf.env().getAsync('WASM_HAS_SIMD_SUPPORT')))
    throw new Error('TensorFlow.js finds no SIMD in this version of Node. Use Node 20 or newer.');
  if (!(await tf.setBackend('wasm')))
    throw new Error('TensorFlow.js cannot start its WASM backend. Run npm ci.');
  await tf.ready();
}

/** Returns a function that takes one optimiser step and resolves to the loss before it. */
export async function tfjsStep(
  loss: Value,
  weights: Tensors,
  feeds: Tensors,
  batch: number,
): Promise<() => Promise<number>> {
  await startWasm();
  const { learningRate, weightDecay, clipNorm } = ADAM;
  const variables = Object.entries(weights).map(([name, { dims, data }]) =>
    tf.variable(tf.tensor(Array.from(data, Number), [...dims]), true, name),
  );
  const fed = Object.entries(feeds).map(([name, { dtype, dims, data }]) => {
    const type = dtype === 'float32' ? 'float32' : 'int32';
    return [name, tf.tensor(Array.from(data, Number), [...dims], type)] as const;
  });
  const known = new Map<string, Tensor>([...fed, ...variables.map(each => [each.name, each] as const)]);
  const optimiser = tf.train.adam(learningRate.peak, BETA1, BETA2, EPSILON);
  return async () => {
    const before = tf.tidy(() => {
      const { value, grads } = tf.variableGrads(() =>
        tf.reshape<tf.Rank.R0>(evaluate(loss, known, batch), []),
      );
      const norm = tf.sqrt(tf.addN(Object.values(grads).map(gradient => tf.sum(tf.square(gradient)))));
      const scale = tf.minimum(tf.div(clipNorm, tf.add(norm, 1e-6)), 1);
      // Decoupled weight decay, which the optimiser of the library lacks.
      for (const matrix of variables.filter(({ rank }) => rank === 2))
        matrix.assign(tf.mul(matrix, 1 - learningRate.peak * weightDecay));
      optimiser.applyGradients(
        Object.fromEntries(Object.entries(grads).map(([name, each]) => [name, tf.mul(each, scale)])),
      );
      return value;
    });
    const [value = Number.NaN] = await before.data();
    before.dispose();
    return value;
  };
}
