// The pixels of a desktop, and the same at half the width and height for the policy. Scales only changed columns, because applications
// redraw much that has not changed.

import type { Box, Pixels, Point, Size } from '../../../core/screen.ts';

/** Desktop pixels per pixel of the policy, in each direction. */
export const SCALE = 2;

export class Framebuffer {
  readonly size: Size;
  /** The size that the policy sees. */
  readonly scaled: Size;
  readonly #bytes: Buffer;
  readonly #pixels: Int32Array;
  readonly #small: Int32Array<ArrayBuffer>;
  /** For each scaled row, the range of columns that changed since the last scaling. */
  readonly #from: Int32Array;
  readonly #to: Int32Array;
  #frame: Pixels | undefined;
  #changes = 0;

  constructor(size: Size) {
    const [width, height] = [Math.floor(size.width / SCALE), Math.floor(size.height / SCALE)];
    this.size = size;
    this.scaled = { width, height };
    this.#pixels = new Int32Array(size.width * size.height);
    this.#bytes = Buffer.from(this.#pixels.buffer);
    this.#small = new Int32Array(width * height);
    this.#from = new Int32Array(height);
    this.#to = new Int32Array(height).fill(width);
  }

  /** Increases with every change of pixels. */
  get changes(): number {
    return this.#changes;
  }

  /** Writes pixels of one row: four bytes each (blue, green, red, unused). */
  row(x: number, y: number, width: number, bytes: Uint8Array, at: number): void {
    this.#check(x, y, width, 1);
    const start = (y * this.size.width + x) * 4;
    const [length, whole] = [width * 4, this.#bytes];
    if (whole.compare(bytes, at, at + length, start, start + length) === 0) return;
    whole.set(bytes.subarray(at, at + length), start);
    this.#changed(x, y, width, 1);
  }

  /** Copies a box; source and target may overlap. */
  copy({ x, y, width, height }: Box, from: Point): void {
    this.#check(x, y, width, height);
    this.#check(from.x, from.y, width, height);
    // A copy downwards starts at the bottom, so that it does not read its own output.
    for (let index = 0; index < height; index++) {
      const row = from.y < y ? height - 1 - index : index;
      const start = (from.y + row) * this.size.width + from.x;
      this.#pixels.copyWithin((y + row) * this.size.width + x, start, start + width);
    }
    this.#changed(x, y, width, height);
  }

  /** The policy's pixels: an immutable snapshot, and the same object until something changes. */
  frame(): Pixels {
    const changed = this.#scale();
    if (changed || this.#frame === undefined)
      this.#frame = { layout: 'rgba', ...this.scaled, data: new Uint8Array(this.#small.slice().buffer) };
    return this.#frame;
  }

  #check(x: number, y: number, width: number, height: number): void {
    if (x + width <= this.size.width && y + height <= this.size.height) return;
    throw new Error(
      `${width}x${height} pixels at (${x}, ${y}) are off the screen of ${this.size.width}x${this.size.height}`,
    );
  }

  #changed(x: number, y: number, width: number, height: number): void {
    this.#changes += 1;
    const [left, right] = [x >> 1, Math.min((x + width + 1) >> 1, this.scaled.width)];
    const low = Math.min((y + height + 1) >> 1, this.scaled.height);
    for (let row = y >> 1; row < low; row++) {
      if (left < (this.#from[row] ?? 0)) this.#from[row] = left;
      if (right > (this.#to[row] ?? 0)) this.#to[row] = right;
    }
  }

  /**
   * Each pixel is the mean of four. One number sums red and blue, with room between them. True if anything changed. All indices are
   * within the arrays, because `#check` bounds each change; `?? 0` is the cheapest way to satisfy the compiler in this hot loop.
   */
  #scale(): boolean {
    const { width, height } = this.scaled;
    const [pixels, small, across] = [this.#pixels, this.#small, this.size.width];
    let changed = false;
    for (let row = 0; row < height; row++) {
      const to = this.#to[row] ?? 0;
      const from = this.#from[row] ?? 0;
      if (from >= to) continue;
      changed = true;
      this.#from[row] = width;
      this.#to[row] = 0;
      const start = row * width;
      let at = row * 2 * across + from * 2;
      for (let column = from; column < to; column++, at += 2) {
        const [a, b] = [pixels[at] ?? 0, pixels[at + 1] ?? 0];
        const [c, d] = [pixels[at + across] ?? 0, pixels[at + across + 1] ?? 0];
        const redBlue = (a & 0xff00ff) + (b & 0xff00ff) + (c & 0xff00ff) + (d & 0xff00ff) + 0x20002;
        const green = (a & 0xff00) + (b & 0xff00) + (c & 0xff00) + (d & 0xff00) + 0x200;
        small[start + column] =
          0xff000000 | ((redBlue << 14) & 0xff0000) | ((green >> 2) & 0xff00) | ((redBlue >> 18) & 0xff);
      }
    }
    return changed;
  }
}
