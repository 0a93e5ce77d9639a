// Grounding samples: single-step instructions generated from a screen (click a named element, type a text, press keys). They
// teach the policy which words refer to which elements before it solves any task.

import { at } from '../../core/at.ts';
import { oneOf } from '../../core/chance.ts';
import type { Random } from '../../core/rng.ts';
import { centre, type Element, elementAt } from '../../core/screen.ts';
import { type Choices, copyOf } from './act.ts';
import { KINDS, type PolicyActionKind } from './action-kinds.ts';
import { CHORDS } from './chords.ts';
import type { Observation } from './observation.ts';
import { pseudoWord } from './renaming.ts';
import { type Sample, sampleOf } from './sample.ts';
import { tokenAt } from './token-at.ts';
import type { Tokens } from './token-features.ts';
import { tokensOf } from './tokens.ts';
import { capital } from './word-tokenizer.ts';

interface GroundingTask {
  readonly kind: PolicyActionKind;
  readonly instruction: string;
  readonly choices: (tokens: Tokens) => Choices | undefined;
}

export interface GroundingSample {
  readonly kind: PolicyActionKind;
  readonly observation: Observation;
  readonly sample: Sample;
}

/**
 * A grounding sample of a screen; undefined where the screen has nothing to name. `elements` may include elements that the observation
 * omits: a policy that only sees pixels learns from them where names are drawn.
 */
export function ground(
  base: Observation,
  elements: readonly Element[],
  random: Random,
): GroundingSample | undefined {
  const task = randomTask(elements, random);
  if (task === undefined) return undefined;
  const observation = { ...base, instruction: task.instruction, recent: [] };
  const tokens = tokensOf(observation);
  const choices = task.choices(tokens);
  return choices && { kind: task.kind, observation, sample: sampleOf(tokens, choices) };
}

function randomTask(elements: readonly Element[], random: Random): GroundingTask | undefined {
  const named = nameable(elements);
  const [element, dropTarget] = [oneOf(random, named), oneOf(random, named)];
  const quoted = random.next() < 0.5;
  const called = ({ name }: Element) => (quoted ? `"${name}"` : name);
  const pointing = (
    kind: PolicyActionKind,
    ...ways: readonly [string, ...string[]]
  ): GroundingTask | undefined =>
    element && {
      kind,
      instruction: oneOf(random, ways).replace('*', () => called(element)),
      choices: tokens => pointed(tokens, kind, element),
    };
  const chance = random.next();
  if (chance < 0.4) return pointing('click', 'Click *.', 'Press *.', 'Choose *.', 'Go to *.');
  if (chance < 0.48) return pointing('double_click', 'Double-click *.', 'Open *.');
  if (chance < 0.56) return pointing('right_click', 'Right-click *.', 'Show what can be done with *.');
  if (chance < 0.7 && element !== undefined && dropTarget !== undefined && element !== dropTarget) {
    return {
      kind: 'drag',
      instruction: oneOf(random, ['Drag * to +.', 'Move * onto +.', 'Put * into +.']).replace(/[*+]/g, mark =>
        called(mark === '*' ? element : dropTarget),
      ),
      choices: tokens => pointed(tokens, 'drag', element, dropTarget),
    };
  }
  if (chance < 0.9) return writing(random, quoted);
  const key = random.int(CHORDS.length);
  const keys = at(CHORDS, key).join('+');
  return {
    kind: 'hotkey',
    instruction: `Press ${keys}.`,
    choices: () => ({ kind: KINDS.indexOf('hotkey'), key }),
  };
}

function writing(random: Random, quoted: boolean): GroundingTask {
  const word = () => {
    const name = pseudoWord(random);
    const digits = () => String(10 + random.int(50));
    switch (random.int(8)) {
      case 0:
      case 1:
        return String(random.int(10_000));
      case 2:
      case 3:
        return capital(name);
      case 4:
        return random.int(2) === 0
          ? `${digits()}:${digits()}`
          : `${name}.${pseudoWord(random)}@${pseudoWord(random)}.net`;
      default:
        return name;
    }
  };
  const text = `${Array.from({ length: 1 + random.int(4) }, word).join(' ')}${random.int(4) === 0 ? '.txt' : ''}`;
  const before = oneOf(random, ['Type', 'Write', 'Enter the text']);
  const after = oneOf(random, ['', ' here', ' into the field', ' and nothing else']);
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

/** Elements with a unique name that are in front at their centre. */
function nameable(elements: readonly Element[]): readonly Element[] {
  const names = new Map<string, number>();
  for (const { name } of elements) names.set(name, (names.get(name) ?? 0) + 1);
  return elements.filter(
    element =>
      isQuotable(element.name) &&
      names.get(element.name) === 1 &&
      elementAt(elements, centre(element.box)) === element,
  );
}

const isQuotable = (name: string): boolean => name !== '' && name.length < 60 && !name.includes('"');

/** Choices that point at one element, then at another; undefined where no token is there, or one token is at both. */
function pointed(
  tokens: Tokens,
  kind: PolicyActionKind,
  element: Element,
  dropTarget?: Element,
): Choices | undefined {
  const pointer = tokenAt(tokens, centre(element.box));
  const target = dropTarget && tokenAt(tokens, centre(dropTarget.box));
  if (pointer === undefined || pointer === target || (dropTarget !== undefined && target === undefined))
    return undefined;
  return { kind: KINDS.indexOf(kind), pointer, ...(target !== undefined && { target }) };
}
