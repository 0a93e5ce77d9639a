// Text editing: a text with caret and selection, its lines in a text area, and the effect of each key on it. Pure functions.

import { fittingLength, textWidth } from '../font.ts';

export interface Editing {
  readonly text: string;
  /** The insertion point. */
  readonly caret: number;
  /** The other end of the selection; equal to the caret without a selection. */
  readonly anchor: number;
  /** The first visible line of a text area; undefined while the view follows the caret. */
  readonly top?: number;
  /** The greatest length so far, of a text that was too long: what was cut out of it can be pasted again. */
  readonly longest?: number;
}

export const editing = (text: string): Editing => ({ text, caret: text.length, anchor: text.length });

export const selectionOf = ({ caret, anchor }: Editing): readonly [from: number, to: number] =>
  caret < anchor ? [caret, anchor] : [anchor, caret];

export const selectedText = (state: Editing): string => state.text.slice(...selectionOf(state));

/** Selects from the anchor to the caret. */
export const select = ({ top: _top, ...state }: Editing, anchor: number, caret: number): Editing => ({
  ...state,
  caret,
  anchor,
});

export const selectAll = (state: Editing): Editing => select(state, 0, state.text.length);

/** Of a text, and of what one action types. A policy may copy a text into itself again and again, and layout takes time for each character. */
export const MAX_TEXT_LENGTH = 4000;

/** The length that edits of a text may reach. A text of the world may be longer, and may keep its length. */
export const maxLength = ({ text, longest = 0 }: Editing): number =>
  Math.max(MAX_TEXT_LENGTH, text.length, longest);

/** Another text, with the caret at a place. */
export function edited(state: Editing, text: string, caret: number): Editing {
  const longest = maxLength(state);
  return { text, caret, anchor: caret, ...(longest > MAX_TEXT_LENGTH && { longest }) };
}

/**
 * Replaces the selection. Control characters are dropped, and line breaks too unless `lines` is set; also what exceeds the longest text.
 */
export function insert(state: Editing, inserted: string, lines: boolean): Editing {
  const [from, to] = selectionOf(state);
  const room = maxLength(state) - state.text.length + to - from;
  const clean = [...inserted]
    .filter(each => each >= ' ' || (lines && each === '\n'))
    .join('')
    .slice(0, room);
  const text = state.text.slice(0, from) + clean + state.text.slice(to);
  return edited(state, text, from + clean.length);
}

// A character outside the basic plane has two UTF-16 units, and no edit separates them.

const isInside = (text: string, place: number): boolean => (text.codePointAt(place - 1) ?? 0) > 0xffff;

/** The place itself, or the start of the character around it. */
const startAt = (text: string, place: number): number => place - Number(isInside(text, place));

/** The place one character before; -1 at the start. */
const placeBefore = (text: string, place: number): number => startAt(text, place - 1);

/** The place one character behind; one more than the length at the end. */
const placeAfter = (text: string, place: number): number => place + 1 + Number(isInside(text, place + 1));

/** Moves the caret; with `extend` the selection extends to it. */
export const moveTo = (state: Editing, caret: number, extend: boolean): Editing => {
  const place = startAt(state.text, Math.max(0, Math.min(state.text.length, caret)));
  return select(state, extend ? state.anchor : place, place);
};

const WORD = /[\p{L}\p{N}\p{M}_]/u;

const isWordBefore = (text: string, place: number): boolean =>
  place > 0 && WORD.test(text.slice(placeBefore(text, place), place));

const isWordAfter = (text: string, place: number): boolean =>
  WORD.test(text.slice(place, placeAfter(text, place)));

/** Selects the word around a place, as a double click does. */
export function selectWord(state: Editing, place: number): Editing {
  const { text } = state;
  let from = startAt(text, place);
  let to = from;
  while (isWordBefore(text, from)) from = placeBefore(text, from);
  while (isWordAfter(text, to)) to = placeAfter(text, to);
  return select(state, from, to);
}

/** Selects the paragraph around a place without its line break, as a triple click does. */
export function selectParagraph(state: Editing, place: number): Editing {
  const { text } = state;
  const end = text.indexOf('\n', place);
  return select(state, text.slice(0, place).lastIndexOf('\n') + 1, end < 0 ? text.length : end);
}

/** Applies a key that does not depend on line breaks (afterLineStroke has the others); undefined if it does not edit. */
export function afterStroke(state: Editing, stroke: string, lines: boolean): Editing | undefined {
  const extend = stroke.includes('shift+');
  const plain = stroke.replace('shift+', '');
  const { text, caret } = state;
  const [from, to] = selectionOf(state);
  const selected = from !== to;
  switch (plain) {
    case 'left':
      return moveTo(state, selected && !extend ? from : placeBefore(text, caret), extend);
    case 'right':
      return moveTo(state, selected && !extend ? to : placeAfter(text, caret), extend);
    case 'ctrl+left':
      return moveTo(state, wordStart(text, caret), extend);
    case 'ctrl+right':
      return moveTo(state, wordEnd(text, caret), extend);
    case 'home':
    case 'ctrl+home':
      return moveTo(state, 0, extend);
    case 'end':
    case 'ctrl+end':
      return moveTo(state, text.length, extend);
    case 'ctrl+a':
      return selectAll(state);
    case 'backspace':
      return removed(state, selected ? from : Math.max(0, placeBefore(text, from)), to);
    case 'delete':
      return removed(state, from, selected ? to : placeAfter(text, to));
    case 'enter':
      return lines ? insert(state, '\n', true) : undefined;
    default:
      return undefined;
  }
}

const removed = (state: Editing, from: number, to: number): Editing =>
  edited(state, state.text.slice(0, from) + state.text.slice(to), from);

function wordStart(text: string, place: number): number {
  let start = place;
  while (start > 0 && !isWordBefore(text, start)) start = placeBefore(text, start);
  while (isWordBefore(text, start)) start = placeBefore(text, start);
  return start;
}

function wordEnd(text: string, place: number): number {
  let end = place;
  while (end < text.length && !isWordAfter(text, end)) end = placeAfter(text, end);
  while (isWordAfter(text, end)) end = placeAfter(text, end);
  return end;
}

export interface TextLine {
  readonly text: string;
  /** The index of its first character in the whole text. */
  readonly start: number;
  /** The paragraph continues on the next line. */
  readonly continues: boolean;
}

const EMPTY: TextLine = { text: '', start: 0, continues: false };

/** Breaks a text into lines no wider than `width`, after spaces where possible. */
export function linesOf(text: string, width: number = Number.POSITIVE_INFINITY): readonly TextLine[] {
  let start = 0;
  return text.split('\n').flatMap(paragraph => {
    const lines = breakParagraph(paragraph, start, Math.max(8, width));
    start += paragraph.length + 1;
    return lines;
  });
}

function breakParagraph(paragraph: string, start: number, width: number): readonly TextLine[] {
  const lines: TextLine[] = [];
  let from = 0;
  let rest = paragraph;
  while (textWidth(rest) > width) {
    const fit = Math.max(placeAfter(rest, 0), startAt(rest, fittingLength(rest, width)));
    const blank = rest.lastIndexOf(' ', fit);
    const length = blank > 0 ? blank + 1 : fit;
    lines.push({ text: rest.slice(0, length), start: start + from, continues: true });
    from += length;
    rest = rest.slice(length);
  }
  return [...lines, { text: rest, start: start + from, continues: false }];
}

/** The index of the line that contains a place; at a break inside a paragraph, the later line. */
export const lineAt = (lines: readonly TextLine[], place: number): number => {
  const after = lines.findIndex(line => line.start > place);
  return (after < 0 ? lines.length : after) - 1;
};

/** The last caret position of a line; a line that continues ends before its last character. */
export const lastPlace = ({ text, start, continues }: TextLine): number =>
  start + text.length - (continues ? 1 : 0);

/** Applies a key that moves the caret between or within lines; undefined for other keys. */
export function afterLineStroke(
  state: Editing,
  stroke: string,
  lines: readonly TextLine[],
  page: number,
): Editing | undefined {
  const extend = stroke.includes('shift+');
  const plain = stroke.replace('shift+', '');
  const current = lineAt(lines, state.caret);
  const line = lines[current] ?? EMPTY;
  if (plain === 'home') return moveTo(state, line.start, extend);
  if (plain === 'end') return moveTo(state, lastPlace(line), extend);
  const by = { up: -1, down: 1, pageup: -page, pagedown: page }[plain];
  if (by === undefined) return undefined;
  const wanted = Math.max(0, Math.min(lines.length - 1, current + by));
  if (wanted === current) return moveTo(state, by < 0 ? 0 : state.text.length, extend);
  const target = lines[wanted] ?? EMPTY;
  return moveTo(state, Math.min(target.start + state.caret - line.start, lastPlace(target)), extend);
}
