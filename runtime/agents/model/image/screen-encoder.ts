// Encodes the screens of one episode as PNGs of the size that the model receives. The cost is proportional to the rows that changed since
// the previous screen.

import type { Pixels, Size } from '../../../core/screen.ts';
import { BandedPng } from './banded-png.ts';
import { Resizer } from './resize.ts';
import { RgbImage } from './rgb-image.ts';

export class ScreenEncoder {
  readonly #sizeOf: (screen: Size) => Size;
  #state: EncoderState | undefined;

  /** `sizeOf` is the size in which a screen is sent. */
  constructor(sizeOf: (screen: Size) => Size) {
    this.#sizeOf = sizeOf;
  }

  /** Copies the pixels before it returns. One call at a time. */
  async encode(pixels: Pixels): Promise<Uint8Array> {
    const state = this.#stateFor(pixels);
    const { image, resizer, png } = state;
    const changedAbove = sumsOf(image.update(pixels));
    resizer.begin();
    // A rejection leaves rows that are new in the image and old in the PNG.
    this.#state = undefined;
    const encoded = await png.encode(rows => {
      const { first, end } = resizer.sourceRows(rows);
      return changedAbove[end] !== changedAbove[first];
    });
    this.#state = state;
    return encoded;
  }

  /** Releases the previous screen. */
  clear(): void {
    this.#state = undefined;
  }

  #stateFor({ width, height }: Size): EncoderState {
    if (this.#state?.image.width === width && this.#state.image.height === height) return this.#state;
    const image = new RgbImage({ width, height });
    const resizer = new Resizer(image, this.#sizeOf({ width, height }));
    const png = new BandedPng({
      size: resizer.size,
      writeRow: (row, into, at) => resizer.writeRow(row, into, at),
    });
    return { image, resizer, png };
  }
}

interface EncoderState {
  readonly image: RgbImage;
  readonly resizer: Resizer;
  readonly png: BandedPng;
}

/** At each row, the number of changed rows above it. */
function sumsOf(changed: Uint8Array): Uint32Array {
  const sums = new Uint32Array(changed.length + 1);
  for (let row = 0; row < changed.length; row++) sums[row + 1] = (sums[row] ?? 0) + (changed[row] ?? 0);
  return sums;
}
