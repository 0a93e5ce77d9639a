// Converts choices to an action on the observed screen, and an action of another source (a demonstration, a scripted solution)
// back to the choices that produce it, where such choices exist.

import { type Action, NOTCHES } from '../../core/action.ts';
import { typeableText } from '../../core/action-error.ts';
import type { Candidate } from '../../core/decision.ts';
import { type Box, centre, type Point } from '../../core/screen.ts';
import { KINDS, kindNumber, type PolicyActionKind, SLOTS, type Slot, slotsOf } from './action-kinds.ts';
import { CHORDS, chordNumber } from './chords.ts';
import type { TextSpan } from './screen-text.ts';
import { tokenAt } from './token-at.ts';
import type { Meaning, Tokens } from './token-features.ts';
import { SLOTS_OF_WORDS } from './token-numbers.ts';

/** Value of the slot `first` that copies the whole text. */
export const COPY_WHOLE_TEXT = SLOTS_OF_WORDS;

/** The chosen number of each used slot. */
export type Choices = Readonly<Partial<Record<Slot, number>>>;

export class ChoiceError extends Error {
  override readonly name = 'ChoiceError';
}

/** The slots that these choices use, in order. */
export function usedSlots(tokens: Tokens, choices: Choices): readonly Slot[] {
  const kind = kindOf(choices);
  const inInstruction = startsInInstruction(tokens, choices.text);
  const unused: Partial<Record<Slot, boolean>> = {
    end: !inInstruction,
    first: inInstruction,
    last: inInstruction || choices.first === COPY_WHOLE_TEXT,
  };
  return ['kind' as const, ...slotsOf(kind)].filter(slot => !unused[slot]);
}

const startsInInstruction = (tokens: Tokens, text: number | undefined): boolean =>
  text !== undefined && text >= 1 && text <= tokens.words;

function kindOf({ kind }: Choices): PolicyActionKind {
  const name = kind === undefined ? undefined : KINDS[kind];
  if (name === undefined)
    throw new ChoiceError(`Action kind ${kind} does not exist. Use 0 to ${KINDS.length - 1}.`);
  return name;
}

export function actionOf(tokens: Tokens, instruction: string, choices: Choices): Action {
  const kind = kindOf(choices);
  const at = (slot: 'pointer' | 'target'): Point => centre(boxOf(tokens, choices[slot]));
  switch (kind) {
    case 'click':
    case 'double_click':
    case 'right_click':
      return { kind, at: at('pointer') };
    case 'drag':
      return { kind, from: at('pointer'), to: at('target') };
    case 'scroll_down':
    case 'scroll_up':
      return {
        kind: 'scroll',
        at: at('pointer'),
        direction: kind === 'scroll_down' ? 'down' : 'up',
        notches: NOTCHES,
      };
    case 'type':
      // Texts of pages have control characters, and a desktop that refused them would count as broken.
      return { kind, text: typeableText(textOf(tokens, instruction, choices)) };
    case 'hotkey': {
      const keys = CHORDS[choices.key ?? -1];
      if (keys === undefined)
        throw new ChoiceError(`Chord ${choices.key} does not exist. Use 0 to ${CHORDS.length - 1}.`);
      return { kind, keys };
    }
    case 'wait':
      return { kind };
    case 'finished':
      return { kind, answer: '' };
    case 'fail':
      return { kind, why: '' };
  }
}

/** The targets of the pointer decisions, in order. */
export const candidatesOf = (tokens: Tokens, choices: Choices): readonly Candidate[] =>
  slotsOf(kindOf(choices)).flatMap(slot => {
    const at = slot === 'pointer' || slot === 'target' ? meaningOf(tokens, choices[slot]).at : undefined;
    return at === undefined ? [] : [at];
  });

const meaningOf = (tokens: Tokens, token: number | undefined): Meaning =>
  (token === undefined ? undefined : tokens.meanings[token]) ?? {};

function boxOf(tokens: Tokens, token: number | undefined): Box {
  const { at } = meaningOf(tokens, token);
  if (at === undefined)
    throw new ChoiceError(`Token ${token} has no place on the screen. Choose a pointable token.`);
  return at.box;
}

function textOf(tokens: Tokens, instruction: string, { text, end, first, last }: Choices): string {
  const begins = meaningOf(tokens, text);
  if (begins.text === undefined) throw new ChoiceError(`Token ${text} has no text. Choose a copyable token.`);
  if (begins.word !== undefined) {
    const ends = meaningOf(tokens, end).word ?? begins.word;
    return instruction.slice(begins.word.start, Math.max(begins.word.end, ends.end));
  }
  if (first === COPY_WHOLE_TEXT) return begins.text;
  const [from, to] = [spanOf(begins, first), spanOf(begins, last)];
  if (from === undefined || to === undefined || to.start < from.start)
    throw new ChoiceError(
      `Token ${text} has no copyable words ${first} to ${last}. Choose words that it has.`,
    );
  return begins.text.slice(from.start, to.end);
}

const spanOf = ({ spans }: Meaning, word: number | undefined): TextSpan | undefined =>
  spans === undefined || word === undefined ? undefined : spans.each[word - spans.first];

/** The choices that produce an action on this screen; undefined if none do. */
export function choicesFor(tokens: Tokens, instruction: string, action: Action): Choices | undefined {
  const kind = kindNumber(action);
  if (kind === undefined) return undefined;
  const tokenFor = (point: Point) => tokenAt(tokens, point);
  switch (action.kind) {
    case 'drag': {
      const { from, to } = action;
      const [pointer, target] = [tokenFor(from), tokenFor(to)];
      if (pointer === undefined || target === undefined) return undefined;
      // Such choices drag from the centre of a token to the same point, which only a drag without a distance does.
      if (pointer === target && (from.x !== to.x || from.y !== to.y)) return undefined;
      return { kind, pointer, target };
    }
    case 'type': {
      const copied = copyOf(tokens, instruction, action.text);
      return copied && { kind, ...copied };
    }
    case 'hotkey': {
      const key = chordNumber(action.keys);
      return key === undefined ? undefined : { kind, key };
    }
    case 'wait':
    case 'finished':
    case 'fail':
      return { kind };
    case 'scroll': {
      const pointer = action.notches === NOTCHES ? tokenFor(action.at) : undefined;
      return pointer === undefined ? undefined : { kind, pointer };
    }
    default: {
      const pointer = 'at' in action ? tokenFor(action.at) : undefined;
      return pointer === undefined ? undefined : { kind, pointer };
    }
  }
}

/**
 * The choices that copy a text: from the instruction, preferably quoted; else from a token with exactly this text; else from the
 * shortest text that contains it. Undefined if the text is not visible.
 */
export function copyOf(tokens: Tokens, instruction: string, text: string): Copy | undefined {
  if (text === '') return undefined;
  const fromInstruction = copyOfInstruction(tokens, instruction, text);
  if (fromInstruction !== undefined) return fromInstruction;
  let [shortest, best]: [number, Copy | undefined] = [Number.POSITIVE_INFINITY, undefined];
  for (let token = 1 + tokens.words; token < tokens.count; token++) {
    const { text: whole, spans } = tokens.meanings[token] ?? {};
    if (whole === undefined || spans === undefined || whole.length >= shortest) continue;
    if (whole === text) return { text: token, first: COPY_WHOLE_TEXT };
    const part = partOf(whole, spans.each, text);
    if (part === undefined) continue;
    shortest = whole.length;
    best = { text: token, first: spans.first + part.first, last: spans.first + part.last };
  }
  return best;
}

type Copy = Pick<Choices, 'text' | 'end' | 'first' | 'last'>;

function copyOfInstruction(tokens: Tokens, instruction: string, text: string): Copy | undefined {
  const words = tokens.meanings.slice(1, 1 + tokens.words).flatMap(({ word }) => word ?? []);
  let found: { readonly text: number; readonly end: number; readonly quoted: boolean } | undefined;
  for (const [index, begins] of words.entries()) {
    const part = partOf(instruction, words, text, index);
    if (part !== undefined && (found === undefined || (begins.quoted && !found.quoted)))
      found = { text: 1 + index, end: 1 + part.last, quoted: begins.quoted };
  }
  return found && { text: found.text, end: found.end };
}

/** Indices of the first and last word of `part` in `whole`; `from` fixes the first. */
function partOf(
  whole: string,
  words: readonly TextSpan[],
  part: string,
  from?: number,
): { readonly first: number; readonly last: number } | undefined {
  for (const first of from === undefined ? words.keys() : [from]) {
    const { start = -1 } = words[first] ?? {};
    if (!whole.startsWith(part, start)) continue;
    const last = words.findIndex(({ end }) => end === start + part.length);
    if (last >= first) return { first, last };
  }
  return undefined;
}

/** The numbers of all slots, 0 for unused ones, and a flag for each used slot. */
export function slotNumbers(
  tokens: Tokens,
  choices: Choices,
): { readonly chosen: readonly number[]; readonly used: readonly number[] } {
  const used = usedSlots(tokens, choices);
  return {
    chosen: SLOTS.map(slot => (used.includes(slot) ? choiceIn(choices, slot) : 0)),
    used: SLOTS.map(slot => Number(used.includes(slot))),
  };
}

function choiceIn(choices: Choices, slot: Slot): number {
  const choice = choices[slot];
  if (choice === undefined)
    throw new ChoiceError(
      `The choices ${JSON.stringify(choices)} lack the slot '${slot}'. Choose a number for it.`,
    );
  return choice;
}
