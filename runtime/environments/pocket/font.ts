// The pocket desktop's font: glyphs, text widths, truncation and wrapping. Widths are in pixels, without the gap after the last
// glyph. Indices count UTF-16 units; each unit outside printable ASCII is drawn as a box.

import { DRAWINGS } from './glyphs.ts';

export interface Glyph {
  readonly width: number;
  /** The set pixels from the top left, one byte `y << 3 | x` each. */
  readonly dots: Uint8Array;
}

/** Rows of each glyph, starting at the top of the capitals. */
export const GLYPH_HEIGHT = 9;
/** Rows above the baseline. */
export const CAP_HEIGHT = 7;
/** Distance between the tops of two lines. */
export const LINE_HEIGHT = 11;
/** Empty columns after each glyph. */
export const GAP = 1;
/** The same for bold text, whose glyphs are drawn twice with an offset of one pixel. */
export const BOLD_GAP = 2;

const NAMES: Readonly<Record<string, string>> = { space: ' ', other: '\uFFFD' };
const ELLIPSES = ['...', '..'];

function parse(drawing: string): [character: string, glyph: Glyph][] {
  const [names = [], ...rows] = drawing
    .trim()
    .split('\n')
    .map(line => line.trim().split(/ +/));
  if (rows.length !== GLYPH_HEIGHT || rows.some(cells => cells.length !== names.length)) {
    throw new RangeError(`The glyphs '${names.join(' ')}' do not have ${GLYPH_HEIGHT} complete rows.`);
  }
  return names.map((name, column) => {
    const cells = rows.map(row => row[column] ?? '');
    const width = Math.max(...cells.map(cell => cell.length));
    if (width > 8 || cells.some(cell => cell.length !== width)) {
      throw new RangeError(`The glyph '${name}' is wider than 8 pixels or has rows of different lengths.`);
    }
    const dots = cells.flatMap((cell, y) =>
      [...cell].flatMap((pixel, x) => (pixel === '#' ? [(y << 3) | x] : [])),
    );
    return [NAMES[name] ?? name, { width, dots: Uint8Array.from(dots) }];
  });
}

const GLYPHS = new Map(DRAWINGS.flatMap(parse));
const BOX: Glyph = GLYPHS.get('\uFFFD') ?? { width: 5, dots: new Uint8Array() };
/** By character code. */
const TABLE: readonly Glyph[] = Array.from(
  { length: 0x80 },
  (_, code) => GLYPHS.get(String.fromCharCode(code)) ?? BOX,
);

/** The glyph of a character; a box for characters that the font does not have. */
export const glyphOf = (text: string, index = 0): Glyph => TABLE[text.charCodeAt(index)] ?? BOX;

/** The width of a text with the gap after it. */
function advance(text: string, gap: number): number {
  let pen = 0;
  for (let index = 0; index < text.length; index++) pen += glyphOf(text, index).width + gap;
  return pen;
}

export const textWidth = (text: string): number => Math.max(0, advance(text, GAP) - GAP);

export const boldWidth = (text: string): number => Math.max(0, advance(text, BOLD_GAP) - (BOLD_GAP - 1));

/** The number of characters of a text that fit into a width. */
export function fittingLength(text: string, width: number, gap = GAP): number {
  let pen = 0;
  for (let index = 0; index < text.length; index++) {
    pen += glyphOf(text, index).width + gap - GAP;
    if (pen > width) return index;
    pen += GAP;
  }
  return text.length;
}

/** Truncates a text with an ellipsis to fit a width; empty if not even the ellipsis fits. */
export function fitText(text: string, width: number, bold = false): string {
  const widthOf = bold ? boldWidth : textWidth;
  const gap = bold ? BOLD_GAP : GAP;
  if (widthOf(text) <= width) return text;
  for (const ellipsis of ELLIPSES) {
    const start = text.slice(0, fittingLength(text, width - advance(ellipsis, gap), gap)).trimEnd();
    if (start !== '') return start + ellipsis;
  }
  return ELLIPSES.find(ellipsis => widthOf(ellipsis) <= width) ?? '';
}

/**
 * Wraps a text at '\n', between words, and inside words that are wider than a line. Spaces at a break are dropped. Each line
 * has at least one character.
 */
export const wrapText = (text: string, width: number): string[] =>
  text.split('\n').flatMap(paragraph => wrapParagraph(paragraph, width));

function wrapParagraph(paragraph: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  let pen = 0;
  for (const [piece, word = ''] of paragraph.matchAll(/(?<! ) *([^ ]+)/g)) {
    if (pen + textWidth(piece) <= width) {
      line += piece;
    } else {
      if (line !== '') lines.push(line);
      line = word;
      while (textWidth(line) > width && line.length > 1) {
        const cut = Math.max(1, fittingLength(line, width));
        lines.push(line.slice(0, cut));
        line = line.slice(cut);
      }
    }
    pen = advance(line, GAP);
  }
  return [...lines, line];
}

/** The caret index nearest to `x`, the left one of two. The caret of an index is at `textWidth(text.slice(0, index))`. */
export function indexAt(text: string, x: number): number {
  let before = 0;
  for (let index = 0; index < text.length; index++) {
    const after = before + glyphOf(text, index).width + (index === 0 ? 0 : GAP);
    if (x <= (before + after) / 2) return index;
    before = after;
  }
  return text.length;
}
