// A terminal line as styled texts. It is measured and cut as plain text, and coloured last.

export type TextTone = 'plain' | 'strong' | 'faint' | 'accent' | 'good' | 'poor';

export interface StyledText {
  readonly text: string;
  readonly tone: TextTone;
}

export type StyledLine = readonly StyledText[];

const tone =
  (name: TextTone) =>
  (text: string): StyledText => ({ text, tone: name });
export const plain = tone('plain');
export const strong = tone('strong');
export const faint = tone('faint');
export const accent = tone('accent');
export const poor = tone('poor');

/** Every character used here is one column wide. */
export const widthOf = (line: StyledLine): number =>
  line.reduce((sum, { text }) => sum + [...text].length, 0);

/** Cuts a line to the width and ends it with '…'. */
export function cut(line: StyledLine, width: number): StyledLine {
  if (widthOf(line) <= width) return line;
  const pieces: StyledText[] = [];
  let left = width - 1;
  for (const piece of line) {
    const characters = [...piece.text];
    pieces.push({ ...piece, text: characters.slice(0, left).join('') });
    left -= characters.length;
    if (left <= 0) break;
  }
  return width < 1 ? [] : [...pieces, faint('…')];
}

/** Aligns one text left and one right. Without room for both, it drops the right one. */
export function spread(left: StyledLine, right: StyledLine, width: number): StyledLine {
  const space = width - widthOf(left) - widthOf(right);
  return space < 2 ? cut(left, width) : [...left, plain(' '.repeat(space)), ...right];
}

export const indented = (lines: readonly StyledLine[], margin: number): readonly StyledLine[] =>
  lines.map(line => (line.length === 0 ? line : [plain(' '.repeat(margin)), ...line]));

/** A share as a bar. Only a share of 1 fills it; NaN, without a measurement, leaves it empty. `judged` colours high and low shares. */
export function filled(share: number, width: number, judged = false): readonly StyledText[] {
  const full = share >= 1 ? width : Math.min(width - 1, Math.round((share || 0) * width));
  const tone = !judged ? 'accent' : share >= 0.8 ? 'good' : share < 0.5 ? 'poor' : 'accent';
  return [{ text: '█'.repeat(full), tone }, faint('░'.repeat(width - full))];
}

/** The colours of the terminal's theme, readable on its background. */
const CODES: Readonly<Record<TextTone, string>> = {
  plain: '',
  strong: '\x1b[1m',
  faint: '\x1b[2m',
  accent: '\x1b[36m',
  good: '\x1b[32m',
  poor: '\x1b[33m',
};

export const renderLine = (line: StyledLine, colour: boolean): string =>
  line
    .map(({ text, tone }) => (colour && tone !== 'plain' ? `${CODES[tone]}${text}\x1b[0m` : text))
    .join('')
    .trimEnd();
