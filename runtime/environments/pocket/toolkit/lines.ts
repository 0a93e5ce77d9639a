// Line breaking of a text area, and caret movement between its lines. Pure functions.

import { fittingLength, textWidth } from '../font.ts';
import { type Editing, moveTo } from './text-edit.ts';

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
    const fit = Math.max(1, fittingLength(rest, width));
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
