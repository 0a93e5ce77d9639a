import type { Tensor } from '@tensorflow/tfjs-core';
import * as tf from '@tensorflow/tfjs-core';
import { network } from '../rival.ts';
import { at, differentiable, rows } from './ops.ts';

/**
 * [i, k, c] times [k, c, o] over k, for every c at once: [i, c, o]. As a depthwise convolution it runs on a
 * SIMD kernel; the backend's own batched product is a scalar loop about seven times slower.
 */
function perChannel(x: Tensor, filter: Tensor): Tensor {
  const [i = 1, k = 1, c = 1] = x.shape;
  const o = filter.shape[2] ?? 1;
  const image = tf.reshape<tf.Rank.R4>(x, [1, i, k, c]);
  const y = tf.depthwiseConv2d(image, tf.reshape<tf.Rank.R4>(filter, [1, k, c, o]), 1, 'valid');
  return tf.reshape(y, [i, c, o]);
}

/** Multi-head self-attention over qkv [T, B, 3·64], token first: [T, B, 64]. */
export function attention(qkv: Tensor): Tensor {
  const [tokens = 1, size = 1] = qkv.shape;
  const { width, heads, headSize } = network;
  const scale = 1 / Math.sqrt(headSize);
  const split = [tokens, size * heads, headSize];
  return differentiable(
    [qkv],
    save => {
      const part = (n: number): Tensor => tf.reshape(tf.slice(rows(qkv), [0, n * width], [-1, width]), split);
      const q = tf.mul(part(0), scale);
      const [k, v] = [part(1), part(2)];
      const scores = perChannel(tf.transpose(q, [0, 2, 1]), tf.transpose(k, [2, 1, 0]));
      const p = tf.softmax(scores);
      save([q, k, v, p]);
      return tf.reshape(perChannel(tf.transpose(p, [0, 2, 1]), v), [tokens, size, width]);
    },
    (dy, saved) => {
      const [q, k, v, p] = [at(saved, 0), at(saved, 1), at(saved, 2), at(saved, 3)];
      const d = tf.reshape(dy, split);
      const dP = perChannel(tf.transpose(d, [0, 2, 1]), tf.transpose(v, [2, 1, 0]));
      const dV = perChannel(tf.transpose(p, [2, 0, 1]), d);
      const dS = tf.mul(p, tf.sub(dP, tf.sum(tf.mul(dP, p), -1, true)));
      const dQ = tf.mul(perChannel(tf.transpose(dS, [0, 2, 1]), k), scale);
      const dK = perChannel(tf.transpose(dS, [2, 0, 1]), q);
      const parts = [dQ, dK, dV].map(t => tf.reshape(t, [tokens * size, width]));
      return [tf.reshape(tf.concat(parts, 1), qkv.shape)];
    },
  );
}
