// A line of a terminal as pieces of text with a tone: it is measured and cut as plain text, and coloured last.

export type Tone = 'plain' | 'strong' | 'faint' | 'accent' | 'good' | 'poor';

export interface Piece {
  readonly text: string;
  readonly tone: Tone;
}

export type Line = readonly Piece[];

const tone =
  (name: Tone) =>
  (text: string): Piece => ({ text, tone: name });
export const plain = tone('plain');
export const strong = tone('strong');
export const faint = tone('faint');
export const accent = tone('accent');
export const poor = tone('poor');

/** Every character used here is one column wide. */
export const widthOf = (line: Line): number => line.reduce((sum, { text }) => sum + [...text].length, 0);

/** At most this wide; what is cut off ends with '…'. */
export function cut(line: Line, width: number): Line {
  if (widthOf(line) <= width) return line;
  const pieces: Piece[] = [];
  let left = width - 1;
  for (const piece of line) {
    const characters = [...piece.text];
    pieces.push({ ...piece, text: characters.slice(0, left).join('') });
    left -= characters.length;
    if (left <= 0) break;
  }
  return width < 1 ? [] : [...pieces, faint('…')];
}

/** The first at the left end, the second at the right one; where both do not fit, the second goes. */
export function spread(left: Line, right: Line, width: number): Line {
  const space = width - widthOf(left) - widthOf(right);
  return space < 2 ? cut(left, width) : [...left, plain(' '.repeat(space)), ...right];
}

export const indented = (lines: readonly Line[], margin: number): readonly Line[] =>
  lines.map(line => (line.length === 0 ? line : [plain(' '.repeat(margin)), ...line]));

/** A share as a bar; only all is full. Good and poor are told apart where `judged`. */
export function filled(share: number, width: number, judged = false): readonly Piece[] {
  const full = share < 1 ? Math.min(width - 1, Math.round(share * width)) : width;
  const tone = !judged ? 'accent' : share >= 0.8 ? 'good' : share < 0.5 ? 'poor' : 'accent';
  return [{ text: '█'.repeat(full), tone }, faint('░'.repeat(width - full))];
}

/** The terminal's own colours, so that they suit whatever background it has. */
const CODES: Readonly<Record<Tone, string>> = {
  plain: '',
  strong: '\x1b[1m',
  faint: '\x1b[2m',
  accent: '\x1b[36m',
  good: '\x1b[32m',
  poor: '\x1b[33m',
};

export const painted = (line: Line, colour: boolean): string =>
  line
    .map(({ text, tone }) => (colour && tone !== 'plain' ? `${CODES[tone]}${text}\x1b[0m` : text))
    .join('')
    .trimEnd();
