// How tokens of the micro model relate, computed in the graph from a few numbers for each token: who sees whom, equal words, one line.

import type { Graph, Value } from '../../graph/graph.ts';
import * as op from '../../graph/ops/index.ts';
import type { Dim } from '../../graph/shape.ts';

/** Added to a score that must not count. */
export const PENALTY = 1e9;

export interface RelationInputs {
  readonly order: Value;
  readonly equal: Value;
  readonly line: Value;
}

export interface Relations {
  /** 0 where a token is seen, −PENALTY elsewhere: [B, 1, queries, keys]. */
  readonly mask: Value;
  /** Shares of the tokens with an equal word, without the token itself, and of those of the same line: [B, queries, keys]. */
  readonly words: Value;
  readonly lines: Value;
}

export const relationInputs = (graph: Graph, batch: Dim, length: Dim, prefix: string): RelationInputs => ({
  order: graph.input(`${prefix}order`, 'int32', [batch, length]),
  equal: graph.input(`${prefix}equal`, 'int32', [batch, length]),
  line: graph.input(`${prefix}line`, 'int32', [batch, length]),
});

export function relations(own: RelationInputs, known: RelationInputs, other: Value): Relations {
  const pair = (compare: typeof op.equal, of: keyof RelationInputs) =>
    compare(op.unsqueeze(known[of], 1), op.unsqueeze(own[of], 2));
  const seen = pair(op.lessOrEqual, 'order');
  const hasWord = op.less(0.5, op.square(op.cast(op.unsqueeze(own.equal, 2), 'float32')));
  const hasLine = op.less(0, op.unsqueeze(own.line, 2));
  const share = (related: Value) =>
    op.div(related, op.max(op.reduceSum(related, [2], { keepDims: true }), 1));
  const flag = (value: Value) => op.cast(value, 'float32');
  return {
    mask: op.unsqueeze(op.mul(op.sub(flag(seen), 1), PENALTY), 1),
    words: share(op.mul(flag(op.and(op.and(pair(op.equal, 'equal'), hasWord), seen)), other)),
    lines: share(flag(op.and(op.and(pair(op.equal, 'line'), hasLine), seen))),
  };
}

/** 1 where two numbers differ: [B, queries, keys]. */
export const differs = (own: Value, known: Value): Value =>
  op.sub(1, op.cast(op.equal(op.unsqueeze(known, 1), op.unsqueeze(own, 2)), 'float32'));
