// Proposes the next action of an exploration: random, but with kinds of actions and texts that often have an effect.

import { CHORDS, type Chord } from '../../agents/compact/chords.ts';
import { pseudoWord } from '../../agents/compact/renaming.ts';
import { capital } from '../../agents/compact/word-tokenizer.ts';
import type { Action } from '../../core/action.ts';
import { oneOf } from '../../core/chance.ts';
import { key } from '../../core/key.ts';
import type { Random } from '../../core/rng.ts';
import { centre, type Element, type Point } from '../../core/screen.ts';
import { VOCABULARIES } from '../../environments/pocket/tasks/draw.ts';

const ENTER: Chord = [key('enter')];
/** Keys with an effect almost everywhere. */
const COMMON: readonly Chord[] = [
  ENTER,
  [key('esc')],
  [key('tab')],
  [key('delete')],
  [key('ctrl'), key('s')],
  [key('ctrl'), key('n')],
];

/** `fresh` are elements that `last` made appear: a menu, a dialog, a row. Typed text mostly needs a confirming key. */
export function nextAction(
  random: Random,
  elements: readonly Element[],
  fresh: readonly Element[] = [],
  last?: Action,
): Action {
  if (last?.kind === 'type' && random.next() < CONFIRM_PROBABILITY)
    return { kind: 'hotkey', keys: oneOf(random, COMMON) ?? ENTER };
  const somewhere = (): Point => {
    const appeared = random.next() < FRESH_PROBABILITY ? oneOf(random, fresh) : undefined;
    const element = appeared ?? anyElement(random, elements);
    return element === undefined ? { x: 0, y: 0 } : centre(element.box);
  };
  const chance = random.next();
  if (chance < 0.4) return { kind: 'click', at: somewhere() };
  if (chance < 0.47) return { kind: 'double_click', at: somewhere() };
  if (chance < 0.54) return { kind: 'right_click', at: somewhere() };
  if (chance < 0.62) return { kind: 'drag', from: somewhere(), to: somewhere() };
  if (chance < 0.76) {
    const text = someText(random);
    return { kind: 'type', text: random.next() < LINE_END_PROBABILITY ? `${text}\n` : text };
  }
  const chords = random.next() < 0.4 ? COMMON : CHORDS;
  return { kind: 'hotkey', keys: oneOf(random, chords) ?? ENTER };
}

/** The probability that typed text ends with Enter. */
const LINE_END_PROBABILITY = 0.2;
/** The probability of a common key after typing. */
const CONFIRM_PROBABILITY = 0.4;
/** The probability that an element that just appeared is used. */
const FRESH_PROBABILITY = 0.3;

/** Uniform over elements, or over roles first: a dialog has few buttons among many cells. */
function anyElement(random: Random, elements: readonly Element[]): Element | undefined {
  if (random.next() < 0.5) return oneOf(random, elements);
  const role = oneOf(random, [...new Set(elements.map(each => each.role))]);
  return oneOf(
    random,
    elements.filter(each => each.role === role),
  );
}

/** A random name, number or line. */
function someText(random: Random): string {
  const words = VOCABULARIES.train;
  switch (random.int(10)) {
    case 0:
      return capital(pseudoWord(random));
    case 1:
      return `${pseudoWord(random)}.txt`;
    case 2:
      return `${pseudoWord(random)} ${random.int(30)}.txt`;
    case 3:
    case 4:
    case 9:
      return String(1 + random.int(10 ** (1 + random.int(4))));
    case 5:
      return `${capital(pseudoWord(random))} ${capital(pseudoWord(random))}`;
    case 6:
      return oneOf(random, words.sentence) ?? 'hello';
    case 7:
      return oneOf(random, words.folder) ?? 'Folder';
    default:
      return Array.from({ length: 2 + random.int(4) }, () => pseudoWord(random)).join(' ');
  }
}
