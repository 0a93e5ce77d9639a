// The embedding of each token: the sum of its words, sort, place, features and pixels.

import type { Graph, Value } from '../../graph/graph.ts';
import * as initial from '../../graph/initial.ts';
import { linear } from '../../graph/layers.ts';
import * as op from '../../graph/ops/index.ts';
import { SQUARE_AREA } from './observation.ts';
import { FEATURES, PLACES, SLOTS_OF_WORDS, SORTS } from './token-numbers.ts';
import { ALPHABET, KNOWN_WORDS, LETTERS } from './word-tokenizer.ts';

/** Symbolic dimensions: batch rows, tokens per row, distinct words and squares of the batch. */
const [B, T, U, Q] = ['B', 'T', 'U', 'Q'];

export interface EmbeddingShape {
  readonly width: number;
  readonly letterWidth: number;
  readonly pixels: boolean;
}

export interface Embedded {
  /** [B, T, width] */
  readonly tokens: Value;
  /** Distinct words of the batch: [U, width]. */
  readonly words: Value;
  /** Indices of each token's words: [B, T, SLOTS_OF_WORDS]. */
  readonly spelled: Value;
  /** [B, T] */
  readonly sorts: Value;
  /** [B, T, FEATURES] */
  readonly features: Value;
}

/** All parts start with a similar magnitude. */
export function embedding(graph: Graph, { width, letterWidth, pixels }: EmbeddingShape): Embedded {
  const table = (name: string, rows: number, columns = width, deviation = 0.6) =>
    graph.parameter(`${name}.table`, [rows, columns], initial.normal(deviation));
  const spelled = graph.input('spelled', 'int32', [B, T, SLOTS_OF_WORDS]);
  const sorts = graph.input('sorts', 'int32', [B, T]);
  const features = graph.input('features', 'float32', [B, T, FEATURES]);
  const letters = op.gather(
    table('letter', ALPHABET, letterWidth, 1),
    graph.input('letters', 'int32', [U, LETTERS]),
  );
  const fromLetters = linear(graph, op.reshape(letters, [U, LETTERS * letterWidth]), 'word', width, 0.4);
  const words = op.add(
    fromLetters,
    op.gather(table('known', KNOWN_WORDS, width, 0.3), graph.input('known', 'int32', [U])),
  );
  const parts = [
    op.reduceSum(op.gather(words, spelled), [2]),
    op.gather(table('sort', SORTS), sorts),
    op.gather(table('place', PLACES), graph.input('places', 'int32', [B, T])),
    linear(graph, features, 'feature', width, 2),
  ];
  if (pixels) {
    const squares = op.cast(graph.input('squares', 'uint8', [Q, SQUARE_AREA]), 'float32');
    const weights = graph.parameter('square.w', [SQUARE_AREA, width], initial.fanIn(0.5));
    // Dividing the weights by 255 equals dividing every pixel and costs less.
    const appearance = op.gemm(squares, op.div(weights, 255));
    parts.push(op.gather(appearance, graph.input('square', 'int32', [B, T])));
  }
  return { tokens: parts.reduce((sum, part) => op.add(sum, part)), words, spelled, sorts, features };
}
