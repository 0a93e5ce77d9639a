// A line chart in braille characters (eight dots each) with a fainter confidence band. Pure: points in, lines out.

import { accent, faint, type StyledLine, type StyledText, type TextTone } from './line.ts';

export interface ChartPoint {
  /** The x position, from 0 to 1 of the width. */
  readonly at: number;
  /** The y position, from 0 to 1 of the height. */
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

const BLANK = 0x2800;
/** The bit of each dot of a braille character, by row and column. */
const DOTS = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
] as const;

/** Returns `rows` lines of `columns` characters. Points are sorted by x. */
export function chart(points: readonly ChartPoint[], columns: number, rows: number): readonly StyledLine[] {
  const curve = new Dots(columns, rows);
  const band = new Dots(columns, rows);
  const [wide, high] = [2 * columns - 1, 4 * rows - 1];
  const across = ({ at }: ChartPoint) => Math.round(at * wide);
  const down = (value: number) => Math.round((1 - value) * high);
  for (const [index, point] of points.entries()) {
    const next = points[index + 1] ?? point;
    const [from, to] = [across(point), across(next)];
    let before = down(point.value);
    for (let x = from; x <= to; x++) {
      const share = to === from ? 0 : (x - from) / (to - from);
      const between = (name: 'value' | 'low' | 'high') => point[name] + share * (next[name] - point[name]);
      const y = down(between('value'));
      // Fill the column between two points, so that steep parts have no gaps.
      for (let each = Math.min(before, y); each <= Math.max(before, y); each++) curve.set(x, each);
      before = y;
      for (let each = down(between('high')); each <= down(between('low')); each++)
        if (x % 2 === 0 && each % 4 === (x % 4 === 0 ? 0 : 2)) band.set(x, each);
    }
  }
  return Array.from({ length: rows }, (_, row) => lineOf(columns, row, curve, band));
}

/** A character with a dot of the curve shows no band. */
function lineOf(columns: number, row: number, curve: Dots, band: Dots): StyledLine {
  const pieces: StyledText[] = [];
  let [text, tone]: [string, TextTone] = ['', 'faint'];
  for (let column = 0; column < columns; column++) {
    const dots = curve.at(column, row);
    const [bits, own]: [number, TextTone] = dots > 0 ? [dots, 'accent'] : [band.at(column, row), 'faint'];
    if (own !== tone) {
      pieces.push(tone === 'accent' ? accent(text) : faint(text));
      [text, tone] = ['', own];
    }
    text += bits === 0 ? ' ' : String.fromCharCode(BLANK + bits);
  }
  return [...pieces, tone === 'accent' ? accent(text) : faint(text)].filter(piece => piece.text !== '');
}

class Dots {
  readonly #columns: number;
  readonly #bits: Uint8Array;

  constructor(columns: number, rows: number) {
    this.#columns = columns;
    this.#bits = new Uint8Array(columns * rows);
  }

  set(x: number, y: number): void {
    const index = (y >> 2) * this.#columns + (x >> 1);
    this.#bits[index] = this.at(x >> 1, y >> 2) | (DOTS[y & 3]?.[x & 1] ?? 0);
  }

  at(column: number, row: number): number {
    return this.#bits[row * this.#columns + column] ?? 0;
  }
}
