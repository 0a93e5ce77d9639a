// Bicubic resizing of RGB images, row by row and bit for bit as Pillow does it: first along the rows, rounded to 8 bits, then along the
// columns. A caller computes only the rows that it needs.

import type { Pixels, Size } from '../../../core/screen.ts';
import { bicubicWeights, type FilterWeights, WEIGHT_BITS } from './filter-weights.ts';
import { RgbImage } from './rgb-image.ts';

/** Rows of a range: first ≤ row < end. */
export interface RowRange {
  readonly first: number;
  readonly end: number;
}

/** Reads the source rows from `source`, whose content may change between two calls of `begin`. */
export class Resizer {
  readonly size: Size;
  readonly #source: RgbImage;
  /** Absent along an axis whose length does not change. */
  readonly #columns: FilterWeights | undefined;
  readonly #rows: FilterWeights | undefined;
  /** The latest source rows, resized along the row. Source row r has the place r modulo the number of places. */
  readonly #widened: readonly WidenedRow[];
  readonly #sums: Int32Array;

  constructor(source: RgbImage, size: Size) {
    this.size = size;
    this.#source = source;
    this.#columns = source.width === size.width ? undefined : bicubicWeights(source.width, size.width);
    this.#rows = source.height === size.height ? undefined : bicubicWeights(source.height, size.height);
    this.#widened = Array.from({ length: this.#rows?.taps ?? 1 }, () => ({
      ...{ row: NONE, equalTo: NONE },
      bytes: new Uint8ClampedArray(3 * size.width),
    }));
    this.#sums = new Int32Array(3 * size.width);
  }

  /** Call it after the source changed. */
  begin(): void {
    for (const widened of this.#widened) widened.row = NONE;
  }

  /** The source rows that these rows depend on. */
  sourceRows({ first, end }: RowRange): RowRange {
    if (this.#rows === undefined) return { first, end };
    const { starts, taps } = this.#rows;
    return { first: starts[first] ?? 0, end: (starts[end - 1] ?? 0) + taps };
  }

  /** Writes one row of the result. Ascending rows are fastest. */
  writeRow(row: number, into: Uint8ClampedArray, at: number): void {
    if (this.#rows === undefined) {
      this.#writeWidened(row, into, at);
      return;
    }
    const { starts, taps, weights } = this.#rows;
    const start = starts[row] ?? 0;
    const used = Array.from({ length: taps }, (_, tap) => this.#widenedRow(start + tap));
    const [first] = used;
    // Equal rows make the same row again, since rounding absorbs the error of the weights.
    if (first !== undefined && used.every(({ equalTo }) => equalTo === first.equalTo))
      into.set(first.bytes, at);
    else if (taps === 4) blendFourRows(used, weights, row * taps, into, at);
    else blendRows(used, weights, row * taps, this.#sums, into, at);
  }

  #writeWidened(row: number, into: Uint8ClampedArray, at: number): void {
    const { data, stride } = this.#source;
    if (this.#columns === undefined) into.set(data.subarray(row * stride, (row + 1) * stride), at);
    else if (this.#columns.taps === 4) blendFourColumns(data, row * stride, this.#columns, into, at);
    else blendColumns(data, row * stride, this.#columns, into, at);
  }

  #widenedRow(row: number): WidenedRow {
    const place = this.#place(row);
    if (place.row === row) return place;
    // Desktops have many equal rows below each other.
    const above = this.#place(row - 1);
    if (place !== above && above.row === row - 1 && row > 0 && this.#source.repeatsRowAbove(row)) {
      place.bytes.set(above.bytes);
      place.equalTo = above.equalTo;
    } else {
      this.#writeWidened(row, place.bytes, 0);
      place.equalTo = row;
    }
    place.row = row;
    return place;
  }

  #place(row: number): WidenedRow {
    const { length } = this.#widened;
    const place = this.#widened[(row + length) % length];
    if (place === undefined) throw new RangeError(`No place for row ${row} of the source.`);
    return place;
  }
}

/** The whole image in another size. */
export function resize(pixels: Pixels, size: Size): Pixels {
  const source = new RgbImage(pixels);
  source.update(pixels);
  const resizer = new Resizer(source, size);
  const data = new Uint8ClampedArray(3 * size.width * size.height);
  for (let row = 0; row < size.height; row++) resizer.writeRow(row, data, 3 * size.width * row);
  return { ...size, layout: 'rgb', data: new Uint8Array(data.buffer) };
}

interface WidenedRow {
  row: number;
  /** The first of the adjoining source rows with the same content. */
  equalTo: number;
  readonly bytes: Uint8ClampedArray;
}

const NONE = -2;
const HALF = 1 << (WEIGHT_BITS - 1);

/** The usual case, four taps, without an inner loop: three times as fast. Uint8ClampedArray limits values to 0 to 255. */
function blendFourColumns(
  source: Uint8Array,
  from: number,
  { starts, weights }: FilterWeights,
  into: Uint8ClampedArray,
  at: number,
): void {
  let to = at;
  for (let column = 0, tap = 0; column < starts.length; column++, tap += 4, to += 3) {
    const [a, b] = [weights[tap] ?? 0, weights[tap + 1] ?? 0];
    const [c, d] = [weights[tap + 2] ?? 0, weights[tap + 3] ?? 0];
    const start = from + 3 * (starts[column] ?? 0);
    for (let channel = 0; channel < 3; channel++) {
      const byte = start + channel;
      const sum =
        (Math.imul(source[byte] ?? 0, a) +
          Math.imul(source[byte + 3] ?? 0, b) +
          Math.imul(source[byte + 6] ?? 0, c) +
          Math.imul(source[byte + 9] ?? 0, d) +
          HALF) |
        0;
      into[to + channel] = sum >> WEIGHT_BITS;
    }
  }
}

function blendColumns(
  source: Uint8Array,
  from: number,
  { starts, weights, taps }: FilterWeights,
  into: Uint8ClampedArray,
  at: number,
): void {
  let to = at;
  for (let column = 0; column < starts.length; column++, to += 3) {
    let [red, green, blue] = [HALF, HALF, HALF];
    let byte = from + 3 * (starts[column] ?? 0);
    for (let tap = column * taps; tap < (column + 1) * taps; tap++, byte += 3) {
      const weight = weights[tap] ?? 0;
      red = (red + Math.imul(source[byte] ?? 0, weight)) | 0;
      green = (green + Math.imul(source[byte + 1] ?? 0, weight)) | 0;
      blue = (blue + Math.imul(source[byte + 2] ?? 0, weight)) | 0;
    }
    into[to] = red >> WEIGHT_BITS;
    into[to + 1] = green >> WEIGHT_BITS;
    into[to + 2] = blue >> WEIGHT_BITS;
  }
}

function blendFourRows(
  [first, second, third, fourth]: readonly WidenedRow[],
  weights: Int32Array,
  tap: number,
  into: Uint8ClampedArray,
  at: number,
): void {
  if (first === undefined || second === undefined || third === undefined || fourth === undefined) return;
  const [a, b] = [weights[tap] ?? 0, weights[tap + 1] ?? 0];
  const [c, d] = [weights[tap + 2] ?? 0, weights[tap + 3] ?? 0];
  const [one, two, three, four] = [first.bytes, second.bytes, third.bytes, fourth.bytes];
  for (let byte = 0; byte < one.length; byte++) {
    const sum =
      (Math.imul(one[byte] ?? 0, a) +
        Math.imul(two[byte] ?? 0, b) +
        Math.imul(three[byte] ?? 0, c) +
        Math.imul(four[byte] ?? 0, d) +
        HALF) |
      0;
    into[at + byte] = sum >> WEIGHT_BITS;
  }
}

function blendRows(
  rows: readonly WidenedRow[],
  weights: Int32Array,
  firstTap: number,
  sums: Int32Array,
  into: Uint8ClampedArray,
  at: number,
): void {
  sums.fill(HALF);
  for (const [index, { bytes }] of rows.entries()) {
    const weight = weights[firstTap + index] ?? 0;
    if (weight === 0) continue;
    for (let byte = 0; byte < bytes.length; byte++)
      sums[byte] = (sums[byte] ?? 0) + Math.imul(bytes[byte] ?? 0, weight);
  }
  for (let byte = 0; byte < sums.length; byte++) into[at + byte] = (sums[byte] ?? 0) >> WEIGHT_BITS;
}
