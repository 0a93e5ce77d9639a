// What somebody does next who tries things out: any action on anything that is there, but of the kinds and with the texts that
// get somewhere. `random.ts` is the agent that does just anything.

import { CHORDS, type Chord } from '../../agent/chords.ts';
import { pseudoWord } from '../../agent/renaming.ts';
import { capital } from '../../agent/word-tokenizer.ts';
import type { Action } from '../../core/action.ts';
import { oneOf } from '../../core/chance.ts';
import { key } from '../../core/key.ts';
import type { Random } from '../../core/rng.ts';
import { centre, type Element, type Point } from '../../core/screen.ts';
import { VOCABULARIES } from '../../environments/pocket/tasks/vocabulary.ts';

const ENTER: Chord = [key('enter')];
/** Keys that mean something almost everywhere. */
const COMMON: readonly Chord[] = [
  ENTER,
  [key('esc')],
  [key('tab')],
  [key('delete')],
  [key('ctrl'), key('s')],
  [key('ctrl'), key('n')],
];

/**
 * `last` is what was done before, and `fresh` are those of the elements that it brought: a menu, a dialog, another row. What was
 * written mostly has to be confirmed.
 */
export function nextAction(
  random: Random,
  elements: readonly Element[],
  fresh: readonly Element[] = [],
  last?: Action,
): Action {
  if (last?.kind === 'type' && random.next() < CONFIRMED)
    return { kind: 'hotkey', keys: oneOf(random, COMMON) ?? ENTER };
  const somewhere = (): Point => {
    const appeared = random.next() < FRESH ? oneOf(random, fresh) : undefined;
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
    return { kind: 'type', text: random.next() < LINE ? `${text}\n` : text };
  }
  const chords = random.next() < 0.4 ? COMMON : CHORDS;
  return { kind: 'hotkey', keys: oneOf(random, chords) ?? ENTER };
}

/** How often a line is ended that was written. */
const LINE = 0.2;
/** How often a common key follows what was written. */
const CONFIRMED = 0.4;
/** How often what has just appeared is what is tried: mostly it is there to be used. */
const FRESH = 0.3;

/** Half of the time any element, else any of a role that is there: buttons of a dialog are few among many cells. */
function anyElement(random: Random, elements: readonly Element[]): Element | undefined {
  if (random.next() < 0.5) return oneOf(random, elements);
  const role = oneOf(random, [...new Set(elements.map(each => each.role))]);
  return oneOf(
    random,
    elements.filter(each => each.role === role),
  );
}

/** Something that somebody might write: a name, a number, a line. */
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
