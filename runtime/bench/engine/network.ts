// The benchmark network as one of our graphs, and its batches: a pixel policy of two transformer blocks over 80 patches and 8 words,
// with heads for kind and pointer, and a clipped policy objective. tfjs.ts runs the same graph with TensorFlow.js.

import { seeded } from '../../core/rng.ts';
import { Graph, type Value } from '../../graph/graph.ts';
import * as initial from '../../graph/initial.ts';
import { linear, norm } from '../../graph/layers.ts';
import * as op from '../../graph/ops/index.ts';
import { arrayOf, type DType, type Tensors, tensor } from '../../graph/tensor.ts';

const N = {
  ...{ patches: 80, patchSize: 192, places: 300 },
  ...{ words: 8, letters: 12, characters: 96 },
  ...{ tokens: 88, width: 64, heads: 4, headSize: 16, blocks: 2, kinds: 8 },
} as const;

const OBJECTIVE = { clipLow: 0.8, clipHigh: 1.28, ratioLimit: 20, entropy: 0.01 } as const;

export const ADAM = { learningRate: { peak: 3e-4 }, weightDecay: 0.01, clipNorm: 1 };

const B = 'B';
const LETTER_WIDTH = N.patchSize / N.letters;

export interface BenchPolicy {
  readonly graph: Graph;
  /** Log-probabilities. */
  readonly kind: Value;
  readonly pointer: Value;
}

export function buildPolicy(): BenchPolicy {
  const graph = new Graph();
  const patches = patchTokens(graph, graph.input('patches', 'uint8', [B, N.patches, N.patchSize]));
  const table = graph.parameter('place.table', [N.places, N.width], initial.normal(0.02));
  const places = op.gather(table, graph.input('place', 'int32', [B, N.patches]));
  const letters = graph.parameter('char.table', [N.characters, LETTER_WIDTH], initial.normal(1));
  const spelled = op.gather(letters, graph.input('words', 'int32', [B, N.words, N.letters]));
  const words = linear(graph, op.reshape(spelled, [B, N.words, N.patchSize]), 'word', N.width);
  let x = op.rowsOf(op.concat([op.add(patches, places), words], 1));
  for (let index = 0; index < N.blocks; index++) x = graph.scope(`block${index}`, () => block(graph, x));
  x = op.reshape(norm(graph, x, 'norm'), [B, N.tokens, N.width]);

  const [screen, instruction] = op.split(x, [N.patches, N.words], 1);
  const query = linear(graph, op.reduceMean(instruction, [1]), 'query', N.width);
  const keyWeights = graph.parameter('key.w', [N.width, N.width], initial.fanIn());
  const keys = op.reshape(op.gemm(op.rowsOf(screen), keyWeights), screen.shape);
  const pointing = op.reshape(op.matmul(keys, op.reshape(query, [B, N.width, 1])), [B, N.patches]);
  const pointer = op.mul(pointing, 1 / Math.sqrt(N.width));
  const kind = linear(graph, op.reduceMean(x, [1]), 'kind', N.kinds);
  return { graph, kind: op.logSoftmax(kind), pointer: op.logSoftmax(pointer) };
}

/** Pixels arrive as bytes. Dividing the weights by 255 equals dividing every pixel, with far less work. */
function patchTokens(graph: Graph, patches: Value): Value {
  const weights = graph.parameter('patch.w', [N.patchSize, N.width], initial.fanIn());
  const bias = graph.parameter('patch.b', [N.width], initial.constant(0));
  const pixels = op.rowsOf(op.cast(patches, 'float32'));
  return op.reshape(op.gemm(pixels, op.div(weights, 255), { bias }), [B, N.patches, N.width]);
}

/** Tokens stay rows of one matrix; only attention separates the samples. */
function block(graph: Graph, x: Value): Value {
  const attended = op.add(x, attention(graph, norm(graph, x, 'norm1')));
  const wide = op.relu(linear(graph, norm(graph, attended, 'norm2'), 'up', 4 * N.width));
  return op.add(attended, linear(graph, wide, 'down', N.width));
}

function attention(graph: Graph, x: Value): Value {
  const heads = (part: Value) =>
    op.transpose(op.reshape(part, [B, N.tokens, N.heads, N.headSize]), [0, 2, 1, 3]);
  const [q, k, v] = op.split(linear(graph, x, 'qkv', 3 * N.width), [N.width, N.width, N.width], 1);
  const scores = op.matmul(op.mul(heads(q), 1 / Math.sqrt(N.headSize)), op.swapLast(heads(k)));
  const merged = op.transpose(op.matmul(op.softmax(scores), heads(v)), [0, 2, 1, 3]);
  return linear(graph, op.reshape(merged, x.shape), 'out', N.width);
}

/** The clipped objective over both heads, with an entropy bonus. */
export function policyLoss({ graph, kind, pointer }: BenchPolicy): Value {
  const advantage = graph.input('advantage', 'float32', [B]);
  const head = (name: string, logits: Value, choices: number) => {
    const taken = op.reshape(graph.input(name, 'int32', [B]), [B, 1]);
    const chosen = op.reshape(op.gatherElements(logits, taken), [B]);
    const old = graph.input(`old-${name}`, 'float32', [B]);
    const ratio = op.exp(op.clip(op.sub(chosen, old), -OBJECTIVE.ratioLimit, OBJECTIVE.ratioLimit));
    const clipped = op.clip(ratio, OBJECTIVE.clipLow, OBJECTIVE.clipHigh);
    const surrogate = op.min(op.mul(ratio, advantage), op.mul(clipped, advantage));
    const entropy = op.neg(op.reduceSum(op.mul(op.exp(logits), logits), [1]));
    return op.add(surrogate, op.mul(entropy, OBJECTIVE.entropy / Math.log(choices)));
  };
  const gain = op.add(head('kind', kind, N.kinds), head('pointer', pointer, N.patches));
  return op.neg(op.mul(op.reduceMean(gain), 1 / 2));
}

/** Random feeds of a training step; equal seeds give equal feeds. */
export function trainingFeeds(size: number, seed = 'batch'): Tensors {
  const source = seeded(seed);
  const feed = (dtype: DType, dims: readonly number[], next: () => number) => {
    const values = Array.from({ length: dims.reduce((all, dim) => all * dim, size) }, next);
    return tensor(dtype, [size, ...dims], arrayOf(dtype, values));
  };
  const choices = (below: number) => () => source.int(below);
  const numbers = (low: number, high: number) => () => low + (high - low) * source.next();
  return {
    patches: feed('uint8', [N.patches, N.patchSize], choices(256)),
    place: feed('int32', [N.patches], choices(N.places)),
    words: feed('int32', [N.words, N.letters], choices(N.characters)),
    kind: feed('int32', [], choices(N.kinds)),
    pointer: feed('int32', [], choices(N.patches)),
    'old-kind': feed('float32', [], numbers(-2.3, -1.9)),
    'old-pointer': feed('float32', [], numbers(-4.6, -4.2)),
    advantage: feed('float32', [], numbers(-1, 1)),
  };
}

const OBSERVED = ['patches', 'place', 'words'];

export const observationFeeds = (size: number, seed?: string): Tensors =>
  Object.fromEntries(Object.entries(trainingFeeds(size, seed)).filter(([name]) => OBSERVED.includes(name)));
