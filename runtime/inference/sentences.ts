// Describes a choice of the policy as a sentence: 'click button "New"'. Pure.

import { actionOf, type Choices, COPY_WHOLE_TEXT } from '../agents/compact/act.ts';
import { KINDS, type PolicyActionKind, type Slot } from '../agents/compact/action-kinds.ts';
import type { Observation } from '../agents/compact/observation.ts';
import type { Tokens } from '../agents/compact/token-features.ts';
import type { Box } from '../core/screen.ts';
import { actionInWords, quoted } from './action-words.ts';

/** The input of a decision. */
export interface ObservedStep {
  readonly tokens: Tokens;
  readonly seen: Pick<Observation, 'elements' | 'firstElement'>;
  readonly instruction: string;
}

export function sentenceFor(step: ObservedStep, choices: Choices): string {
  const action = actionOf(step.tokens, step.instruction, choices);
  const on = (slot: 'pointer' | 'target') => targetInWords(step, choices[slot]);
  return actionInWords(action, pointing => on(pointing === 0 ? 'pointer' : 'target'));
}

/** The sentence with another choice in one slot. Another kind of action has no arguments: the policy did not choose them. */
export function sentenceForAlternative(
  step: ObservedStep,
  choices: Choices,
  slot: Slot,
  other: number,
): string {
  if (slot === 'kind') return kindInWords(KINDS[other] ?? 'wait');
  if (slot === 'text') {
    const { text, word } = step.tokens.meanings[other] ?? {};
    return `write ${word === undefined ? quoted(text ?? '') : `from ${quoted(text ?? '')} on`}`;
  }
  if (slot === 'first') {
    // In a copy of the whole text the slot `last` is unused, and may have any number.
    const last = choices.first === COPY_WHOLE_TEXT ? other : Math.max(other, choices.last ?? other);
    return sentenceFor(step, { ...choices, first: other, last });
  }
  return sentenceFor(step, { ...choices, [slot]: other });
}

const KIND_WORDS: Readonly<Partial<Record<PolicyActionKind, string>>> = {
  double_click: 'double-click',
  right_click: 'right-click',
  type: 'write',
  hotkey: 'press a key',
  scroll_down: 'scroll down',
  scroll_up: 'scroll up',
  finished: 'report the task as done',
  fail: 'report the task as infeasible',
};

const kindInWords = (kind: PolicyActionKind): string => KIND_WORDS[kind] ?? kind;

function targetInWords({ tokens, seen }: ObservedStep, token: number | undefined): string {
  const at = token === undefined ? undefined : tokens.meanings[token]?.at;
  if (at === undefined) return 'nothing';
  const element = at.kind === 'element' ? seen.elements[at.index - seen.firstElement] : undefined;
  if (element === undefined) return `the screen at ${middle(at.box)}`;
  const { role, name, value } = element;
  const label = name === '' ? value : name;
  return label === '' ? `${role} at ${middle(at.box)}` : `${role} ${quoted(label)}`;
}

const middle = ({ x, y, width, height }: Box): string =>
  `(${Math.floor(x + width / 2)}, ${Math.floor(y + height / 2)})`;
