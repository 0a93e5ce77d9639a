// The most that the kernels of TensorFlow.js's WASM backend can give on this network: every gradient is written by
// hand and every product arranged for the SIMD kernels. Nobody would write a network like this; ../tfjs.ts is the
// one that people write. This one is here so that the comparison also shows the most favourable case.

import type { Tensor } from '@tensorflow/tfjs-core';
import * as tf from '@tensorflow/tfjs-core';
import { type Batch, optimiser, type Rival, type Weights } from '../rival.ts';
import { startWasm } from '../tfjs-start.ts';
import { type Lookup, loss, upload } from './network.ts';

/** Parameters that one pass of Adam's kernels updates together. */
interface Group {
  readonly names: readonly string[];
  readonly decay: number;
  m: Tensor;
  v: Tensor;
}

/**
 * Every matrix is a group of its own; all vectors share one. The vectors are small and many, and each kernel
 * call costs more than the arithmetic on them.
 */
function groups(weights: Weights): Group[] {
  const matrices = [...weights].filter(([, tensor]) => tensor.dims.length === 2);
  const vectors = [...weights].filter(([, tensor]) => tensor.dims.length !== 2);
  const group = (entries: typeof vectors, shape: number[], decay: number): Group => ({
    names: entries.map(([name]) => name),
    decay,
    m: tf.zeros(shape),
    v: tf.zeros(shape),
  });
  const length = vectors.reduce((sum, [, tensor]) => sum + tensor.data.length, 0);
  return [
    ...matrices.map(entry => group([entry], [...entry[1].dims], optimiser.decay)),
    group(vectors, [length], 0),
  ];
}

function gather(names: readonly string[], from: Lookup): Tensor {
  const [first, ...rest] = names.map(from);
  if (first === undefined) throw new Error('A group has no parameters.');
  return rest.length === 0 ? first : tf.concat([first, ...rest]);
}

/** The reverse of gather. */
function scatter(names: readonly string[], joined: Tensor, like: Lookup): [string, Tensor][] {
  let offset = 0;
  return names.map(name => {
    const { size } = like(name);
    const own = names.length === 1 ? joined : tf.slice(joined, [offset], [size]);
    offset += size;
    return [name, own];
  });
}

function clipScale(gradients: readonly Tensor[]): Tensor {
  const norm = tf.sqrt(tf.addN(gradients.map(g => tf.sum(tf.square(g)))));
  return tf.minimum(tf.div(optimiser.maxNorm, tf.add(norm, optimiser.normEpsilon)), 1);
}

interface Moved {
  readonly m: Tensor;
  readonly v: Tensor;
  readonly w: Tensor;
}

function adam(w: Tensor, g: Tensor, group: Group, step: number): Moved {
  const { rate, beta1, beta2, epsilon } = optimiser;
  const m = tf.add(tf.mul(group.m, beta1), tf.mul(g, 1 - beta1));
  const v = tf.add(tf.mul(group.v, beta2), tf.mul(tf.square(g), 1 - beta2));
  const root = tf.add(tf.mul(tf.sqrt(v), 1 / Math.sqrt(1 - beta2 ** step)), epsilon);
  const change = tf.mul(tf.div(m, root), rate / (1 - beta1 ** step));
  const kept = group.decay === 0 ? w : tf.mul(w, 1 - rate * group.decay);
  return { m, v, w: tf.sub(kept, change) };
}

export async function createTunedTfjs(weights: Weights): Promise<Rival> {
  await startWasm();
  const names = [...weights.keys()];
  const current = new Map<string, Tensor>();
  for (const [name, { dims, data }] of weights) current.set(name, tf.tensor(data, [...dims]));
  const parts = groups(weights);
  let steps = 0;

  const find =
    (tensors: ReadonlyMap<string, Tensor>): Lookup =>
    name => {
      const tensor = tensors.get(name);
      if (tensor === undefined) throw new Error(`There is no weight named ${name}.`);
      return tensor;
    };
  const named = (tensors: readonly Tensor[]): Lookup =>
    find(new Map(tensors.map((tensor, n) => [names[n] ?? '', tensor])));

  function update(batch: Batch): { value: Tensor; moved: Moved[]; next: [string, Tensor][] } {
    const inputs = upload(batch);
    const differentiate = tf.valueAndGrads((...tensors) => loss(named(tensors), inputs));
    const { value, grads } = differentiate(names.map(find(current)));
    const gradient = named(grads);
    const joined = parts.map(part => gather(part.names, gradient));
    const scale = clipScale(joined);
    const moved = parts.map((part, n) => {
      const g = joined[n];
      if (g === undefined) throw new Error('A group has no gradient.');
      return adam(gather(part.names, find(current)), tf.mul(g, scale), part, steps);
    });
    const next = moved.flatMap(({ w }, n) => scatter(parts[n]?.names ?? [], w, find(current)));
    return { value, moved, next };
  }

  return {
    name: 'TensorFlow.js (WASM), tuned',

    async step(batch) {
      steps++;
      let value: Tensor | undefined;
      tf.tidy(() => {
        const result = update(batch);
        value = tf.keep(result.value);
        result.moved.forEach(({ m, v }, n) => {
          const part = parts[n];
          if (part === undefined) return;
          tf.dispose([part.m, part.v]);
          part.m = tf.keep(m);
          part.v = tf.keep(v);
        });
        for (const [name, tensor] of result.next) {
          current.get(name)?.dispose();
          current.set(name, tf.keep(tensor));
        }
      });
      if (value === undefined) throw new Error('The step has no loss.');
      const [scalar = Number.NaN] = await value.data();
      value.dispose();
      return scalar;
    },

    async weights() {
      const out = new Map<string, Float32Array>();
      for (const name of names) out.set(name, Float32Array.from(await find(current)(name).data()));
      return out;
    },

    async close() {
      for (const tensor of current.values()) tensor.dispose();
      for (const { m, v } of parts) tf.dispose([m, v]);
    },
  };
}
