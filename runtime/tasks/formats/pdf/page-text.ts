// The text of a page as MuPDF extracts it: glyphs in the order of drawing, in lines that end where the pen jumps.

import { glyphsOf, type PdfGlyph } from './glyphs.ts';
import type { PdfPage } from './open-pdf.ts';

/** Distances in units of the font size. */
const MAX_BASELINE_DISTANCE = 0.8;
const MIN_SPACE = 0.15;
const MAX_SPACE = 0.8;
const MAX_REPEAT_DISTANCE = 0.1;
/** The cosine of the largest angle within a line. */
const MIN_COSINE = 0.999;

interface Pen {
  readonly glyph: PdfGlyph;
  /** The direction of writing, of length 1. */
  readonly direction: readonly [number, number];
  /** Where the next glyph is expected. */
  readonly x: number;
  readonly y: number;
}

/** Each line ends with a line break. */
export function pageText(page: PdfPage): string {
  let text = '';
  let pen: Pen | undefined;
  for (const glyph of glyphsOf(page)) {
    if (!isVisible(glyph, page)) continue;
    const next = penAfter(glyph);
    const step = pen && stepBetween(pen, next);
    if (step === 'repeat') continue;
    if (step === 'line') text += '\n';
    if (step === 'space' && !text.endsWith(' ') && glyph.text !== ' ') text += ' ';
    text += glyph.text;
    pen = next;
  }
  return pen ? `${text}\n` : text;
}

function penAfter(glyph: PdfGlyph): Pen {
  const [a, b, , , e, f] = glyph.matrix;
  const length = Math.hypot(a, b) || 1;
  return {
    glyph,
    direction: [a / length, b / length],
    x: e + glyph.advance * a,
    y: f + glyph.advance * b,
  };
}

function stepBetween(pen: Pen, next: Pen): 'none' | 'space' | 'line' | 'repeat' {
  const [a, b, c, d, e, f] = next.glyph.matrix;
  const [x, y] = next.direction;
  if (x * pen.direction[0] + y * pen.direction[1] < MIN_COSINE) return 'line';
  const size = Math.sqrt(Math.abs(a * d - b * c));
  const [, , , , lastE, lastF] = pen.glyph.matrix;
  // Some programs draw bold text by drawing each glyph twice.
  const isRepeat =
    pen.glyph.text === next.glyph.text && Math.hypot(e - lastE, f - lastF) < size * MAX_REPEAT_DISTANCE;
  if (isRepeat) return 'repeat';
  const [dx, dy] = [e - pen.x, f - pen.y];
  const [along, across] = [x * dx + y * dy, x * dy - y * dx];
  if (Math.abs(across) >= size * MAX_BASELINE_DISTANCE) return 'line';
  if (Math.abs(along) >= size * MAX_SPACE) return 'line';
  return along >= size * MIN_SPACE ? 'space' : 'none';
}

const DESCENDERS = new Set('gjpqyQ,;()[]{}|_@ç');

/** Text that lies outside of the page is left out. */
function isVisible({ text, matrix, advance }: PdfGlyph, { box }: PdfPage): boolean {
  const [a, b, c, d, e, f] = matrix;
  const depth = DESCENDERS.has(text) ? -0.2 : 0;
  const corners = [
    [0, depth],
    [advance, depth],
    [0, 0.6],
    [advance, 0.6],
  ].map(([x = 0, y = 0]) => [a * x + c * y + e, b * x + d * y + f] as const);
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  const [left, bottom, right, top] = box;
  return (
    Math.max(...xs) > left && Math.min(...xs) < right && Math.max(...ys) > bottom && Math.min(...ys) < top
  );
}
