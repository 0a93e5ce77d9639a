// From what the tokens have become to decisions, one after another: each knows what was decided before it.

import type { Graph, Value } from '../graph/graph.ts';
import * as initial from '../graph/initial.ts';
import { linear } from '../graph/layers.ts';
import * as op from '../graph/ops/index.ts';
import { CHORDS } from './chords.ts';
import type { Embedded } from './embedding.ts';
import { KINDS, type Slot } from './kinds.ts';
import { SLOTS_OF_WORDS, SORTS } from './token-numbers.ts';
import { SPEAKING_WORDS } from './words.ts';

export interface Distribution {
  readonly slot: Slot;
  /** Over all choices; those that are not valid have a logarithm of about -1e9. */
  readonly logProbabilities: Value;
  /** Which choices are valid, as 0 and 1. */
  readonly valid: Value;
  /** The number of what was chosen. */
  readonly choice: Value;
}

export type Decisions = Readonly<Record<Slot, Distribution>>;

/** Who chooses, and from which distribution: a rollout may flatten it, a trainer takes it as it is. */
export interface Chooser {
  distribution(logits: Value, valid: Value): Value;
  /** The choice of a slot, [B] int32. */
  choice(slot: Slot, logProbabilities: Value): Value;
}

/** Logits of what is not valid: no choice, and no gradient, but still a number. */
export const NEVER = -1e9;

/** Rows of the batch, tokens of a row, words of its instruction that speak. */
const [B, T, W] = ['B', 'T', 'W'];

/** Weighted means of which a summary is made. */
const VIEWS = 8;

/** What few rows concern is learned so much faster: an optimiser's step is scaled up with what it changes. */
const FAST = 15;

/** A word, and those before and behind it. */
const BEFORE_AND_BEHIND = [0, 1, -1];

export interface Thought extends Embedded {
  /** Which tokens share words, and how much that says: [B, T, T]. */
  readonly relation: Value;
  /** 1 for each token that is there: [B, T]. */
  readonly valid: Value;
}

export function decide(graph: Graph, thought: Thought, chooser: Chooser): Decisions {
  const { tokens: x, words: batchWords, spelled, sorts, relation, valid } = thought;
  const width = Number(x.shape[2]);
  const flags = (name: string) => op.cast(graph.input(name, 'uint8', [B, T]), 'float32');
  const order = graph.input('order', 'int32', [B, T]);
  /** The instruction's words are the tokens 1 to `words`. */
  const words = op.unsqueeze(graph.input('words', 'int32', [B]), 1);
  const isWord = op.cast(op.and(op.less(0, order), op.lessOrEqual(order, words)), 'float32');
  const isThing = op.mul(op.cast(op.less(words, order), 'float32'), valid);

  const one = (slot: Slot, logits: Value, choices: Value): Distribution => {
    const barred = op.add(logits, op.mul(op.sub(choices, 1), -NEVER));
    const logProbabilities = chooser.distribution(barred, choices);
    return { slot, logProbabilities, valid: choices, choice: chooser.choice(slot, logProbabilities) };
  };
  const perceptron = (name: string, input: Value, count: number) =>
    linear(graph, op.relu(linear(graph, input, `${name}.1`, width, Math.SQRT2)), `${name}.2`, count, 0.5);
  /** The sum of some of the tokens, or of the one among them: [B, of each]. */
  const summed = (some: Value, of: Value, count: number) =>
    op.reshape(op.matmul(op.unsqueeze(some, 1), of), [B, count]);
  /** 1 for the token that was chosen. */
  const chosenOf = ({ choice }: Distribution) => op.cast(op.equal(order, op.unsqueeze(choice, 1)), 'float32');
  const tokenAt = (chosen: Distribution) => summed(chosenOf(chosen), x, width);

  const speaking = graph.input('speaking', 'int32', [B, W]);
  const speaks = op.cast(op.less(0, speaking), 'float32');
  /** What each word of the instruction speaks for by itself, whatever stands around it, all added up. */
  const votes = (name: string, count: number) => {
    const table = graph.parameter(`${name}.votes.table`, [SPEAKING_WORDS, count], initial.constant(0));
    return op.mul(summed(speaks, op.gather(table, speaking), count), FAST);
  };
  /** Which sorts of things they speak for. */
  const votesForSorts = (name: string) => op.gatherElements(votes(name, SORTS), sorts, 1);
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
    return op.add(op.add(over(name, query), op.mul(shared, weight)), votesForSorts(name));
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

  // One token alone would have to listen to a few words among dozens of things.
  const whole = summed(op.cast(op.equal(order, 0), 'float32'), x, width);
  const first = op.add(op.add(whole, summary('asked', isWord)), summary('there', isThing));
  const asked = (name: string, beside: Value) =>
    op.add(linear(graph, first, `${name}.query`, width), linear(graph, beside, `${name}.beside`, width));

  const kind = one(
    'kind',
    op.add(perceptron('kind', first, KINDS.length), votes('kind', KINDS.length)),
    op.cast(graph.input('kinds', 'uint8', [B, KINDS.length]), 'float32'),
  );
  const meant = op.gather(
    graph.parameter('meant.table', [KINDS.length, width], initial.normal(0.3)),
    kind.choice,
  );

  const pointable = flags('pointable');
  const pointer = one('pointer', overNamed('pointer', asked('pointer', meant)), pointable);
  const target = one('target', overNamed('target', asked('target', tokenAt(pointer))), pointable);

  const text = one('text', over('text', linear(graph, first, 'text.query', width)), flags('copyable'));
  const begins = tokenAt(text);
  // A text ends where it begins or later.
  const after = op.cast(op.lessOrEqual(op.unsqueeze(text.choice, 1), order), 'float32');
  const end = one('end', over('end', asked('end', begins)), op.mul(after, isWord));

  // The words of the token that is copied, each beside its neighbours.
  const itsWords = summed(chosenOf(text), op.cast(spelled, 'float32'), SLOTS_OF_WORDS);
  const neighbours = BEFORE_AND_BEHIND.map(by =>
    op.gather(batchWords, op.cast(op.matmul(itsWords, shifted(graph, by)), 'int32')),
  );
  const near = op.add(
    linear(graph, op.concat(neighbours, 2), 'near', width),
    graph.parameter('near.place', [SLOTS_OF_WORDS, width], initial.normal(0.3)),
  );
  const sayable = op.cast(graph.input('sayable', 'uint8', [B, T, SLOTS_OF_WORDS]), 'float32');
  const canBeSaid = summed(chosenOf(text), sayable, SLOTS_OF_WORDS);
  const overNear = (query: Value) =>
    op.mul(
      op.reshape(op.matmul(near, op.reshape(query, [B, width, 1])), [B, SLOTS_OF_WORDS]),
      1 / Math.sqrt(width),
    );
  const wordQuery = asked('first', begins);
  const allOfIt = linear(graph, wordQuery, 'first.all', 1);
  const firstWord = one(
    'first',
    op.concat([overNear(wordQuery), allOfIt], 1),
    op.concat([canBeSaid, op.expandLike(graph.scalar('float32', 1), allOfIt)], 1),
  );
  const places = graph.constant(
    'int32',
    [1, SLOTS_OF_WORDS],
    Array.from({ length: SLOTS_OF_WORDS }, (_, index) => index),
  );
  const isFirst = op.cast(op.equal(places, op.unsqueeze(firstWord.choice, 1)), 'float32');
  const notBefore = op.cast(op.lessOrEqual(op.unsqueeze(firstWord.choice, 1), places), 'float32');
  const lastQuery = asked('last', summed(isFirst, near, width));
  const lastWord = one('last', overNear(lastQuery), op.mul(canBeSaid, notBefore));

  const keys = op.add(perceptron('key', first, CHORDS.length), votes('key', CHORDS.length));
  const key = one('key', keys, op.expandLike(graph.scalar('float32', 1), keys));
  return { kind, pointer, target, text, end, first: firstWord, last: lastWord, key };
}

/** A matrix that moves a row of numbers by so many places, and leaves 0 where nothing came. */
function shifted(graph: Graph, by: number): Value {
  const numbers = Array.from({ length: SLOTS_OF_WORDS ** 2 }, (_, index) =>
    Number(Math.floor(index / SLOTS_OF_WORDS) + by === index % SLOTS_OF_WORDS),
  );
  return graph.constant('float32', [SLOTS_OF_WORDS, SLOTS_OF_WORDS], numbers);
}
