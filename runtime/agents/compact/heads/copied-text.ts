// The text head. The policy only writes visible text: it copies a span from a first word to a last word.

import type { Graph, Value } from '../../../graph/graph.ts';
import * as initial from '../../../graph/initial.ts';
import { linear } from '../../../graph/layers.ts';
import * as op from '../../../graph/ops/index.ts';
import { SLOTS_OF_WORDS } from '../token-numbers.ts';
import type { HeadAnswers } from './answers.ts';
import { type Chooser, choose, type Decisions } from './graph-decision.ts';
import type { Guidance } from './guidance.ts';

const [B, T] = ['B', 'T'];

/** Offsets of a word and its two neighbours. */
const NEIGHBOUR_OFFSETS = [0, 1, -1];

/** `context` is the summary before any decision; `queryFor` combines it with the decisions so far. */
export function decideText(
  answers: HeadAnswers,
  guidance: Guidance,
  chooser: Chooser,
  context: Value,
  queryFor: (name: string, condition: Value) => Value,
): Pick<Decisions, 'text' | 'end' | 'first' | 'last'> {
  const { graph, width, order } = answers;
  const query = linear(graph, context, 'text.query', width);
  const copyable = answers.flags('copyable');
  const text = choose(chooser, 'text', answers.scores('text', query), copyable, guidance.texts());
  const startToken = answers.tokenAt(text);
  // The end is at or after the start.
  const after = op.cast(op.lessOrEqual(op.unsqueeze(text.choice, 1), order), 'float32');
  const ends = answers.scores('end', queryFor('end', startToken));
  const end = choose(chooser, 'end', ends, op.mul(after, answers.isWord), guidance.ends(text.choice));

  const chosen = answers.oneHotOf(text);
  const wordVectors = wordsOf(answers, chosen);
  const sayable = op.cast(graph.input('sayable', 'uint8', [B, T, SLOTS_OF_WORDS]), 'float32');
  const copyableWords = answers.weightedSum(chosen, sayable, SLOTS_OF_WORDS);
  const scoreWords = (words: Value) =>
    op.mul(
      op.reshape(op.matmul(wordVectors, op.reshape(words, [B, width, 1])), [B, SLOTS_OF_WORDS]),
      1 / Math.sqrt(width),
    );
  const firstQuery = queryFor('first', startToken);
  const wholeTextLogit = linear(graph, firstQuery, 'first.all', 1);
  const firstWord = choose(
    chooser,
    'first',
    op.concat([scoreWords(firstQuery), wholeTextLogit], 1),
    op.concat([copyableWords, op.expandLike(graph.scalar('float32', 1), wholeTextLogit)], 1),
    guidance.firstWords(),
  );
  const places = graph.constant(
    'int32',
    [1, SLOTS_OF_WORDS],
    Array.from({ length: SLOTS_OF_WORDS }, (_, index) => index),
  );
  const chosenFirst = op.unsqueeze(firstWord.choice, 1);
  const isFirst = op.cast(op.equal(places, chosenFirst), 'float32');
  const fromFirst = op.cast(op.lessOrEqual(chosenFirst, places), 'float32');
  const lastQuery = queryFor('last', answers.weightedSum(isFirst, wordVectors, width));
  const allowed = op.mul(copyableWords, fromFirst);
  const near = guidance.lastWords(places, firstWord.choice);
  const last = choose(chooser, 'last', scoreWords(lastQuery), allowed, near);
  return { text, end, first: firstWord, last };
}

/** Vectors of the copied token's words, each with its neighbours. */
function wordsOf(answers: HeadAnswers, chosen: Value): Value {
  const { graph, input, width } = answers;
  const wordIndices = answers.weightedSum(chosen, op.cast(input.spelled, 'float32'), SLOTS_OF_WORDS);
  const neighbours = NEIGHBOUR_OFFSETS.map(by =>
    op.gather(input.words, op.cast(op.matmul(wordIndices, shifted(graph, by)), 'int32')),
  );
  return op.add(
    linear(graph, op.concat(neighbours, 2), 'near', width),
    graph.parameter('near.place', [SLOTS_OF_WORDS, width], initial.normal(0.3)),
  );
}

/** A matrix that shifts a row by some places and fills with 0. */
function shifted(graph: Graph, by: number): Value {
  const numbers = Array.from({ length: SLOTS_OF_WORDS ** 2 }, (_, index) =>
    Number(Math.floor(index / SLOTS_OF_WORDS) + by === index % SLOTS_OF_WORDS),
  );
  return graph.constant('float32', [SLOTS_OF_WORDS, SLOTS_OF_WORDS], numbers);
}
