// How a text falls into lines, where its line breaks are and where it is wider than its room, and how a caret moves among
// them. Pure; nothing is drawn here.

import { fitting, textWidth } from '../font.ts';
import { type Editing, moveTo } from './text-edit.ts';

export interface TextLine {
  readonly text: string;
  /** The place in the whole text of its first character. */
  readonly start: number;
  /** Whether it goes on in the next line without a line break. */
  readonly goesOn: boolean;
}

const EMPTY: TextLine = { text: '', start: 0, goesOn: false };

/** Lines no wider than `width`, broken after blanks where there are any. */
export function linesOf(text: string, width: number = Number.POSITIVE_INFINITY): readonly TextLine[] {
  let start = 0;
  return text.split('\n').flatMap(paragraph => {
    const lines = broken(paragraph, start, Math.max(8, width));
    start += paragraph.length + 1;
    return lines;
  });
}

function broken(paragraph: string, start: number, width: number): readonly TextLine[] {
  const lines: TextLine[] = [];
  let from = 0;
  let rest = paragraph;
  while (textWidth(rest) > width) {
    const fit = Math.max(1, fitting(rest, width));
    const blank = rest.lastIndexOf(' ', fit);
    const length = blank > 0 ? blank + 1 : fit;
    lines.push({ text: rest.slice(0, length), start: start + from, goesOn: true });
    from += length;
    rest = rest.slice(length);
  }
  return [...lines, { text: rest, start: start + from, goesOn: false }];
}

/** Which line a place is in: at a break inside a paragraph, the later one. */
export const lineAt = (lines: readonly TextLine[], place: number): number => {
  const after = lines.findIndex(line => line.start > place);
  return (after < 0 ? lines.length : after) - 1;
};

/** The last place of a line: where it goes on, before its last character, since the next line starts behind that. */
export const lastPlace = ({ text, start, goesOn }: TextLine): number =>
  start + text.length - (goesOn ? 1 : 0);

/** What a stroke that depends on the lines makes of the caret; undefined where it is no such stroke. */
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
