// The network as one writes it with TensorFlow.js: its public operations, differentiated by the library.

import type { Scalar, Tensor, Tensor1D, Tensor2D, Tensor3D } from '@tensorflow/tfjs-core';
import * as tf from '@tensorflow/tfjs-core';
import { type Batch, network, objective } from './rival.ts';

const { patches, words, letters, letterWidth, tokens, patchSize, width, heads, headSize } = network;

export type Lookup = (name: string) => Tensor;

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

/** The cast is needed because the WASM kernel writes integers whatever type is asked of it. */
function oneHot(index: Int32Array, count: number): Tensor2D {
  return tf.cast(tf.oneHot(tf.tensor1d(index, 'int32'), count) as Tensor2D, 'float32');
}

export function upload(batch: Batch): Inputs {
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

/** x·w + b over the last axis. The product is of two matrices, as a batch of them has a slower kernel. */
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
  if (q === undefined || k === undefined || v === undefined) throw new Error('A split in three gives three.');
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
  // Embeddings are products with one-hot rows: the gradient of tf.gather needs UnsortedSegmentSum, which the WASM
  // backend lacks.
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
  const [seen, asked] = tf.split(x, [patches, words], 1);
  if (seen === undefined || asked === undefined) throw new Error('A split in two gives two.');
  const query = linear(tf.mean(asked, 1), w('query.w'), w('query.b'));
  const keys = tf.matMul(tf.reshape(seen, [size * patches, width]), w('key.w'));
  const pointer = tf.matMul(tf.reshape(keys, [size, patches, width]), tf.reshape(query, [size, width, 1]));
  const kind = linear(tf.mean(x, 1), w('kind.w'), w('kind.b'));
  return [kind, tf.mul(tf.reshape(pointer, [size, patches]), 1 / Math.sqrt(width))];
}

/** What one head adds to the objective. */
function gain(logits: Tensor, { taken, old, advantage, choices }: Head): Tensor {
  const { clipLow, clipHigh, ratioLimit, entropy } = objective;
  const logp = tf.logSoftmax(logits);
  const moved = tf.sub(tf.sum(tf.mul(logp, taken), -1), old);
  const ratio = tf.exp(tf.clipByValue(moved, -ratioLimit, ratioLimit));
  const clipped = tf.clipByValue(ratio, clipLow, clipHigh);
  const surrogate = tf.minimum(tf.mul(ratio, advantage), tf.mul(clipped, advantage));
  // The sum over choices of p·log p is minus the entropy.
  const order = tf.sum(tf.mul(tf.exp(logp), logp), -1);
  return tf.mean(tf.sub(surrogate, tf.mul(order, entropy / Math.log(choices))));
}

export function loss(w: Lookup, inputs: Inputs): Scalar {
  const [kind, pointer] = forward(w, inputs);
  return tf.mul<Scalar>(tf.add(gain(kind, inputs.kind), gain(pointer, inputs.pointer)), -1 / 2);
}
