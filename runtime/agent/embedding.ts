// What is known of each token, as one vector: the words that it has, its sort and place, its features, and what it looks like.

import type { Graph, Value } from '../graph/graph.ts';
import * as initial from '../graph/initial.ts';
import { linear } from '../graph/layers.ts';
import * as op from '../graph/ops/index.ts';
import { SQUARE_AREA } from './observation.ts';
import { FEATURES, PLACES, SLOTS_OF_WORDS, SORTS } from './token-numbers.ts';
import { ALPHABET, KNOWN_WORDS, LETTERS } from './word-tokenizer.ts';

/** Rows of the batch, tokens of a row, words and squares of the batch. */
const [B, T, U, Q] = ['B', 'T', 'U', 'Q'];

export interface EmbeddingShape {
  readonly width: number;
  readonly letterWidth: number;
  readonly pixels: boolean;
}

export interface Embedded {
  /** [B, T, width] */
  readonly tokens: Value;
  /** The words of the batch, each once: [U, width]. */
  readonly words: Value;
  /** Of each token, which of the batch's words it has: [B, T, places for words]. */
  readonly spelled: Value;
  /** [B, T] */
  readonly sorts: Value;
}

/** The sum of all parts, which weigh about the same. */
export function embedding(graph: Graph, { width, letterWidth, pixels }: EmbeddingShape): Embedded {
  const table = (name: string, rows: number, columns = width, deviation = 0.6) =>
    graph.parameter(`${name}.table`, [rows, columns], initial.normal(deviation));
  const spelled = graph.input('spelled', 'int32', [B, T, SLOTS_OF_WORDS]);
  const sorts = graph.input('sorts', 'int32', [B, T]);
  const letters = op.gather(
    table('letter', ALPHABET, letterWidth, 1),
    graph.input('letters', 'int32', [U, LETTERS]),
  );
  const spelt = linear(graph, op.reshape(letters, [U, LETTERS * letterWidth]), 'word', width, 0.4);
  const words = op.add(
    spelt,
    op.gather(table('known', KNOWN_WORDS, width, 0.3), graph.input('known', 'int32', [U])),
  );
  const parts = [
    op.reduceSum(op.gather(words, spelled), [2]),
    op.gather(table('sort', SORTS), sorts),
    op.gather(table('place', PLACES), graph.input('places', 'int32', [B, T])),
    linear(graph, graph.input('features', 'float32', [B, T, FEATURES]), 'feature', width, 2),
  ];
  if (pixels) {
    const squares = op.cast(graph.input('squares', 'uint8', [Q, SQUARE_AREA]), 'float32');
    const weights = graph.parameter('square.w', [SQUARE_AREA, width], initial.fanIn(0.5));
    // Dividing the weights by 255 is the same as dividing every pixel, and far less work.
    const looks = op.gemm(squares, op.div(weights, 255));
    parts.push(op.gather(looks, graph.input('square', 'int32', [B, T])));
  }
  return { tokens: parts.reduce((sum, part) => op.add(sum, part)), words, spelled, sorts };
}
