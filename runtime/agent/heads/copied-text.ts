// Which text is written: always one that is to be seen, copied from its first word to its last.

import type { Graph, Value } from '../../graph/graph.ts';
import * as initial from '../../graph/initial.ts';
import { linear } from '../../graph/layers.ts';
import * as op from '../../graph/ops/index.ts';
import { SLOTS_OF_WORDS } from '../token-numbers.ts';
import type { HeadAnswers } from './answers.ts';
import { type Chooser, choose, type Decisions } from './choosing.ts';

const [B, T] = ['B', 'T'];

/** A word, and those before and behind it. */
const BEFORE_AND_BEHIND = [0, 1, -1];

/** `first` is what is known before anything is decided; `asked` makes it a query, with something else that is known by now. */
export function decideText(
  answers: HeadAnswers,
  chooser: Chooser,
  first: Value,
  asked: (name: string, beside: Value) => Value,
): Pick<Decisions, 'text' | 'end' | 'first' | 'last'> {
  const { graph, width, order } = answers;
  const query = linear(graph, first, 'text.query', width);
  const text = choose(chooser, 'text', answers.over('text', query), answers.flags('copyable'));
  const begins = answers.tokenAt(text);
  // A text ends where it begins or later.
  const after = op.cast(op.lessOrEqual(op.unsqueeze(text.choice, 1), order), 'float32');
  const ends = answers.over('end', asked('end', begins));
  const end = choose(chooser, 'end', ends, op.mul(after, answers.isWord));

  const chosen = answers.chosenOf(text);
  const near = wordsOf(answers, chosen);
  const sayable = op.cast(graph.input('sayable', 'uint8', [B, T, SLOTS_OF_WORDS]), 'float32');
  const canBeSaid = answers.summed(chosen, sayable, SLOTS_OF_WORDS);
  const overNear = (words: Value) =>
    op.mul(
      op.reshape(op.matmul(near, op.reshape(words, [B, width, 1])), [B, SLOTS_OF_WORDS]),
      1 / Math.sqrt(width),
    );
  const firstQuery = asked('first', begins);
  const allOfIt = linear(graph, firstQuery, 'first.all', 1);
  const firstWord = choose(
    chooser,
    'first',
    op.concat([overNear(firstQuery), allOfIt], 1),
    op.concat([canBeSaid, op.expandLike(graph.scalar('float32', 1), allOfIt)], 1),
  );
  const places = graph.constant(
    'int32',
    [1, SLOTS_OF_WORDS],
    Array.from({ length: SLOTS_OF_WORDS }, (_, index) => index),
  );
  const chosenFirst = op.unsqueeze(firstWord.choice, 1);
  const isFirst = op.cast(op.equal(places, chosenFirst), 'float32');
  const notBefore = op.cast(op.lessOrEqual(chosenFirst, places), 'float32');
  const lastQuery = asked('last', answers.summed(isFirst, near, width));
  const last = choose(chooser, 'last', overNear(lastQuery), op.mul(canBeSaid, notBefore));
  return { text, end, first: firstWord, last };
}

/** The words of the token that is copied, each beside its neighbours. */
function wordsOf(answers: HeadAnswers, chosen: Value): Value {
  const { graph, thought, width } = answers;
  const itsWords = answers.summed(chosen, op.cast(thought.spelled, 'float32'), SLOTS_OF_WORDS);
  const neighbours = BEFORE_AND_BEHIND.map(by =>
    op.gather(thought.words, op.cast(op.matmul(itsWords, shifted(graph, by)), 'int32')),
  );
  return op.add(
    linear(graph, op.concat(neighbours, 2), 'near', width),
    graph.parameter('near.place', [SLOTS_OF_WORDS, width], initial.normal(0.3)),
  );
}

/** A matrix that moves a row of numbers by so many places, and leaves 0 where nothing came. */
function shifted(graph: Graph, by: number): Value {
  const numbers = Array.from({ length: SLOTS_OF_WORDS ** 2 }, (_, index) =>
    Number(Math.floor(index / SLOTS_OF_WORDS) + by === index % SLOTS_OF_WORDS),
  );
  return graph.constant('float32', [SLOTS_OF_WORDS, SLOTS_OF_WORDS], numbers);
}
