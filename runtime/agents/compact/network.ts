// The compact policy network: tokens in, one distribution for each decision out. The chooser selects the use. A rollout samples
// each choice inside the graph, so that later decisions depend on earlier ones within one run. A trainer feeds recorded choices.

import { Graph, type Value } from '../../graph/graph.ts';
import { linear, norm } from '../../graph/layers.ts';
import * as op from '../../graph/ops/index.ts';
import { embedding } from './embedding.ts';
import { RELATION_STEPS } from './feeds.ts';
import { type Chooser, type Decisions, MASK_PENALTY } from './heads/graph-decision.ts';
import { decide } from './heads.ts';

export interface NetworkShape {
  readonly width: number;
  readonly blocks: number;
  readonly heads: number;
  /** Hidden units of the feed-forward part of a block. */
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

/** Symbolic dimensions: batch rows, tokens per row. */
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
  const padding = op.unsqueeze(op.unsqueeze(op.mul(op.sub(valid, 1), -MASK_PENALTY), 1), 1);
  const embedded = embedding(graph, shape);
  let x = embedded.tokens;
  for (let index = 0; index < shape.blocks; index++) {
    x = graph.scope(`block${index}`, () => block(graph, shape, x, relation, padding));
  }
  const tokens = norm(graph, x, 'norm');
  return { graph, tokens, decisions: decide(graph, { ...embedded, tokens, relation, valid }, chooser) };
}

function block(graph: Graph, shape: NetworkShape, x: Value, relation: Value, padding: Value): Value {
  const attended = op.add(x, attention(graph, shape, norm(graph, x, 'norm1'), relation, padding));
  const wide = op.relu(linear(graph, norm(graph, attended, 'norm2'), 'up', shape.hidden, Math.SQRT2));
  return op.add(attended, linear(graph, wide, 'down', shape.width));
}

/** Multi-head self-attention, plus a fixed attention over the tokens that share words. */
function attention(
  graph: Graph,
  { width, heads }: NetworkShape,
  x: Value,
  relation: Value,
  padding: Value,
): Value {
  const size = width / heads;
  const splitHeads = (part: Value) => op.transpose(op.reshape(part, [B, T, heads, size]), [0, 2, 1, 3]);
  const [q, k, v, sharedValues] = op.split(
    linear(graph, x, 'qkv', 4 * width),
    [width, width, width, width],
    2,
  );
  const scores = op.matmul(op.mul(splitHeads(q), 1 / Math.sqrt(size)), op.swapLast(splitHeads(k)));
  const merged = op.transpose(op.matmul(op.softmax(op.add(scores, padding)), splitHeads(v)), [0, 2, 1, 3]);
  const attended = linear(graph, op.reshape(merged, x.shape), 'out', width);
  return op.add(attended, linear(graph, op.matmul(relation, sharedValues), 'shared', width));
}
