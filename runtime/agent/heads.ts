// From what the tokens have become to decisions, one after another: each knows what was decided before it.

import type { Graph, Value } from '../graph/graph.ts';
import * as initial from '../graph/initial.ts';
import { linear } from '../graph/layers.ts';
import * as op from '../graph/ops/index.ts';
import { KINDS } from './action-kinds.ts';
import { CHORDS } from './chords.ts';
import { HeadAnswers, type Thought } from './heads/answers.ts';
import { type Chooser, choose, type Decisions } from './heads/choosing.ts';
import { decideText } from './heads/copied-text.ts';

export function decide(graph: Graph, thought: Thought, chooser: Chooser): Decisions {
  const answers = new HeadAnswers(graph, thought);
  const { width, order, isWord, isThing } = answers;

  // One token alone would have to listen to a few words among dozens of things.
  const whole = answers.summed(op.cast(op.equal(order, 0), 'float32'), thought.tokens, width);
  const first = op.add(op.add(whole, answers.summary('asked', isWord)), answers.summary('there', isThing));
  const asked = (name: string, beside: Value) =>
    op.add(linear(graph, first, `${name}.query`, width), linear(graph, beside, `${name}.beside`, width));

  const kind = choose(
    chooser,
    'kind',
    op.add(answers.perceptron('kind', first, KINDS.length), answers.votes('kind', KINDS.length)),
    op.cast(graph.input('kinds', 'uint8', ['B', KINDS.length]), 'float32'),
  );
  const kinds = graph.parameter('meant.table', [KINDS.length, width], initial.normal(0.3));
  const meant = op.gather(kinds, kind.choice);

  const pointable = answers.flags('pointable');
  const points = answers.overNamed('pointer', asked('pointer', meant));
  const pointer = choose(chooser, 'pointer', points, pointable);
  const targets = answers.overNamed('target', asked('target', answers.tokenAt(pointer)));
  const target = choose(chooser, 'target', targets, pointable);

  const copied = decideText(answers, chooser, first, asked);

  const keys = op.add(answers.perceptron('key', first, CHORDS.length), answers.votes('key', CHORDS.length));
  const key = choose(chooser, 'key', keys, op.expandLike(graph.scalar('float32', 1), keys));
  return { kind, pointer, target, ...copied, key };
}
