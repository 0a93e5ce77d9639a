// The glyphs of a page with their places, in the order in which the page draws them.

import { IDENTITY, type Matrix, matrixOf, times } from './matrix.ts';
import type { PdfFont, PdfOperation, PdfPage } from './open-pdf.ts';

export interface PdfGlyph {
  readonly text: string;
  /** From units of the font size to the page, whose y axis points up. The origin of the glyph is (e, f). */
  readonly matrix: Matrix;
  /** The width in units of the font size. */
  readonly advance: number;
  readonly descent: number;
}

interface TextState {
  readonly matrix: Matrix;
  readonly font: PdfFont;
  readonly size: number;
  readonly characterSpacing: number;
  readonly wordSpacing: number;
  /** 1 is normal. */
  readonly scale: number;
  readonly leading: number;
  readonly rise: number;
}

const NO_FONT: PdfFont = { descent: 0, widthUnit: 0.001 };
const START: TextState = {
  ...{ matrix: IDENTITY, font: NO_FONT, size: 0, characterSpacing: 0, wordSpacing: 0 },
  ...{ scale: 1, leading: 0, rise: 0 },
};

export function glyphsOf(page: PdfPage): readonly PdfGlyph[] {
  const reader = new GlyphReader(page.fonts);
  for (const operation of page.operations) reader.read(operation);
  return reader.glyphs;
}

/** Follows the state of text through the operations. */
class GlyphReader {
  readonly glyphs: PdfGlyph[] = [];
  readonly #fonts: ReadonlyMap<string, PdfFont>;
  readonly #saved: TextState[] = [];
  #state = START;
  #line: Matrix = IDENTITY;
  #text: Matrix = IDENTITY;

  constructor(fonts: ReadonlyMap<string, PdfFont>) {
    this.#fonts = fonts;
  }

  read({ name, operands }: PdfOperation): void {
    if (Object.hasOwn(this.#handlers, name)) this.#handlers[name]?.(operands);
  }

  readonly #handlers: Readonly<Record<string, (operands: readonly unknown[]) => void>> = {
    save: () => this.#save(),
    restore: () => this.#restore(),
    transform: operands => this.#transform(operands),
    paintFormXObjectBegin: ([matrix]) => {
      this.#save();
      this.#transform(matrix);
    },
    paintFormXObjectEnd: () => this.#restore(),
    beginAnnotation: ([, , transform, matrix]) => {
      this.#save();
      this.#transform(transform);
      this.#transform(matrix);
    },
    endAnnotation: () => this.#restore(),
    beginText: () => this.#moveTo(IDENTITY),
    setTextMatrix: ([matrix]) => this.#moveTo(matrixOf(matrix)),
    moveText: ([x, y]) => this.#moveBy(Number(x), Number(y)),
    setLeadingMoveText: ([x, y]) => {
      this.#set({ leading: -Number(y) });
      this.#moveBy(Number(x), Number(y));
    },
    nextLine: () => this.#moveBy(0, -this.#state.leading),
    setFont: ([id, size]) => this.#set({ font: this.#fonts.get(String(id)) ?? NO_FONT, size: Number(size) }),
    setCharSpacing: ([characterSpacing]) => this.#set({ characterSpacing: Number(characterSpacing) }),
    setWordSpacing: ([wordSpacing]) => this.#set({ wordSpacing: Number(wordSpacing) }),
    setHScale: ([percent]) => this.#set({ scale: Number(percent) / 100 }),
    setLeading: ([leading]) => this.#set({ leading: Number(leading) }),
    setTextRise: ([rise]) => this.#set({ rise: Number(rise) }),
    showText: ([items]) => {
      if (Array.isArray(items)) for (const item of items) this.#show(item);
    },
  };

  #set(change: Partial<TextState>): void {
    this.#state = { ...this.#state, ...change };
  }

  #save(): void {
    this.#saved.push(this.#state);
  }

  #restore(): void {
    this.#state = this.#saved.pop() ?? this.#state;
  }

  #transform(matrix: unknown): void {
    this.#set({ matrix: times(matrixOf(matrix), this.#state.matrix) });
  }

  #moveTo(matrix: Matrix): void {
    [this.#line, this.#text] = [matrix, matrix];
  }

  #moveBy(x: number, y: number): void {
    this.#moveTo(times([1, 0, 0, 1, x, y], this.#line));
  }

  /** A glyph, or a distance in thousandths of the font size. */
  #show(item: unknown): void {
    const { matrix, font, size, characterSpacing, wordSpacing, scale, rise } = this.#state;
    if (typeof item === 'number') this.#advance((-item / 1000) * size * scale);
    if (typeof item !== 'object' || item === null) return;
    const { unicode, width, isSpace } = item as Readonly<Record<string, unknown>>;
    const advance = (typeof width === 'number' ? width : 0) * font.widthUnit;
    const placed = times([size * scale, 0, 0, size, 0, rise], times(this.#text, matrix));
    if (typeof unicode === 'string' && unicode !== '')
      this.glyphs.push({ text: unicode, matrix: placed, advance, descent: font.descent });
    this.#advance((advance * size + characterSpacing + (isSpace === true ? wordSpacing : 0)) * scale);
  }

  #advance(distance: number): void {
    this.#text = times([1, 0, 0, 1, distance, 0], this.#text);
  }
}
