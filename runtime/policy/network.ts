// The network of the compact policy: tokens in, one distribution for each decision out. The same description serves three uses,
// told apart by who chooses: a rollout draws each choice inside the graph, so that a later decision can depend on an earlier one
// in one run; a trainer is fed the choices that were made; an export shows the first distributions.

import { Graph, type Value } from '../graph/graph.ts';
import * as initial from '../graph/initial.ts';
import { linear, norm } from '../graph/layers.ts';
import * as op from '../graph/ops/index.ts';
import { CHORDS } from './chords.ts';
import { RELATION_STEPS } from './feeds.ts';
import { KINDS, type Slot } from './kinds.ts';
import { SQUARE_AREA } from './seen.ts';
import { FEATURES, PLACES, SLOTS_OF_WORDS, SORTS } from './tokens.ts';
import { ALPHABET, KNOWN_WORDS, LETTERS } from './words.ts';

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

/** Rows of the batch, tokens of a row, words and squares of the batch. */
const [B, T, U, Q] = ['B', 'T', 'U', 'Q'];

/** Weighted means of which a summary is made. */
const VIEWS = 8;

/** Logits of what is not valid: no choice, and no gradient, but still a number. */
const NEVER = -1e9;

export interface Distribution {
  readonly slot: Slot;
  /** Over all choices; those that are not valid have a logarithm of about -1e9. */
  readonly logProbabilities: Value;
  /** Which choices are valid, as 0 and 1. */
  readonly valid: Value;
  /** The number of what was chosen. */
  readonly choice: Value;
}

/** Who chooses, and from which distribution: a rollout may flatten it, a trainer takes it as it is. */
export interface Chooser {
  distribution(logits: Value, valid: Value): Value;
  /** The choice of a slot, [B] int32. */
  choice(slot: Slot, logProbabilities: Value): Value;
}

export interface Policy {
  readonly graph: Graph;
  readonly tokens: Value;
  readonly decisions: Readonly<Record<Slot, Distribution>>;
}

export function buildPolicy(shape: NetworkShape, chooserOf: (graph: Graph) => Chooser): Policy {
  const graph = new Graph();
  const chooser = chooserOf(graph);
  const valid = graph.input('valid', 'uint8', [B, T]);
  const relation = op.mul(
    op.cast(graph.input('relation', 'uint8', [B, T, T]), 'float32'),
    1 / RELATION_STEPS,
  );
  const notThere = op.mul(op.sub(op.cast(valid, 'float32'), 1), -NEVER);
  const hidden = op.unsqueeze(op.unsqueeze(notThere, 1), 1);
  let x = embedding(graph, shape);
  for (let index = 0; index < shape.blocks; index++) {
    x = graph.scope(`block${index}`, () => block(graph, shape, x, relation, hidden));
  }
  x = norm(graph, x, 'norm');
  return {
    graph,
    tokens: x,
    decisions: decide(graph, shape, x, relation, op.cast(valid, 'float32'), chooser),
  };
}

/** The sum of what is known of each token. */
function embedding(graph: Graph, { width, letterWidth, pixels }: NetworkShape): Value {
  const table = (name: string, rows: number, columns = width, deviation = 0.6) =>
    graph.parameter(`${name}.table`, [rows, columns], initial.normal(deviation));
  const letters = op.gather(
    table('letter', ALPHABET, letterWidth, 1),
    graph.input('letters', 'int32', [U, LETTERS]),
  );
  const spelt = linear(graph, op.reshape(letters, [U, LETTERS * letterWidth]), 'word', width, 0.4);
  const byHeart = op.gather(table('known', KNOWN_WORDS, width, 0.3), graph.input('known', 'int32', [U]));
  const spelled = op.gather(op.add(spelt, byHeart), graph.input('spelled', 'int32', [B, T, SLOTS_OF_WORDS]));
  const texts = op.reduceSum(spelled, [2]);
  const parts = [
    texts,
    op.gather(table('sort', SORTS), graph.input('sorts', 'int32', [B, T])),
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
  return parts.reduce((sum, part) => op.add(sum, part));
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

function decide(
  graph: Graph,
  { width }: NetworkShape,
  x: Value,
  relation: Value,
  valid: Value,
  chooser: Chooser,
): Policy['decisions'] {
  const flags = (name: string) => op.cast(graph.input(name, 'uint8', [B, T]), 'float32');
  const order = graph.input('order', 'int32', [B, T]);
  const one = (slot: Slot, logits: Value, choices: Value): Distribution => {
    const barred = op.add(logits, op.mul(op.sub(choices, 1), -NEVER));
    const logProbabilities = chooser.distribution(barred, choices);
    return { slot, logProbabilities, valid: choices, choice: chooser.choice(slot, logProbabilities) };
  };
  const perceptron = (name: string, input: Value, count: number) =>
    linear(graph, op.relu(linear(graph, input, `${name}.1`, width, Math.SQRT2)), `${name}.2`, count, 0.5);
  /** How well each token answers a query. */
  const over = (name: string, query: Value) => {
    const keys = op.matmul(x, graph.parameter(`${name}.keys`, [width, width], initial.fanIn()));
    const scores = op.matmul(keys, op.reshape(query, [B, width, 1]));
    return op.mul(op.reshape(scores, [B, T]), 1 / Math.sqrt(width));
  };
  /** The same, where a query may also ask for words of the instruction, and so for what shares those words. */
  const overNamed = (name: string, query: Value) => {
    const asked = op.add(over(`${name}.named`, query), op.mul(op.sub(isWord, 1), -NEVER));
    const shared = op.reshape(op.matmul(op.unsqueeze(op.mul(op.softmax(asked), isWord), 1), relation), [
      B,
      T,
    ]);
    const weight = graph.parameter(`${name}.share`, [1], initial.constant(6));
    return op.add(over(name, query), op.mul(shared, weight));
  };
  /** The token at a place of each row. */
  const tokenAt = (place: Value | number) => {
    const chosen = op.cast(
      op.equal(order, typeof place === 'number' ? place : op.unsqueeze(place, 1)),
      'float32',
    );
    return op.reshape(op.matmul(op.unsqueeze(chosen, 1), x), [B, width]);
  };
  /** What some tokens say on the whole: a few weighted means of them. */
  const summary = (name: string, some: Value) => {
    const scores = op.transpose(linear(graph, x, `${name}.sees`, VIEWS, 2), [0, 2, 1]);
    const weights = op.mul(
      op.softmax(op.add(scores, op.unsqueeze(op.mul(op.sub(some, 1), -NEVER), 1))),
      op.unsqueeze(some, 1),
    );
    return linear(graph, op.reshape(op.matmul(weights, x), [B, VIEWS * width]), name, width);
  };
  /** The instruction's words are the tokens 1 to `words`. */
  const words = op.unsqueeze(graph.input('words', 'int32', [B]), 1);
  const isWord = op.cast(op.and(op.less(0, order), op.lessOrEqual(order, words)), 'float32');
  const isThing = op.mul(op.cast(op.less(words, order), 'float32'), valid);
  // One token alone would have to listen to a few words among dozens of things.
  const first = op.add(op.add(tokenAt(0), summary('asked', isWord)), summary('there', isThing));

  const kind = one(
    'kind',
    perceptron('kind', first, KINDS.length),
    op.cast(graph.input('kinds', 'uint8', [B, KINDS.length]), 'float32'),
  );
  const meant = op.gather(
    graph.parameter('meant.table', [KINDS.length, width], initial.normal(0.3)),
    kind.choice,
  );
  const asked = (name: string, beside: Value) =>
    op.add(linear(graph, first, `${name}.query`, width), linear(graph, beside, `${name}.beside`, width));

  const pointable = flags('pointable');
  const pointer = one('pointer', overNamed('pointer', asked('pointer', meant)), pointable);
  const from = tokenAt(pointer.choice);
  const target = one('target', overNamed('target', asked('target', from)), pointable);

  const copyable = flags('copyable');
  const text = one('text', over('text', linear(graph, first, 'text.query', width)), copyable);
  const begins = tokenAt(text.choice);
  // A text ends where it begins or later.
  const after = op.cast(op.lessOrEqual(op.unsqueeze(text.choice, 1), order), 'float32');
  const end = one('end', over('end', asked('end', begins)), op.mul(after, isWord));

  const keys = perceptron('key', first, CHORDS.length);
  const key = one('key', keys, op.expandLike(graph.scalar('float32', 1), keys));
  return { kind, pointer, target, text, end, key };
}
