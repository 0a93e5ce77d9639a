// The decision heads: token vectors in, one distribution for each slot out. Each head is conditioned on the earlier decisions.

import type { Graph, Value } from '../../graph/graph.ts';
import * as initial from '../../graph/initial.ts';
import { linear } from '../../graph/layers.ts';
import * as op from '../../graph/ops/index.ts';
import { KINDS } from './action-kinds.ts';
import { CHORDS } from './chords.ts';
import { HeadAnswers, type HeadInput } from './heads/answers.ts';
import { decideText } from './heads/copied-text.ts';
import { type Chooser, choose, type Decisions } from './heads/graph-decision.ts';
import { Guidance } from './heads/guidance.ts';

export function decide(graph: Graph, input: HeadInput, chooser: Chooser): Decisions {
  const answers = new HeadAnswers(graph, input);
  const { width, order, isWord, isScreenToken } = answers;
  const guidance = new Guidance(answers);

  // A summary of words and one of screen tokens is added: the first token alone attends poorly to few words among dozens of tokens.
  const firstToken = answers.weightedSum(op.cast(op.equal(order, 0), 'float32'), input.tokens, width);
  const context = op.add(
    op.add(firstToken, answers.summary('asked', isWord)),
    answers.summary('there', isScreenToken),
  );
  const queryFor = (name: string, condition: Value) =>
    op.add(linear(graph, context, `${name}.query`, width), linear(graph, condition, `${name}.beside`, width));

  const kind = choose(
    chooser,
    'kind',
    op.add(answers.perceptron('kind', context, KINDS.length), answers.votes('kind', KINDS.length)),
    op.cast(graph.input('kinds', 'uint8', ['B', KINDS.length]), 'float32'),
    guidance.kinds(),
  );
  const kindTable = graph.parameter('meant.table', [KINDS.length, width], initial.normal(0.3));
  const kindVector = op.gather(kindTable, kind.choice);

  const pointable = answers.flags('pointable');
  const points = answers.scoresByWords('pointer', queryFor('pointer', kindVector));
  const pointer = choose(chooser, 'pointer', points, pointable, guidance.places());
  const targets = answers.scoresByWords('target', queryFor('target', answers.tokenAt(pointer)));
  const target = choose(chooser, 'target', targets, pointable);

  const copied = decideText(answers, guidance, chooser, context, queryFor);

  const keys = op.add(answers.perceptron('key', context, CHORDS.length), answers.votes('key', CHORDS.length));
  const anyKey = op.expandLike(graph.scalar('float32', 1), keys);
  const key = choose(chooser, 'key', keys, anyKey, guidance.keys());
  return { kind, pointer, target, ...copied, key };
}
