import type { Scalar, Tensor, Tensor1D } from '@tensorflow/tfjs-core';
import * as tf from '@tensorflow/tfjs-core';
import { type Batch, network, objective } from '../rival.ts';
import { attention } from './attention.ts';
import {
  add,
  at,
  differentiable,
  embed,
  join,
  layerNorm,
  linear,
  meanOfFirst,
  multiply,
  part,
  point,
  project,
  tokensFirst,
} from './ops.ts';

export type Lookup = (name: string) => Tensor;

interface Inputs {
  readonly size: number;
  readonly patches: Tensor;
  readonly place: Tensor1D;
  readonly words: Tensor1D;
  readonly kind: Head;
  readonly pointer: Head;
}

interface Head {
  readonly taken: Tensor;
  readonly old: Tensor;
  readonly advantage: Tensor;
  readonly choices: number;
}

export function upload(batch: Batch): Inputs {
  const { size } = batch;
  const { patches, patchSize, kinds } = network;
  const advantage = tf.tensor1d(batch.advantage);
  const head = (index: Int32Array, old: Float32Array, choices: number): Head => ({
    // The WASM kernel writes integers whatever type is asked of it, hence the cast.
    taken: tf.cast(tf.oneHot(tf.tensor1d(index, 'int32'), choices), 'float32'),
    old: tf.tensor1d(old),
    advantage,
    choices,
  });
  return {
    size,
    patches: tf.tensor(batch.patches, [size * patches, patchSize]),
    place: tf.tensor1d(batch.place, 'int32'),
    words: tf.tensor1d(batch.words, 'int32'),
    kind: head(batch.kind, batch.oldKind, kinds),
    pointer: head(batch.pointer, batch.oldPointer, patches),
  };
}

function block(x: Tensor, w: Lookup, prefix: string): Tensor {
  const of = (name: string): Tensor => w(`${prefix}.${name}`);
  const h1 = layerNorm(x, of('norm1.g'), of('norm1.b'));
  const heads = attention(linear(h1, of('qkv.w'), of('qkv.b')));
  const mixed = add(x, linear(heads, of('out.w'), of('out.b')));
  const h2 = layerNorm(mixed, of('norm2.g'), of('norm2.b'));
  const up = linear(h2, of('up.w'), of('up.b'), 'relu');
  return add(mixed, linear(up, of('down.w'), of('down.b')));
}

/** The logits of both heads: [B, 8] and [B, 80]. */
function forward(w: Lookup, inputs: Inputs): [Tensor, Tensor] {
  const { size } = inputs;
  const { patches, words, letters, letterWidth, width, blocks } = network;
  const patch = project(inputs.patches, w('patch.w'), w('patch.b'));
  const placed = add(patch, embed(w('place.table'), inputs.place, [size * patches, width]));
  const spelled = embed(w('char.table'), inputs.words, [size * words, letters * letterWidth]);
  const word = linear(spelled, w('word.w'), w('word.b'));
  let x = join(tokensFirst(placed, size), tokensFirst(word, size));
  for (let n = 0; n < blocks; n++) x = block(x, w, `block${n}`);
  x = layerNorm(x, w('norm.g'), w('norm.b'));
  const keys = multiply(part(x, 0, patches), w('key.w'));
  const query = linear(meanOfFirst(part(x, patches, words)), w('query.w'), w('query.b'));
  return [linear(meanOfFirst(x), w('kind.w'), w('kind.b')), point(keys, query)];
}

/** What one head adds to the loss of its batch. */
function headLoss(logits: Tensor, head: Head): Tensor {
  const { clipLow, clipHigh, ratioLimit, entropy } = objective;
  const bonus = entropy / Math.log(head.choices);
  const share = -1 / (2 * head.advantage.size);
  return differentiable(
    [logits],
    save => {
      const logp = tf.logSoftmax(logits);
      const p = tf.exp(logp);
      const moved = tf.sub(tf.sum(tf.mul(logp, head.taken), -1), head.old);
      const ratio = tf.exp(tf.clipByValue(moved, -ratioLimit, ratioLimit));
      const free = tf.mul(ratio, head.advantage);
      const held = tf.mul(tf.clipByValue(ratio, clipLow, clipHigh), head.advantage);
      // The sum over choices of p·log p is minus the entropy.
      const order = tf.sum(tf.mul(p, logp), -1, true);
      const inside = tf.lessEqual(tf.abs(moved), ratioLimit);
      const follows = tf.cast(tf.logicalAnd(tf.lessEqual(free, held), inside), 'float32');
      save([logp, p, order, tf.mul(free, follows)]);
      const gain = tf.sub(tf.minimum(free, held), tf.mul(tf.reshape(order, [-1]), bonus));
      return tf.mul(tf.sum(gain), share);
    },
    (dy, saved) => {
      const [logp, p, order, slope] = [at(saved, 0), at(saved, 1), at(saved, 2), at(saved, 3)];
      const surrogate = tf.mul(tf.sub(head.taken, p), tf.expandDims(slope, -1));
      const disorder = tf.mul(tf.mul(p, tf.sub(logp, order)), bonus);
      return [tf.mul(tf.sub(surrogate, disorder), tf.mul(dy, share))];
    },
  );
}

export function loss(w: Lookup, inputs: Inputs): Scalar {
  const [kind, pointer] = forward(w, inputs);
  return add(headLoss(kind, inputs.kind), headLoss(pointer, inputs.pointer)) as Scalar;
}
