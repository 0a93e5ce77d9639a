// The pixels of a desktop, and the same for the agent, scaled down. Scales only changed columns, because applications redraw much that
// has not changed.

import type { Box, Pixels, Point, Size } from '../../../core/screen.ts';
import { scaledSize } from '../screen-size.ts';

export class Framebuffer {
  readonly size: Size;
  /** Desktop pixels per pixel of the agent, in each direction. */
  readonly scale: number;
  /** The size that the agent sees. */
  readonly scaled: Size;
  readonly #bytes: Buffer;
  readonly #pixels: Int32Array;
  readonly #small: Int32Array<ArrayBuffer>;
  /** For each scaled row, the range of columns that changed since the last scaling. */
  readonly #from: Int32Array;
  readonly #to: Int32Array;
  #frame: Pixels | undefined;
  #changes = 0;

  constructor(size: Size, scale: number) {
    const { width, height } = scaledSize(size, scale);
    this.size = size;
    this.scale = scale;
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

  /** The agent's pixels: an immutable snapshot, and the same object until something changes. */
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
    const { scale, scaled } = this;
    const [left, right] = [Math.floor(x / scale), Math.min(Math.ceil((x + width) / scale), scaled.width)];
    const low = Math.min(Math.ceil((y + height) / scale), scaled.height);
    for (let row = Math.floor(y / scale); row < low; row++) {
      if (left < (this.#from[row] ?? 0)) this.#from[row] = left;
      if (right > (this.#to[row] ?? 0)) this.#to[row] = right;
    }
  }

  /** True if anything changed. All indices are within the arrays, because `#check` bounds each change. */
  #scale(): boolean {
    const { width, height } = this.scaled;
    let changed = false;
    for (let row = 0; row < height; row++) {
      const to = this.#to[row] ?? 0;
      const from = this.#from[row] ?? 0;
      if (from >= to) continue;
      changed = true;
      this.#from[row] = width;
      this.#to[row] = 0;
      if (this.scale === 1) this.#copyRow(row, from, to);
      else if (this.scale === 2) this.#halveRow(row, from, to);
      else this.#averageRow(row, from, to);
    }
    return changed;
  }

  /** Swaps red and blue. `?? 0` is the cheapest way to satisfy the compiler in these hot loops. */
  #copyRow(row: number, from: number, to: number): void {
    const [pixels, small, across] = [this.#pixels, this.#small, this.size.width];
    for (let at = row * across + from; at < row * across + to; at++) {
      const pixel = pixels[at] ?? 0;
      small[at] = 0xff000000 | ((pixel & 0xff) << 16) | (pixel & 0xff00) | ((pixel >> 16) & 0xff);
    }
  }

  /** Each pixel is the mean of four. One number sums red and blue, with room between them. */
  #halveRow(row: number, from: number, to: number): void {
    const [pixels, small, across] = [this.#pixels, this.#small, this.size.width];
    const start = row * this.scaled.width;
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

  /** Each pixel is the mean of a square, rounded to the nearest. */
  #averageRow(row: number, from: number, to: number): void {
    const { scale, size } = this;
    const [pixels, small] = [this.#pixels, this.#small];
    const [count, half] = [scale * scale, (scale * scale) >> 1];
    for (let column = from; column < to; column++) {
      let [red, green, blue] = [half, half, half];
      for (let line = 0; line < scale; line++) {
        const start = (row * scale + line) * size.width + column * scale;
        for (let at = start; at < start + scale; at++) {
          const pixel = pixels[at] ?? 0;
          red += (pixel >> 16) & 0xff;
          green += (pixel >> 8) & 0xff;
          blue += pixel & 0xff;
        }
      }
      const mean = (sum: number): number => Math.floor(sum / count);
      small[row * this.scaled.width + column] =
        0xff000000 | (mean(blue) << 16) | (mean(green) << 8) | mean(red);
    }
  }
}
