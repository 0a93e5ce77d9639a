import type { GradSaveFunc, Tensor } from '@tensorflow/tfjs-core';
import * as tf from '@tensorflow/tfjs-core';
import { network } from '../rival.ts';

// Every differentiable step of the network is spelled out here with its gradient, because the library's own
// gradients suit the WASM backend badly: any product with a transposed or a batched operand ends in a scalar
// loop about ten times slower than its SIMD kernels, and some gradients need a kernel that it lacks. Below is
// the same mathematics, arranged for the SIMD kernels.
//
// The backend keeps a packed copy of the right-hand operand of a product for as long as that tensor lives,
// under its id alone, so no tensor may be a right-hand operand in two different shapes.

type Backward = (dy: Tensor, saved: Tensor[]) => Tensor[];

export function differentiable(
  inputs: readonly Tensor[],
  forward: (save: GradSaveFunc) => Tensor,
  backward: Backward,
): Tensor {
  return tf.customGrad((...received) => {
    const save = received.at(-1);
    if (typeof save !== 'function') throw new Error('TensorFlow.js passed no save function.');
    const gradFunc = (dy: Tensor, saved: Tensor[]): Tensor[] => backward(dy, saved);
    return { value: forward(save), gradFunc };
  })(...inputs);
}

export function at(tensors: readonly Tensor[], index: number): Tensor {
  const tensor = tensors[index];
  if (tensor === undefined) throw new Error(`Tensor ${index} was not saved.`);
  return tensor;
}

/** Folds all axes but the last. */
export function rows(x: Tensor): tf.Tensor2D {
  const last = x.shape.at(-1) ?? 1;
  return tf.reshape(x, [x.size / last, last]);
}

/**
 * xᵀ·dy and the column sums of dy. The narrower of x and dy is the one to transpose. Where the other one is
 * dy, its packed copy makes the sums nearly free; where it is x, the transpose does.
 */
function productGradients(x: tf.Tensor2D, dy: tf.Tensor2D): [Tensor, Tensor] {
  const [count, width] = dy.shape;
  if (x.shape[1] <= width) {
    const sums = tf.matMul(tf.ones([1, count]), dy);
    return [tf.matMul(tf.transpose(x), dy), tf.reshape(sums, [width])];
  }
  const turned = tf.transpose(dy);
  return [tf.transpose(tf.matMul(turned, x)), tf.sum(turned, 1)];
}

/** x·w + b over the last axis, with an optional relu inside the product's kernel. */
export function linear(x: Tensor, w: Tensor, b: Tensor, activation: 'linear' | 'relu' = 'linear'): Tensor {
  return differentiable(
    [x, w, b],
    save => {
      const flat = rows(x);
      // tf.fused.matMul would refuse to fuse a relu under differentiation, so the kernel is called directly.
      const product = tf
        .engine()
        .runKernel<Tensor>(
          tf._FusedMatMul,
          { a: tf.reshape(flat, [1, ...flat.shape]), b: tf.reshape(w, [1, ...w.shape]), bias: b },
          { transposeA: false, transposeB: false, activation },
        );
      const y = tf.reshape(product, [...x.shape.slice(0, -1), w.shape[1] ?? 1]);
      save(activation === 'relu' ? [flat, w, y] : [flat, w]);
      return y;
    },
    (dy, saved) => {
      const [flat, weight] = [rows(at(saved, 0)), at(saved, 1)];
      const masked = activation === 'relu' ? tf.mul(dy, tf.step(at(saved, 2))) : dy;
      const flatDy = rows(masked);
      const dx = tf.matMul(flatDy, tf.transpose(weight));
      return [tf.reshape(dx, x.shape), ...productGradients(flat, flatDy)];
    },
  );
}

/** The same for an x that needs no gradient. It must outlive the backward pass. */
export function project(x: Tensor, w: Tensor, b: Tensor): Tensor {
  return differentiable(
    [w, b],
    () => {
      const y = tf.fused.matMul({ a: rows(x), b: tf.reshape(w, [x.shape.at(-1) ?? 1, -1]), bias: b });
      return tf.reshape(y, [...x.shape.slice(0, -1), w.shape[1] ?? 1]);
    },
    dy => productGradients(rows(x), rows(dy)),
  );
}

/** x·w without a bias. */
export function multiply(x: Tensor, w: Tensor): Tensor {
  return differentiable(
    [x, w],
    save => {
      save([x, w]);
      return tf.reshape(tf.matMul(rows(x), rows(w)), [...x.shape.slice(0, -1), w.shape[1] ?? 1]);
    },
    (dy, saved) => {
      const flatDy = rows(dy);
      const dx = tf.matMul<tf.Tensor2D>(flatDy, tf.transpose(at(saved, 1)));
      return [tf.reshape(dx, x.shape), tf.matMul(tf.transpose(rows(at(saved, 0))), flatDy)];
    },
  );
}

/** The two gradients are separate tensors because the tape disposes of each one that it adds to another. */
export function add(a: Tensor, b: Tensor): Tensor {
  return differentiable(
    [a, b],
    () => tf.add(a, b),
    dy => [tf.clone(dy), tf.clone(dy)],
  );
}

/** [B·n, 64] to [n, B, 64]: with tokens first, attention needs no further reordering of the batch. */
export function tokensFirst(x: Tensor, size: number): Tensor {
  const { width } = network;
  const count = x.size / size / width;
  return differentiable(
    [x],
    () => tf.transpose(tf.reshape(x, [size, count, width]), [1, 0, 2]),
    dy => [tf.reshape(tf.transpose(dy, [1, 0, 2]), x.shape)],
  );
}

/** One after the other along the first of three axes. */
export function join(a: Tensor, b: Tensor): Tensor {
  const [first = 0] = a.shape;
  return differentiable(
    [a, b],
    () => tf.concat([a, b], 0),
    dy => [tf.slice(dy, [0, 0, 0], [first, -1, -1]), tf.slice(dy, [first, 0, 0], [-1, -1, -1])],
  );
}

/** Part of the first of three axes. */
export function part(x: Tensor, start: number, count: number): Tensor {
  const after = (x.shape[0] ?? 0) - start - count;
  const padding: [number, number][] = [
    [start, after],
    [0, 0],
    [0, 0],
  ];
  return differentiable(
    [x],
    () => tf.slice(x, [start, 0, 0], [count, -1, -1]),
    dy => [tf.pad(dy, padding)],
  );
}

/** Rows of a table, in the given shape. The scatter adds, so an index may repeat. */
export function embed(table: Tensor, indices: tf.Tensor1D, shape: [number, number]): Tensor {
  const found = [indices.size, table.shape[1] ?? 1];
  return differentiable(
    [table],
    () => tf.reshape(tf.gather(table, indices), shape),
    dy => [tf.scatterND(tf.reshape(indices, [indices.size, 1]), tf.reshape(dy, found), table.shape)],
  );
}

export function layerNorm(x: Tensor, gain: Tensor, bias: Tensor): Tensor {
  return differentiable(
    [x, gain, bias],
    save => {
      const centred = tf.sub(x, tf.mean(x, -1, true));
      const variance = tf.mean(tf.square(centred), -1, true);
      const scale = tf.rsqrt(tf.add(variance, network.normEpsilon));
      const normal = tf.mul(centred, scale);
      save([normal, scale, gain]);
      return tf.add(tf.mul(normal, gain), bias);
    },
    (dy, saved) => {
      const [normal, scale] = [at(saved, 0), at(saved, 1)];
      const d = tf.mul(dy, at(saved, 2));
      const along = tf.mul(normal, tf.mean(tf.mul(d, normal), -1, true));
      const dx = tf.mul(tf.sub(tf.sub(d, tf.mean(d, -1, true)), along), scale);
      return [dx, tf.sum(rows(tf.mul(dy, normal)), 0), tf.sum(rows(dy), 0)];
    },
  );
}

/** The mean over the first axis. */
export function meanOfFirst(x: Tensor): Tensor {
  const count = x.shape[0] ?? 1;
  const rest = x.shape.slice(1);
  const flat = (t: Tensor, first: number): tf.Tensor2D => tf.reshape(t, [first, x.size / count]);
  return differentiable(
    [x],
    () => tf.reshape(tf.matMul(tf.fill([1, count], 1 / count), flat(x, count)), rest),
    dy => [tf.reshape(tf.matMul(tf.fill([count, 1], 1 / count), flat(dy, 1)), x.shape)],
  );
}

/** keys [80, B, 64] against query [B, 64], scaled: [B, 80]. */
export function point(keys: Tensor, query: Tensor): Tensor {
  const scale = 1 / Math.sqrt(network.width);
  const count = keys.shape[0] ?? 1;
  return differentiable(
    [keys, query],
    save => {
      save([keys, query]);
      return tf.transpose(tf.mul(tf.sum(tf.mul(keys, query), -1), scale), [1, 0]);
    },
    (dy, saved) => {
      const d = tf.mul(tf.expandDims(tf.transpose(dy, [1, 0]), -1), scale);
      const weighted = tf.reshape(tf.mul(d, at(saved, 0)), [count, query.size]);
      const dQuery = tf.matMul(tf.ones([1, count]), weighted);
      return [tf.mul(d, at(saved, 1)), tf.reshape(dQuery, query.shape)];
    },
  );
}
