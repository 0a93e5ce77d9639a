// The latest screen of an episode, three bytes per pixel: what the next screen is compared with. A screen with transparency needs a third
// more memory, and the sent image has none.

import type { Pixels, Size } from '../../../core/screen.ts';

export class RgbImage implements Size {
  readonly width: number;
  readonly height: number;
  /** Bytes per row. */
  readonly stride: number;
  readonly data: Uint8Array;
  #isEmpty = true;

  constructor({ width, height }: Size) {
    this.width = width;
    this.height = height;
    this.stride = 3 * width;
    this.data = new Uint8Array(this.stride * height);
  }

  /** Copies the rows that differ, and returns 1 for each of them, 0 for the others. */
  update({ width, height, layout, data }: Pixels): Uint8Array {
    if (width !== this.width || height !== this.height)
      throw new RangeError(
        `A screen of ${width} × ${height} pixels cannot update ${this.width} × ${this.height}.`,
      );
    const changed = new Uint8Array(height);
    const copy = layout === 'rgb' ? rgbRows(data, this.data) : rgbaRows(data, this.data, width);
    for (let row = 0; row < height; row++) if (copy(row * width, width) || this.#isEmpty) changed[row] = 1;
    this.#isEmpty = false;
    return changed;
  }

  /** Whether the row has the same pixels as the row above it. */
  repeatsRowAbove(row: number): boolean {
    const [from, middle] = [(row - 1) * this.stride, row * this.stride];
    return bufferOf(this.data).compare(this.data, from, middle, middle, middle + this.stride) === 0;
  }
}

/** Copies `count` pixels from pixel `first`, if they differ. Returns whether they did. */
type CopyIfChanged = (first: number, count: number) => boolean;

function rgbRows(from: Uint8Array, to: Uint8Array): CopyIfChanged {
  const [source, target] = [bufferOf(from), bufferOf(to)];
  return (first, count) => {
    const [start, end] = [3 * first, 3 * (first + count)];
    if (source.compare(target, start, end, start, end) === 0) return false;
    source.copy(target, start, start, end);
    return true;
  };
}

function rgbaRows(from: Uint8Array, to: Uint8Array, width: number): CopyIfChanged {
  // Four pixels are four words of the source and three of the target.
  const isAligned = width % 4 === 0 && from.byteOffset % 4 === 0 && IS_LITTLE_ENDIAN;
  if (!isAligned) return (first, count) => copyPixels(from, to, first, count);
  const source = new Uint32Array(from.buffer, from.byteOffset, from.length >> 2);
  const target = new Uint32Array(to.buffer, to.byteOffset, to.length >> 2);
  return (first, count) => copyFours(source, target, first >> 2, count >> 2);
}

function copyPixels(from: Uint8Array, to: Uint8Array, first: number, count: number): boolean {
  let isChanged = false;
  for (let pixel = first; pixel < first + count; pixel++)
    for (let channel = 0; channel < 3; channel++) {
      const value = from[4 * pixel + channel] ?? 0;
      if (to[3 * pixel + channel] === value) continue;
      to[3 * pixel + channel] = value;
      isChanged = true;
    }
  return isChanged;
}

function copyFours(source: Uint32Array, target: Uint32Array, first: number, count: number): boolean {
  let isChanged = false;
  for (let from = 4 * first, to = 3 * first; to < 3 * (first + count); from += 4, to += 3) {
    const second = source[from + 1] ?? 0;
    const third = source[from + 2] ?? 0;
    const one = (((source[from] ?? 0) & 0xff_ffff) | (second << 24)) >>> 0;
    const two = (((second >>> 8) & 0xffff) | (third << 16)) >>> 0;
    const three = (((third >>> 16) & 0xff) | ((source[from + 3] ?? 0) << 8)) >>> 0;
    if (target[to] === one && target[to + 1] === two && target[to + 2] === three) continue;
    target[to] = one;
    target[to + 1] = two;
    target[to + 2] = three;
    isChanged = true;
  }
  return isChanged;
}

const IS_LITTLE_ENDIAN = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

const bufferOf = ({ buffer, byteOffset, length }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, length);
