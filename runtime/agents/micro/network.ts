// The network of the micro model: a decoder of a vision-language model with about two million weights.
//
//   [patches of the picture][text of the prompt][reply]  →  embedding  →  blocks  →  distribution over the next token
//
// - The prompt is read in both directions, the reply in one (prefix attention): a token sees the tokens whose `order` is not above its own.
// - A block has self-attention and two averages without weights of their own. One is over the tokens with an equal word, for a patch over
//   its row of the screen; the other over the tokens of the same line: an entry of the element list, or a phrase of the picture. These two
//   match a name of the instruction with a name of the screen that never occurred in training, which is most of what tier 1 needs.
// - A token's word is embedded by its letters, a patch by its pixels. Both end in one space, so that a name can be found in a picture.
// - The next token is a mixture: written from the vocabulary, copied from the text, or copied from the coordinates of a patch. A copy
//   continues behind an equal token (the keys `afterToken`, `afterPair`), as induction heads of large models learn to do.
// - One description serves training (whole rows) and decoding (one token against the cache of keys and values).

import { Graph, type Value } from '../../graph/graph.ts';
import * as initial from '../../graph/initial.ts';
import { linear, norm } from '../../graph/layers.ts';
import * as op from '../../graph/ops/index.ts';
import type { Dim } from '../../graph/shape.ts';
import { SQUARE_AREA } from '../compact/observation.ts';
import { ALPHABET, LETTERS } from '../compact/word-tokenizer.ts';
import { PATCH_FEATURES } from './feeds.ts';
import { differs, PENALTY, type Relations, relationInputs, relations } from './relations.ts';
import { PLACES } from './row.ts';
import { PIECES } from './vocabulary.ts';

export interface MicroShape {
  readonly width: number;
  readonly blocks: number;
  readonly heads: number;
  /** Hidden units of the feed-forward part of a block. */
  readonly hidden: number;
  /** Width of the averages over equal words and over lines. */
  readonly shared: number;
  readonly letterWidth: number;
  /** Hidden units between the pixels of a patch and its embedding. */
  readonly patchWidth: number;
  /** Width of the keys of a copy. */
  readonly copyWidth: number;
}

export const MICRO: MicroShape = {
  width: 128,
  blocks: 4,
  heads: 4,
  hidden: 384,
  shared: 48,
  letterWidth: 16,
  patchWidth: 192,
  copyWidth: 64,
};

/** Symbolic dimensions: batch rows, tokens per row, distinct words, squares, predicted tokens per row. */
const [B, T, U, Q, R] = ['B', 'T', 'U', 'Q', 'R'];

/** The values of one place of the network for all tokens that can be seen: its own in training, with the cached ones in decoding. */
export type Memory = (name: string, own: Value) => Value;

export interface MicroNetwork {
  readonly graph: Graph;
  /** The distribution of the next token in three parts, each with the probability that it is used. */
  readonly written: Value;
  readonly copied: Value;
  readonly pointed: Value;
}

/** A network over whole rows: [B, R, …]. `cache` receives what decoding needs of the prompt. */
export function wholeNetwork(
  shape: MicroShape,
  cache: (name: string, value: Value) => void = () => {},
): MicroNetwork {
  const graph = new Graph();
  const keys = relationInputs(graph, B, T, '');
  const position = graph.input('position', 'int32', [B, T]);
  const other = differs(position, position);
  return build(graph, shape, {
    ...{ batch: B, queries: T, keys: T, reads: R, pictures: true },
    relations: relations(keys, keys, other),
    at: graph.input('at', 'int32', [B, R]),
    memory: (name, own) => {
      cache(name, own);
      return own;
    },
  });
}

/** A network over one new token of one row, against `capacity` cached ones: [1, 1, …]. */
export function stepNetwork(
  shape: MicroShape,
  capacity: number,
  cache: (name: string, value: Value, past: Value) => void,
): MicroNetwork {
  const graph = new Graph();
  const known = relationInputs(graph, 1, capacity, '');
  const own = relationInputs(graph, 1, 1, 'own.');
  // 1 at the place of the new token in the cache.
  const slot = graph.input('slot', 'uint8', [1, capacity]);
  const isOwn = op.less(0.5, op.cast(slot, 'float32'));
  const other = op.unsqueeze(op.sub(1, op.cast(slot, 'float32')), 1);
  return build(graph, shape, {
    ...{ batch: 1, queries: 1, keys: capacity, reads: 1, pictures: false },
    relations: relations(own, known, other),
    at: undefined,
    memory: (name, value) => {
      const width = value.shape.at(-1);
      if (typeof width !== 'number') throw new RangeError(`The width of '${name}' is not known.`);
      const past = graph.state(`cache.${name}`, 'float32', [1, capacity, width]);
      // A reply copies from its prompt alone, so the keys of a copy do not change.
      if (name === COPY_KEYS) return past;
      const whole = op.where(op.unsqueeze(isOwn, 2), value, past);
      cache(name, whole, past);
      return whole;
    },
  });
}

export const COPY_KEYS = 'copy.keys';

interface Setting {
  readonly batch: Dim;
  readonly queries: Dim;
  readonly keys: Dim;
  readonly reads: Dim;
  /** Whether the new tokens may be patches. */
  readonly pictures: boolean;
  readonly relations: Relations;
  /** The flat positions of the tokens whose successors are predicted; absent for all of them. */
  readonly at: Value | undefined;
  readonly memory: Memory;
}

function build(graph: Graph, shape: MicroShape, setting: Setting): MicroNetwork {
  let x = embedding(graph, shape, setting);
  for (let index = 0; index < shape.blocks; index++)
    x = graph.scope(`block${index}`, () => block(graph, shape, x, setting, `block${index}`));
  return { graph, ...prediction(graph, shape, x, setting) };
}

// Embedding

function embedding(graph: Graph, { width, letterWidth, patchWidth }: MicroShape, setting: Setting): Value {
  const { batch, queries, pictures } = setting;
  const table = (name: string, rows: number, columns: number, deviation: number) =>
    graph.parameter(`${name}.table`, [rows, columns], initial.normal(deviation));
  const input = (name: string) => graph.input(name, 'int32', [batch, queries]);
  const letters = op.gather(
    table('letter', ALPHABET, letterWidth, 1),
    graph.input('letters', 'int32', [U, LETTERS]),
  );
  const words = linear(graph, op.reshape(letters, [U, LETTERS * letterWidth]), 'word', width, 0.6);
  const pixels = graph.parameter('pixel.w', [SQUARE_AREA, patchWidth], initial.fanIn(2));
  const seen = graph.parameter('patch.w', [patchWidth, width], initial.fanIn(1));
  const placed = graph.parameter('box.w', [PATCH_FEATURES, width], initial.fanIn(1));
  const parts = [
    op.gather(table('token', PIECES.length, width, 0.5), input('tokens')),
    op.gather(words, input('words')),
    op.gather(table('place', PLACES, width, 0.3), input('places')),
  ];
  if (pictures) {
    // No biases: a token without a patch has the empty square and no box, and both embed to 0.
    const squares = op.cast(graph.input('squares', 'uint8', [Q, SQUARE_AREA]), 'float32');
    const appearance = op.matmul(op.relu(op.gemm(squares, op.div(pixels, 255))), seen);
    parts.push(op.gather(appearance, input('square')));
    parts.push(op.matmul(graph.input('features', 'float32', [batch, queries, PATCH_FEATURES]), placed));
  }
  return parts.reduce((sum, part) => op.add(sum, part));
}

// Blocks

function block(graph: Graph, shape: MicroShape, x: Value, setting: Setting, name: string): Value {
  const { width, heads, hidden, shared } = shape;
  const { batch, queries, keys, relations: related, memory } = setting;
  const size = width / heads;
  const [q, k, v, ofWord, ofLine] = op.split(
    linear(graph, norm(graph, x, 'norm1'), 'in', 3 * width + 2 * shared),
    [width, width, width, shared, shared],
    2,
  );
  const headsOf = (value: Value, length: Dim) =>
    op.transpose(op.reshape(value, [batch, length, heads, size]), [0, 2, 1, 3]);
  const allKeys = headsOf(memory(`${name}.k`, k), keys);
  const scores = op.matmul(headsOf(op.mul(q, 1 / Math.sqrt(size)), queries), op.swapLast(allKeys));
  const attention = op.softmax(op.add(scores, related.mask));
  const merged = op.transpose(op.matmul(attention, headsOf(memory(`${name}.v`, v), keys)), [0, 2, 1, 3]);
  const gathered = op.concat(
    [
      op.reshape(merged, [batch, queries, width]),
      op.matmul(related.words, memory(`${name}.word`, ofWord)),
      op.matmul(related.lines, memory(`${name}.line`, ofLine)),
    ],
    2,
  );
  const attended = op.add(x, linear(graph, gathered, 'out', width));
  const wide = op.relu(linear(graph, norm(graph, attended, 'norm2'), 'up', hidden, Math.SQRT2));
  return op.add(attended, linear(graph, wide, 'down', width, 0.5));
}

// Prediction

function prediction(
  graph: Graph,
  shape: MicroShape,
  x: Value,
  setting: Setting,
): Omit<MicroNetwork, 'graph'> {
  const { copyWidth, width } = shape;
  const { batch, keys, reads, at, memory } = setting;
  const copyKeys = memory(COPY_KEYS, linear(graph, norm(graph, x, 'norm.keys'), 'copy.key', 2 * copyWidth));
  const [textKeys, patchKeys] = op.split(copyKeys, [copyWidth, copyWidth], 2);
  const read = at === undefined ? x : op.gather(op.reshape(x, [-1, width]), at);
  const state = norm(graph, read, 'norm.last');
  const logits = linear(graph, state, 'write', PIECES.length, 0.3);
  const [textQuery, patchQuery] = op.split(
    linear(graph, state, 'copy.query', 2 * copyWidth),
    [copyWidth, copyWidth],
    2,
  );
  const input = (name: string) => graph.input(name, 'int32', [batch, keys]);
  const current = (name: string) => op.unsqueeze(graph.input(name, 'int32', [batch, reads]), 2);
  /** 1 where a copy continues the last tokens of the reply: [B, reads, keys]. */
  const continues = (after: string, now: string) =>
    op.cast(op.equal(op.unsqueeze(input(after), 1), current(now)), 'float32');
  const trust = (name: string, value: number) => graph.parameter(name, [1], initial.constant(value));
  const scores = (query: Value, own: Value) =>
    op.matmul(op.mul(query, 1 / Math.sqrt(copyWidth)), op.swapLast(own));
  /** −PENALTY for each key without a copy: [B, 1, keys]. */
  const only = (copies: Value) => op.unsqueeze(op.mul(op.cast(op.less(copies, 0), 'float32'), -PENALTY), 1);
  const [textPenalty, patchPenalty] = [only(input('copy')), only(input('copyDown'))];
  const copy = op.softmax(
    op.add(
      op.add(
        scores(textQuery, textKeys),
        op.add(
          op.mul(continues('afterToken', 'token'), trust('continue.token', 1.5)),
          op.mul(continues('afterPair', 'pair'), trust('continue.pair', 1.5)),
        ),
      ),
      textPenalty,
    ),
  );
  const point = op.softmax(op.add(scores(patchQuery, patchKeys), patchPenalty));
  // A way without any key has no token: its probability would be lost.
  const least = (penalty: Value) => op.reduceMax(penalty, [2], { keepDims: true });
  const closed = op.concat([op.mul(least(textPenalty), 0), least(textPenalty), least(patchPenalty)], 2);
  const ways = op.softmax(op.add(linear(graph, state, 'way', 3), closed));
  const [write, repeat, aim] = op.split(ways, [1, 1, 1], 2);
  return {
    written: op.mul(op.softmax(logits), write),
    copied: op.mul(copy, repeat),
    pointed: op.mul(point, aim),
  };
}
