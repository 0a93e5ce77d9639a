// The network that the benchmark trains: a compact pixel policy of two transformer blocks over 80 patches and 8 words,
// with a kind head and a pointer, under a clipped policy objective. rivals/ builds the same in other engines.

import type { AdamOptions } from '../../graph/adam.ts';
import { Graph, type Value } from '../../graph/graph.ts';
import * as initial from '../../graph/initial.ts';
import { linear, norm } from '../../graph/layers.ts';
import * as op from '../../graph/ops/index.ts';
import type { Tensors } from '../../graph/tensor.ts';
import { type Batch, network as N, objective, optimiser } from './rivals/rival.ts';

const B = 'B';
const LETTER_WIDTH = N.patchSize / N.letters;

export interface Policy {
  readonly graph: Graph;
  /** Log-probabilities. */
  readonly kind: Value;
  readonly pointer: Value;
}

export function buildPolicy(): Policy {
  const graph = new Graph();
  const patches = linear(
    graph,
    graph.input('patches', 'float32', [B, N.patches, N.patchSize]),
    'patch',
    N.width,
  );
  const table = graph.parameter('place.table', [N.places, N.width], initial.normal(0.02));
  const places = op.gather(table, graph.input('place', 'int32', [B, N.patches]));
  const letters = graph.parameter('char.table', [N.characters, LETTER_WIDTH], initial.normal(1));
  const spelt = op.gather(letters, graph.input('words', 'int32', [B, N.words, N.letters]));
  const words = linear(graph, op.reshape(spelt, [B, N.words, N.patchSize]), 'word', N.width);
  let x = op.concat([op.add(patches, places), words], 1);
  for (let index = 0; index < N.blocks; index++) x = graph.scope(`block${index}`, () => block(graph, x));
  x = norm(graph, x, 'norm');

  const [seen, read] = op.split(x, [N.patches, N.words], 1);
  if (seen === undefined || read === undefined) throw new RangeError('A split into two gives two.');
  const query = linear(graph, op.reduceMean(read, [1]), 'query', N.width);
  const keyWeights = graph.parameter('key.w', [N.width, N.width], initial.fanIn());
  const keys = op.reshape(op.gemm(op.rowsOf(seen), keyWeights), seen.shape);
  const pointing = op.reshape(op.matmul(keys, op.reshape(query, [B, N.width, 1])), [B, N.patches]);
  const pointer = op.mul(pointing, 1 / Math.sqrt(N.width));
  const kind = linear(graph, op.reduceMean(x, [1]), 'kind', N.kinds);
  return { graph, kind: op.logSoftmax(kind), pointer: op.logSoftmax(pointer) };
}

function block(graph: Graph, x: Value): Value {
  const rested = op.add(x, attention(graph, norm(graph, x, 'norm1')));
  const wide = op.relu(linear(graph, norm(graph, rested, 'norm2'), 'up', 4 * N.width));
  return op.add(rested, linear(graph, wide, 'down', N.width));
}

function attention(graph: Graph, x: Value): Value {
  const parts = op.split(linear(graph, x, 'qkv', 3 * N.width), [N.width, N.width, N.width], 2);
  const [q, k, v] = parts.map(part =>
    op.transpose(op.reshape(part, [B, N.tokens, N.heads, N.headSize]), [0, 2, 1, 3]),
  );
  if (q === undefined || k === undefined || v === undefined)
    throw new RangeError('A split into three gives three.');
  const scores = op.softmax(op.matmul(op.mul(q, 1 / Math.sqrt(N.headSize)), op.swapLast(k)));
  const merged = op.reshape(op.transpose(op.matmul(scores, v), [0, 2, 1, 3]), [B, N.tokens, N.width]);
  return linear(graph, merged, 'out', N.width);
}

/** The clipped objective over both heads, with a bonus for entropy. */
export function policyLoss({ graph, kind, pointer }: Policy): Value {
  const advantage = graph.input('advantage', 'float32', [B]);
  const head = (name: string, logits: Value, choices: number) => {
    const taken = op.reshape(graph.input(name, 'int32', [B]), [B, 1]);
    const chosen = op.reshape(op.gatherElements(logits, taken), [B]);
    const before = graph.input(`old-${name}`, 'float32', [B]);
    const ratio = op.exp(op.clip(op.sub(chosen, before), -objective.ratioLimit, objective.ratioLimit));
    const clipped = op.clip(ratio, objective.clipLow, objective.clipHigh);
    const surrogate = op.min(op.mul(ratio, advantage), op.mul(clipped, advantage));
    const entropy = op.neg(op.reduceSum(op.mul(op.exp(logits), logits), [1]));
    return op.add(surrogate, op.mul(entropy, objective.entropy / Math.log(choices)));
  };
  const gain = op.add(head('kind', kind, N.kinds), head('pointer', pointer, N.patches));
  return op.neg(op.mul(op.reduceMean(gain), 1 / 2));
}

export const ADAM: AdamOptions = {
  learningRate: { peak: optimiser.rate },
  beta1: optimiser.beta1,
  beta2: optimiser.beta2,
  epsilon: optimiser.epsilon,
  weightDecay: optimiser.decay,
  clipNorm: optimiser.maxNorm,
};

export function observationFeeds({ size, patches, place, words }: Batch): Tensors {
  return {
    patches: { dtype: 'float32', dims: [size, N.patches, N.patchSize], data: patches },
    place: { dtype: 'int32', dims: [size, N.patches], data: place },
    words: { dtype: 'int32', dims: [size, N.words, N.letters], data: words },
  };
}

export function trainingFeeds(batch: Batch): Tensors {
  const { size, kind, pointer, oldKind, oldPointer, advantage } = batch;
  return {
    ...observationFeeds(batch),
    kind: { dtype: 'int32', dims: [size], data: kind },
    pointer: { dtype: 'int32', dims: [size], data: pointer },
    'old-kind': { dtype: 'float32', dims: [size], data: oldKind },
    'old-pointer': { dtype: 'float32', dims: [size], data: oldPointer },
    advantage: { dtype: 'float32', dims: [size], data: advantage },
  };
}
