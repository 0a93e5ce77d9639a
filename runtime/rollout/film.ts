// The pictures of an episode on a desktop that cannot be drawn again, as PNGs. They are packed by other threads while the episode goes
// on. Who looks at them is not told here.

import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { pngOf, pngRows } from '../core/png.ts';
import type { Pixels } from '../core/screen.ts';

/** Little work: a screen is mostly plain. */
const QUICK = { level: 1 };
/** So many pictures are being packed at once, at most: unpacked ones are large. */
const AHEAD = 2;

const packed = promisify<Uint8Array, typeof QUICK, Uint8Array>(deflate);

export class Film {
  readonly #images: Promise<Uint8Array>[] = [];
  #rows: Uint8Array | undefined;

  /** The pixels are copied before it returns: a desktop draws over them with its next step. Resolves when there is room for another. */
  async take(pixels: Pixels): Promise<void> {
    const rows = pngRows(pixels);
    if (this.#rows !== undefined && Buffer.compare(this.#rows, rows) === 0) return this.again();
    this.#rows = rows;
    const { width, height } = pixels;
    const image = packed(rows, QUICK).then(data => pngOf({ width, height }, data));
    // Told to whoever wants the pictures.
    image.catch(() => undefined);
    this.#images.push(image);
    await this.#images.at(-1 - AHEAD);
  }

  /** Nothing has changed: the same picture once more, which takes no room. */
  again(): void {
    const last = this.#images.at(-1);
    if (last !== undefined) this.#images.push(last);
  }

  /** From the start on. */
  images(): Promise<readonly Uint8Array[]> {
    return Promise.all(this.#images);
  }
}
