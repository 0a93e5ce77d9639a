// The benchmark network in TensorFlow.js on WebAssembly, as its documentation writes such a network: public operations, gradients
// of the library, and AdamW with global clipping.

import { createRequire } from 'node:module';
import { dirname, sep } from 'node:path';
import { setThreadsCount, setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import type { Scalar, Tensor, Tensor1D, Tensor2D, Tensor3D, Variable } from '@tensorflow/tfjs-core';
import * as tf from '@tensorflow/tfjs-core';
// The Node build registers no gradients. Node cannot resolve this module; as a path, unlike a package, it is bundled.
import '../../../node_modules/@tensorflow/tfjs-core/dist/register_all_gradients.js';
import { type NamedWeights, network, objective, optimiser, type PolicyBatch } from './network-spec.ts';

const { patches, words, letters, letterWidth, tokens, patchSize, width, heads, headSize } = network;

type Lookup = (name: string) => Tensor;

interface Head {
  readonly taken: Tensor;
  readonly old: Tensor1D;
  readonly advantage: Tensor1D;
  readonly choices: number;
}

interface Inputs {
  readonly size: number;
  readonly patches: Tensor2D;
  readonly place: Tensor2D;
  readonly words: Tensor2D;
  readonly kind: Head;
  readonly pointer: Head;
}

/** Casts explicitly: the one-hot kernel of the WASM backend always writes integers. */
function oneHot(index: Int32Array, count: number): Tensor2D {
  return tf.cast(tf.oneHot(tf.tensor1d(index, 'int32'), count) as Tensor2D, 'float32');
}

function upload(batch: PolicyBatch): Inputs {
  const { size } = batch;
  const advantage = tf.tensor1d(batch.advantage);
  const head = (index: Int32Array, old: Float32Array, choices: number): Head => ({
    taken: oneHot(index, choices),
    old: tf.tensor1d(old),
    advantage,
    choices,
  });
  return {
    size,
    patches: tf.tensor2d(batch.patches, [size * patches, patchSize]),
    place: oneHot(batch.place, network.places),
    words: oneHot(batch.words, network.characters),
    kind: head(batch.kind, batch.oldKind, network.kinds),
    pointer: head(batch.pointer, batch.oldPointer, patches),
  };
}

/** x·w + b over the last axis, as one product of two matrices: the kernel for batches is slower. */
function linear(x: Tensor, w: Tensor, b: Tensor): Tensor {
  const [inner = 1, outer = 1] = w.shape;
  const y = tf.add(tf.matMul(tf.reshape(x, [-1, inner]), w), b);
  return tf.reshape(y, [...x.shape.slice(0, -1), outer]);
}

function layerNorm(x: Tensor, gain: Tensor, bias: Tensor): Tensor {
  const { mean, variance } = tf.moments(x, -1, true);
  const deviation = tf.sqrt(tf.add(variance, network.normEpsilon));
  return tf.add(tf.mul(tf.div(tf.sub(x, mean), deviation), gain), bias);
}

function attention(qkv: Tensor, size: number): Tensor {
  const [q, k, v] = tf
    .split(qkv, 3, -1)
    .map(part => tf.transpose(tf.reshape(part, [size, tokens, heads, headSize]), [0, 2, 1, 3]));
  if (q === undefined || k === undefined || v === undefined)
    throw new Error('tf.split(x, 3) returned fewer than 3 tensors.');
  const scores = tf.softmax(tf.matMul(tf.mul(q, 1 / Math.sqrt(headSize)), k, false, true));
  return tf.reshape(tf.transpose(tf.matMul(scores, v), [0, 2, 1, 3]), [size, tokens, width]);
}

function block(x: Tensor, w: Lookup, prefix: string, size: number): Tensor {
  const of = (name: string): Tensor => w(`${prefix}.${name}`);
  const h1 = layerNorm(x, of('norm1.g'), of('norm1.b'));
  const attended = attention(linear(h1, of('qkv.w'), of('qkv.b')), size);
  const mixed = tf.add(x, linear(attended, of('out.w'), of('out.b')));
  const h2 = layerNorm(mixed, of('norm2.g'), of('norm2.b'));
  const up = tf.relu(linear(h2, of('up.w'), of('up.b')));
  return tf.add(mixed, linear(up, of('down.w'), of('down.b')));
}

/** The logits of both heads: [B, 8] and [B, 80]. */
function forward(w: Lookup, inputs: Inputs): [Tensor, Tensor] {
  const { size } = inputs;
  // Embeddings are products with one-hot rows: the WASM backend lacks UnsortedSegmentSum, the gradient of tf.gather.
  const place = tf.matMul(inputs.place, w('place.table'));
  const patch = tf.add(linear(inputs.patches, w('patch.w'), w('patch.b')), place);
  const spelled = tf.reshape(tf.matMul(inputs.words, w('char.table')), [size * words, letters * letterWidth]);
  const word = linear(spelled, w('word.w'), w('word.b'));
  const parts: Tensor3D[] = [
    tf.reshape(patch, [size, patches, width]),
    tf.reshape(word, [size, words, width]),
  ];
  let x: Tensor = tf.concat(parts, 1);
  for (let n = 0; n < network.blocks; n++) x = block(x, w, `block${n}`, size);
  x = layerNorm(x, w('norm.g'), w('norm.b'));
  const [screen, instruction] = tf.split(x, [patches, words], 1);
  if (screen === undefined || instruction === undefined)
    throw new Error('tf.split(x, [80, 8]) returned fewer than 2 tensors.');
  const query = linear(tf.mean(instruction, 1), w('query.w'), w('query.b'));
  const keys = tf.matMul(tf.reshape(screen, [size * patches, width]), w('key.w'));
  const pointer = tf.matMul(tf.reshape(keys, [size, patches, width]), tf.reshape(query, [size, width, 1]));
  const kind = linear(tf.mean(x, 1), w('kind.w'), w('kind.b'));
  return [kind, tf.mul(tf.reshape(pointer, [size, patches]), 1 / Math.sqrt(width))];
}

/** The contribution of one head to the objective. */
function gain(logits: Tensor, { taken, old, advantage, choices }: Head): Tensor {
  const { clipLow, clipHigh, ratioLimit, entropy } = objective;
  const logp = tf.logSoftmax(logits);
  const logRatio = tf.sub(tf.sum(tf.mul(logp, taken), -1), old);
  const ratio = tf.exp(tf.clipByValue(logRatio, -ratioLimit, ratioLimit));
  const clipped = tf.clipByValue(ratio, clipLow, clipHigh);
  const surrogate = tf.minimum(tf.mul(ratio, advantage), tf.mul(clipped, advantage));
  const negativeEntropy = tf.sum(tf.mul(tf.exp(logp), logp), -1);
  return tf.mean(tf.sub(surrogate, tf.mul(negativeEntropy, entropy / Math.log(choices))));
}

function loss(w: Lookup, inputs: Inputs): Scalar {
  const [kind, pointer] = forward(w, inputs);
  return tf.mul<Scalar>(tf.add(gain(kind, inputs.kind), gain(pointer, inputs.pointer)), -1 / 2);
}

/** A parameter with the two moments of Adam. */
interface AdamParameter {
  readonly w: Variable;
  readonly m: Variable;
  readonly v: Variable;
}

function clipScale(gradients: readonly Tensor[]): Tensor {
  const norm = tf.sqrt(tf.addN(gradients.map(g => tf.sum(tf.square(g)))));
  return tf.minimum(tf.div(optimiser.maxNorm, tf.add(norm, optimiser.normEpsilon)), 1);
}

function adam({ w, m, v }: AdamParameter, g: Tensor, step: number): void {
  const { rate, beta1, beta2, epsilon, decay } = optimiser;
  m.assign(tf.add(tf.mul(m, beta1), tf.mul(g, 1 - beta1)));
  v.assign(tf.add(tf.mul(v, beta2), tf.mul(tf.square(g), 1 - beta2)));
  const root = tf.add(tf.mul(tf.sqrt(v), 1 / Math.sqrt(1 - beta2 ** step)), epsilon);
  const change = tf.mul(tf.div(m, root), rate / (1 - beta1 ** step));
  const decayed = w.rank === 2 ? tf.mul(w, 1 - rate * decay) : w;
  w.assign(tf.sub(decayed, change));
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
export async function tfjsStep(weights: NamedWeights): Promise<(batch: PolicyBatch) => Promise<number>> {
  await startWasm();
  const parameters = new Map<string, AdamParameter>();
  // Variables survive a tidy; it disposes of the tensors they were made from.
  tf.tidy(() => {
    for (const [name, { dims, data }] of weights) {
      const shape = [...dims];
      const w = tf.variable(tf.tensor(data, shape));
      const [m, v] = [tf.variable(tf.zeros(shape), false), tf.variable(tf.zeros(shape), false)];
      parameters.set(name, { w, m, v });
    }
  });
  const lookup: Lookup = name => {
    const parameter = parameters.get(name);
    if (parameter === undefined) throw new Error(`The network has no weight '${name}'.`);
    return parameter.w;
  };
  let steps = 0;
  return async batch => {
    steps++;
    const before = tf.tidy(() => {
      const inputs = upload(batch);
      const { value, grads } = tf.variableGrads(() => loss(lookup, inputs));
      const scale = clipScale(Object.values(grads));
      for (const [name, parameter] of parameters) {
        const gradient = grads[parameter.w.name];
        if (gradient === undefined) throw new Error(`The weight '${name}' has no gradient.`);
        adam(parameter, tf.mul(gradient, scale), steps);
      }
      return value;
    });
    const [value = Number.NaN] = await before.data();
    before.dispose();
    return value;
  };
}
