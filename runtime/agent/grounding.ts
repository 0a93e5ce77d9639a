// Single steps that anybody can name by looking at a screen: press what is called so, write this, press those keys. They teach
// what words point at before any task is solved.

import { oneOf } from '../core/chance.ts';
import type { Random } from '../core/rng.ts';
import { centre, type Element, elementAt } from '../core/screen.ts';
import { type Choices, copyOf } from './act.ts';
import { type ActionKind, KINDS } from './action-kinds.ts';
import { CHORDS } from './chords.ts';
import type { Observation } from './observation.ts';
import { pseudoWord } from './renaming.ts';
import { type Sample, sampleOf } from './sample.ts';
import { tokenAt } from './token-at.ts';
import { type Tokens, tokensOf } from './tokens.ts';
import { capital } from './word-tokenizer.ts';

interface Told {
  readonly kind: ActionKind;
  readonly instruction: string;
  readonly choices: (tokens: Tokens) => Choices | undefined;
}

export interface Grounded {
  readonly kind: ActionKind;
  readonly seen: Observation;
  readonly sample: Sample;
}

/** One such step on a screen, and what kind it is of; undefined where the screen has nothing to name. Elements that are not
 * shown may be named all the same: a policy that sees pixels only learns from them where names are written. */
export function ground(
  seen: Observation,
  elements: readonly Element[],
  random: Random,
): Grounded | undefined {
  const told = tell(elements, random);
  if (told === undefined) return undefined;
  const shown = { ...seen, instruction: told.instruction, recent: [] };
  const tokens = tokensOf(shown);
  const choices = told.choices(tokens);
  return choices && { kind: told.kind, seen: shown, sample: sampleOf(tokens, choices) };
}

function tell(elements: readonly Element[], random: Random): Told | undefined {
  const named = nameable(elements);
  const [thing, place] = [oneOf(random, named), oneOf(random, named)];
  const quoted = random.next() < 0.5;
  const called = ({ name }: Element) => (quoted ? `"${name}"` : name);
  const pointing = (kind: ActionKind, ...ways: readonly string[]): Told | undefined =>
    thing && {
      kind,
      instruction: (oneOf(random, ways) ?? '').replace('*', () => called(thing)),
      choices: tokens => pointed(tokens, kind, thing),
    };
  const chance = random.next();
  if (chance < 0.4) return pointing('click', 'Click *.', 'Press *.', 'Choose *.', 'Go to *.');
  if (chance < 0.48) return pointing('double_click', 'Double-click *.', 'Open *.');
  if (chance < 0.56) return pointing('right_click', 'Right-click *.', 'Show what can be done with *.');
  if (chance < 0.7 && thing !== undefined && place !== undefined && thing !== place) {
    return {
      kind: 'drag',
      instruction: (oneOf(random, ['Drag * to +.', 'Move * onto +.', 'Put * into +.']) ?? '').replace(
        /[*+]/g,
        mark => called(mark === '*' ? thing : place),
      ),
      choices: tokens => pointed(tokens, 'drag', thing, place),
    };
  }
  if (chance < 0.9) return writing(random, quoted);
  const key = random.int(CHORDS.length);
  const keys = CHORDS[key]?.join('+') ?? '';
  return {
    kind: 'hotkey',
    instruction: `Press ${keys}.`,
    choices: () => ({ kind: KINDS.indexOf('hotkey'), key }),
  };
}

function writing(random: Random, quoted: boolean): Told {
  const word = () => {
    const made = pseudoWord(random);
    const digits = () => String(10 + random.int(50));
    switch (random.int(8)) {
      case 0:
      case 1:
        return String(random.int(10_000));
      case 2:
      case 3:
        return capital(made);
      case 4:
        return random.int(2) === 0
          ? `${digits()}:${digits()}`
          : `${made}.${pseudoWord(random)}@${pseudoWord(random)}.net`;
      default:
        return made;
    }
  };
  const text = `${Array.from({ length: 1 + random.int(4) }, word).join(' ')}${random.int(4) === 0 ? '.txt' : ''}`;
  const before = ['Type', 'Write', 'Enter the text'][random.int(3)] ?? 'Type';
  const after = ['', ' here', ' into the field', ' and nothing else'][random.int(4)] ?? '';
  const instruction = `${before} ${quoted ? `"${text}"` : text}${after}.`;
  return {
    kind: 'type',
    instruction,
    choices: tokens => {
      const copied = copyOf(tokens, instruction, text);
      return copied && { kind: KINDS.indexOf('type'), ...copied };
    },
  };
}

/** Those whose name no other has, and that are in front where they are pointed at. */
function nameable(elements: readonly Element[]): readonly Element[] {
  const names = new Map<string, number>();
  for (const { name } of elements) names.set(name, (names.get(name) ?? 0) + 1);
  return elements.filter(
    element =>
      isSayable(element.name) &&
      names.get(element.name) === 1 &&
      elementAt(elements, centre(element.box)) === element,
  );
}

const isSayable = (name: string): boolean => name !== '' && name.length < 60 && !name.includes('"');

/** The choices that point at one thing, and then at another; undefined where nothing is shown there. */
function pointed(tokens: Tokens, kind: ActionKind, thing: Element, place?: Element): Choices | undefined {
  const pointer = tokenAt(tokens, centre(thing.box));
  const target = place && tokenAt(tokens, centre(place.box));
  if (pointer === undefined || (place !== undefined && target === undefined)) return undefined;
  return { kind: KINDS.indexOf(kind), pointer, ...(target !== undefined && { target }) };
}
