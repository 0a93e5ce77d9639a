// The screens of an episode as PNGs, for a desktop whose frames cannot be redrawn. Threads compress them while the episode continues.

import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { pngOf, pngRows } from '../core/png.ts';
import type { Pixels, Size } from '../core/screen.ts';

/** Fast: most of a screen is plain. */
const FAST = { level: 1 };
/** Pictures that may be under compression; uncompressed ones are large. */
const MAX_PENDING = 2;

const deflated = promisify<Uint8Array, typeof FAST, Uint8Array>(deflate);

/** Compresses the rows of a picture (`pngRows`) on another thread. */
export const compressRows = async (size: Size, rows: Uint8Array): Promise<Uint8Array> =>
  pngOf(size, await deflated(rows, FAST));

export class Film {
  readonly #images: Promise<Uint8Array>[] = [];
  #rows: Uint8Array | undefined;

  /** Copies the pixels before it returns, since the next step draws over them. Resolves when there is room for another picture. */
  async take(pixels: Pixels): Promise<void> {
    const rows = pngRows(pixels);
    if (this.#rows !== undefined && Buffer.compare(this.#rows, rows) === 0) return this.repeat();
    this.#rows = rows;
    const { width, height } = pixels;
    const image = compressRows({ width, height }, rows);
    // `images` reports a failure.
    image.catch(() => undefined);
    this.#images.push(image);
    await this.#images.at(-1 - MAX_PENDING);
  }

  /** Adds the last picture again, without another copy. */
  repeat(): void {
    const last = this.#images.at(-1);
    if (last !== undefined) this.#images.push(last);
  }

  images(): Promise<readonly Uint8Array[]> {
    return Promise.all(this.#images);
  }
}
