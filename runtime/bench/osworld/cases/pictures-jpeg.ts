// Writes baseline JPEG files, grey or in colour, with or without smaller colour planes.

import { at } from '../../../core/at.ts';
import { colourAt, type Raster } from './pictures-raster.ts';

export interface JpegForm {
  /** 1 is nearly without loss; 10 leaves little. */
  readonly coarseness: number;
  readonly isGrey?: boolean;
  /** The colour planes have half of the width and the height. */
  readonly isSubsampled?: boolean;
}

interface Component {
  readonly sampling: number;
  value(x: number, y: number): number;
}

const SIDE = 8;

export function jpegOf(raster: Raster, form: JpegForm): Uint8Array {
  const components = componentsOf(raster, form);
  const mcu = SIDE * (form.isSubsampled ? 2 : 1);
  const table = Array.from({ length: 64 }, (_, index) =>
    Math.min(255, 1 + Math.floor(((index % SIDE) + Math.floor(index / SIDE)) * form.coarseness)),
  );
  const bits = new Bits();
  const previous = components.map(() => 0);
  for (let top = 0; top < raster.height; top += mcu)
    for (let left = 0; left < raster.width; left += mcu)
      components.forEach((component, index) => {
        const step = mcu / (SIDE * component.sampling);
        for (let block = 0; block < component.sampling ** 2; block++) {
          const x = left / step + SIDE * (block % component.sampling);
          const y = top / step + SIDE * Math.floor(block / component.sampling);
          const levels = quantized(component, x, y, table);
          writeBlock(bits, levels, at(previous, index));
          previous[index] = at(levels, 0);
        }
      });
  return Uint8Array.from([...headers(raster, components, table), ...bits.end(), 0xff, 0xd9]);
}

function componentsOf(raster: Raster, { isGrey, isSubsampled }: JpegForm): readonly Component[] {
  const sampling = isSubsampled ? 2 : 1;
  const plane =
    ([r, g, b]: readonly [number, number, number], offset: number) =>
    (x: number, y: number) => {
      const [red, green, blue] = colourAt(raster, x, y);
      return r * red + g * green + b * blue + offset;
    };
  const luma = plane([0.299, 0.587, 0.114], -128);
  if (isGrey) return [{ sampling: 1, value: luma }];
  const chroma = (weights: readonly [number, number, number]): Component => {
    const full = plane(weights, 0);
    return {
      sampling: 1,
      value: (x, y) => {
        if (sampling === 1) return full(x, y);
        const corners = [full(2 * x, 2 * y), full(2 * x + 1, 2 * y), full(2 * x, 2 * y + 1)];
        return (corners.reduce((sum, each) => sum + each, 0) + full(2 * x + 1, 2 * y + 1)) / 4;
      },
    };
  };
  return [
    { sampling, value: luma },
    chroma([-0.168736, -0.331264, 0.5]),
    chroma([0.5, -0.418688, -0.081312]),
  ];
}

/** The cosines of the transform: row u, column x. */
const COSINES = Array.from({ length: SIDE }, (_, u) =>
  Array.from(
    { length: SIDE },
    (__, x) => Math.cos(((2 * x + 1) * u * Math.PI) / 16) * (u === 0 ? Math.SQRT1_2 : 1) * 0.5,
  ),
);

/** The order in which a block is written. */
const ZIGZAG = Array.from({ length: 64 }, (_, index) => index).sort((a, b) => {
  const [diagonalA, diagonalB] = [(a % SIDE) + (a >> 3), (b % SIDE) + (b >> 3)];
  if (diagonalA !== diagonalB) return diagonalA - diagonalB;
  return diagonalA % 2 === 1 ? a - b : b - a;
});

/** The levels of a block in the order in which they are written. */
function quantized(
  { value }: Component,
  left: number,
  top: number,
  table: readonly number[],
): readonly number[] {
  const samples = Array.from({ length: 64 }, (_, index) => value(left + (index % SIDE), top + (index >> 3)));
  const rows = transformed(samples);
  const columns = transformed(
    Array.from({ length: 64 }, (_, index) => at(rows, (index % SIDE) * SIDE + (index >> 3))),
  );
  return ZIGZAG.map(index =>
    Math.round(at(columns, (index % SIDE) * SIDE + (index >> 3)) / at(table, index)),
  );
}

/** Transforms each row. */
function transformed(samples: readonly number[]): readonly number[] {
  const result = new Array<number>(64).fill(0);
  COSINES.forEach((cosines, u) => {
    for (let row = 0; row < 64; row += SIDE) {
      let sum = 0;
      for (let x = 0; x < SIDE; x++) sum += at(cosines, x) * at(samples, row + x);
      result[row + u] = sum;
    }
  });
  return result;
}

/** The codes of this file all have one length: 4 bits for the first level of a block, 9 bits for the others. */
const FIRST_BITS = 4;
const OTHER_BITS = 9;

class Bits {
  readonly #bytes: number[] = [];
  #value = 0;
  #count = 0;

  write(value: number, count: number): void {
    for (let bit = count - 1; bit >= 0; bit--) {
      this.#value = (this.#value << 1) | ((value >> bit) & 1);
      this.#count += 1;
      if (this.#count < 8) continue;
      this.#bytes.push(this.#value);
      if (this.#value === 0xff) this.#bytes.push(0);
      [this.#value, this.#count] = [0, 0];
    }
  }

  /** Fills the last byte with ones. */
  end(): readonly number[] {
    while (this.#count > 0) this.write(1, 1);
    return this.#bytes;
  }
}

const sizeOf = (level: number): number => (level === 0 ? 0 : Math.floor(Math.log2(Math.abs(level))) + 1);

function writeLevel(bits: Bits, level: number): void {
  const size = sizeOf(level);
  bits.write(level < 0 ? level + 2 ** size - 1 : level, size);
}

function writeBlock(bits: Bits, levels: readonly number[], previous: number): void {
  const difference = at(levels, 0) - previous;
  bits.write(sizeOf(difference), FIRST_BITS);
  writeLevel(bits, difference);
  let zeros = 0;
  for (const level of levels.slice(1)) {
    if (level === 0) {
      zeros += 1;
      continue;
    }
    for (; zeros > 15; zeros -= 16) bits.write(0xf0, OTHER_BITS);
    bits.write((zeros << 4) | sizeOf(level), OTHER_BITS);
    writeLevel(bits, level);
    zeros = 0;
  }
  if (zeros > 0) bits.write(0, OTHER_BITS);
}

function headers(
  { width, height }: Raster,
  components: readonly Component[],
  table: readonly number[],
): readonly number[] {
  const segment = (marker: number, data: readonly number[]): readonly number[] => [
    ...[0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 255],
    ...data,
  ];
  /** How many codes there are of each length from 1 to 16, then their symbols in order. */
  const codes = (id: number, length: number, count: number): readonly number[] => [
    id,
    ...Array.from({ length: 16 }, (_, index) => (index + 1 === length ? count : 0)),
    ...Array.from({ length: count }, (_, symbol) => symbol),
  ];
  return [
    ...[0xff, 0xd8],
    ...segment(0xe0, [0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    ...segment(0xdb, [0, ...ZIGZAG.map(index => at(table, index))]),
    ...segment(0xc0, [
      ...[8, height >> 8, height & 255, width >> 8, width & 255, components.length],
      ...components.flatMap(({ sampling }, index) => [index + 1, sampling * 17, 0]),
    ]),
    ...segment(0xc4, codes(0x00, FIRST_BITS, 12)),
    ...segment(0xc4, codes(0x10, OTHER_BITS, 255)),
    ...segment(0xda, [components.length, ...components.flatMap((_, index) => [index + 1, 0]), 0, 63, 0]),
  ];
}
