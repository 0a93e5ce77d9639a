// The network of the compact policy: tokens in, one distribution for each decision out. The same description serves three uses,
// told apart by who chooses: a rollout draws each choice inside the graph, so that a later decision can depend on an earlier one
// in one run; a trainer is fed the choices that were made; an export shows the first distributions.

import { Graph, type Value } from '../graph/graph.ts';
import { linear, norm } from '../graph/layers.ts';
import * as op from '../graph/ops/index.ts';
import { embedding } from './embedding.ts';
import { RELATION_STEPS } from './feeds.ts';
import { type Chooser, type Decisions, NEVER } from './heads/choosing.ts';
import { decide } from './heads.ts';

export interface NetworkShape {
  readonly width: number;
  readonly blocks: number;
  readonly heads: number;
  /** Numbers between the two layers of a block's second half. */
  readonly hidden: number;
  readonly letterWidth: number;
  readonly pixels: boolean;
}

export const COMPACT: NetworkShape = {
  width: 64,
  blocks: 2,
  heads: 2,
  hidden: 128,
  letterWidth: 12,
  pixels: true,
};

/** Rows of the batch, tokens of a row. */
const [B, T] = ['B', 'T'];

export interface PolicyNetwork {
  readonly graph: Graph;
  readonly tokens: Value;
  readonly decisions: Decisions;
}

export function buildPolicy(shape: NetworkShape, chooserOf: (graph: Graph) => Chooser): PolicyNetwork {
  const graph = new Graph();
  const chooser = chooserOf(graph);
  const valid = op.cast(graph.input('valid', 'uint8', [B, T]), 'float32');
  const relation = op.mul(
    op.cast(graph.input('relation', 'uint8', [B, T, T]), 'float32'),
    1 / RELATION_STEPS,
  );
  const hidden = op.unsqueeze(op.unsqueeze(op.mul(op.sub(valid, 1), -NEVER), 1), 1);
  const embedded = embedding(graph, shape);
  let x = embedded.tokens;
  for (let index = 0; index < shape.blocks; index++) {
    x = graph.scope(`block${index}`, () => block(graph, shape, x, relation, hidden));
  }
  const tokens = norm(graph, x, 'norm');
  return { graph, tokens, decisions: decide(graph, { ...embedded, tokens, relation, valid }, chooser) };
}

function block(graph: Graph, shape: NetworkShape, x: Value, relation: Value, hidden: Value): Value {
  const rested = op.add(x, attention(graph, shape, norm(graph, x, 'norm1'), relation, hidden));
  const wide = op.relu(linear(graph, norm(graph, rested, 'norm2'), 'up', shape.hidden, Math.SQRT2));
  return op.add(rested, linear(graph, wide, 'down', shape.width));
}

/** Each token hears those that it asks for, and, without asking, those that share words with it. */
function attention(
  graph: Graph,
  { width, heads }: NetworkShape,
  x: Value,
  relation: Value,
  hidden: Value,
): Value {
  const size = width / heads;
  const parted = (part: Value) => op.transpose(op.reshape(part, [B, T, heads, size]), [0, 2, 1, 3]);
  const [q, k, v, said] = op.split(linear(graph, x, 'qkv', 4 * width), [width, width, width, width], 2);
  const scores = op.matmul(op.mul(parted(q), 1 / Math.sqrt(size)), op.swapLast(parted(k)));
  const merged = op.transpose(op.matmul(op.softmax(op.add(scores, hidden)), parted(v)), [0, 2, 1, 3]);
  const heard = linear(graph, op.reshape(merged, x.shape), 'out', width);
  return op.add(heard, linear(graph, op.matmul(relation, said), 'shared', width));
}
