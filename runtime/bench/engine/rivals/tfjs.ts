// Training with TensorFlow.js as one ordinarily writes it: variables, the library's own gradients, and AdamW in its
// public operations. tfjs-tuned/ shows what its kernels can give at most.

import type { Tensor, Variable } from '@tensorflow/tfjs-core';
import * as tf from '@tensorflow/tfjs-core';
// The Node build registers no gradients. These come as modules that Node itself cannot resolve; the path, not being
// that of a package, has them bundled. They register themselves in a global that the Node build looks into.
import '../../../../node_modules/@tensorflow/tfjs-core/dist/register_all_gradients.js';
import { optimiser, type Rival, type Weights } from './rival.ts';
import { type Lookup, loss, upload } from './tfjs-network.ts';
import { startWasm } from './tfjs-start.ts';

/** One parameter with Adam's two moments. */
interface Parameter {
  readonly w: Variable;
  readonly m: Variable;
  readonly v: Variable;
}

function clipScale(gradients: readonly Tensor[]): Tensor {
  const norm = tf.sqrt(tf.addN(gradients.map(g => tf.sum(tf.square(g)))));
  return tf.minimum(tf.div(optimiser.maxNorm, tf.add(norm, optimiser.normEpsilon)), 1);
}

function adam({ w, m, v }: Parameter, g: Tensor, step: number): void {
  const { rate, beta1, beta2, epsilon, decay } = optimiser;
  m.assign(tf.add(tf.mul(m, beta1), tf.mul(g, 1 - beta1)));
  v.assign(tf.add(tf.mul(v, beta2), tf.mul(tf.square(g), 1 - beta2)));
  const root = tf.add(tf.mul(tf.sqrt(v), 1 / Math.sqrt(1 - beta2 ** step)), epsilon);
  const change = tf.mul(tf.div(m, root), rate / (1 - beta1 ** step));
  const kept = w.rank === 2 ? tf.mul(w, 1 - rate * decay) : w;
  w.assign(tf.sub(kept, change));
}

export async function createTfjs(weights: Weights): Promise<Rival> {
  await startWasm();
  const parameters = new Map<string, Parameter>();
  // Variables outlive a tidy; only what they were made from is disposed of.
  tf.tidy(() => {
    for (const [name, { dims, data }] of weights) {
      const shape = [...dims];
      const w = tf.variable(tf.tensor(data, shape));
      const [m, v] = [tf.variable(tf.zeros(shape), false), tf.variable(tf.zeros(shape), false)];
      parameters.set(name, { w, m, v });
    }
  });
  let steps = 0;

  const lookup: Lookup = name => {
    const parameter = parameters.get(name);
    if (parameter === undefined) throw new Error(`There is no weight named ${name}.`);
    return parameter.w;
  };

  return {
    name: 'TensorFlow.js (WASM)',

    async step(batch) {
      steps++;
      const before = tf.tidy(() => {
        const inputs = upload(batch);
        const { value, grads } = tf.variableGrads(() => loss(lookup, inputs));
        const scale = clipScale(Object.values(grads));
        for (const parameter of parameters.values()) {
          const gradient = grads[parameter.w.name];
          if (gradient === undefined) throw new Error('A weight has no gradient.');
          adam(parameter, tf.mul(gradient, scale), steps);
        }
        return value;
      });
      const [scalar = Number.NaN] = await before.data();
      before.dispose();
      return scalar;
    },

    async weights() {
      const out = new Map<string, Float32Array>();
      for (const [name, { w }] of parameters) out.set(name, Float32Array.from(await w.data()));
      return out;
    },

    async close() {
      for (const { w, m, v } of parameters.values()) tf.dispose([w, m, v]);
    },
  };
}
