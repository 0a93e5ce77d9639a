import { defaultDevice, init, jit, numpy as np, tree, valueAndGrad } from '@jax-js/jax';
import { type Arrays, loss, take, upload } from './jaxjs-network.ts';
import { optimiser, type Rival, type Weights } from './rival.ts';

type State = { w: Arrays; m: Arrays; v: Arrays };
type Result = { loss: np.Array; state: State };

/** One weight's Adam step; `first` and `second` are the bias corrections of the step. */
function adam(w: np.Array, m: np.Array, v: np.Array, g: np.Array, first: np.Array, second: np.Array) {
  const { rate, beta1, beta2, epsilon, decay } = optimiser;
  const kept = w.ndim === 2 ? w.mul(1 - rate * decay) : w;
  const nextM = m.mul(beta1).add(g.ref.mul(1 - beta1));
  const nextV = v.mul(beta2).add(np.square(g).mul(1 - beta2));
  const root = np.sqrt(nextV.ref).mul(second).add(epsilon);
  return { w: kept.sub(nextM.ref.mul(first).div(root)), m: nextM, v: nextV };
}

function step(state: State, inputs: Arrays, first: np.Array, second: np.Array): Result {
  const [value, gradients] = valueAndGrad(loss)(tree.ref(state.w), inputs);
  const names = Object.keys(gradients);
  const squares = names.map(name => np.sum(np.square(take(gradients, name).ref)));
  const norm = np.sqrt(squares.reduce((sum, square) => sum.add(square)));
  const scale = np.minimum(np.reciprocal(norm.add(optimiser.normEpsilon)).mul(optimiser.maxNorm), 1);
  const next: State = { w: {}, m: {}, v: {} };
  for (const name of names) {
    const g = take(gradients, name).mul(scale.ref);
    const { w, m, v } = state;
    const moved = adam(take(w, name), take(m, name), take(v, name), g, first.ref, second.ref);
    next.w[name] = moved.w;
    next.m[name] = moved.m;
    next.v[name] = moved.v;
  }
  tree.dispose([scale, first, second]);
  return { loss: value, state: next };
}

export async function createJaxJs(weights: Weights): Promise<Rival> {
  // The library starts a worker for each core where workers are a global, which in Node they are not.
  if ('Worker' in globalThis) throw new Error('jax-js would use several threads, and it is compared on one.');
  await init('wasm');
  defaultDevice('wasm');
  const compiled = jit(step);
  let steps = 0;
  let state: State = { w: {}, m: {}, v: {} };
  for (const [name, { dims, data }] of weights) {
    state.w[name] = np.array(data, { shape: [...dims] });
    state.m[name] = np.zeros([...dims]);
    state.v[name] = np.zeros([...dims]);
  }

  return {
    name: 'jax-js (WASM)',

    async step(batch) {
      steps++;
      const first = np.array(optimiser.rate / (1 - optimiser.beta1 ** steps), { dtype: np.float32 });
      const second = np.array(1 / Math.sqrt(1 - optimiser.beta2 ** steps), { dtype: np.float32 });
      const result = compiled(state, upload(batch), first, second);
      state = result.state;
      // Reading any one result runs the whole compiled step, so the new weights are done too. (Waiting on the
      // weights themselves would have each of them wait for every kernel, at the cost of another step.)
      const [value = Number.NaN] = await result.loss.data();
      return value;
    },

    async weights() {
      const out = new Map<string, Float32Array>();
      for (const name of weights.keys())
        out.set(name, Float32Array.from(await take(state.w, name).ref.data()));
      return out;
    },

    async close() {
      tree.dispose(state);
      compiled.dispose();
    },
  };
}
