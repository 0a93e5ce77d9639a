// Encodes the screens of one episode as PNGs of the size that the model receives. The cost is proportional to the rows that changed since
// the previous screen.

import type { Pixels, Size } from '../../../core/screen.ts';
import { BAND_ROWS, BandedPng } from './banded-png.ts';
import { RowPipeline } from './row-pipeline.ts';

export class ScreenEncoder {
  readonly #sizeOf: (screen: Size) => Size;
  #state: EncoderState | undefined;

  /** `sizeOf` is the size in which a screen is sent. */
  constructor(sizeOf: (screen: Size) => Size) {
    this.#sizeOf = sizeOf;
  }

  /** Reads the pixels before it returns. One call at a time. */
  async encode(pixels: Pixels): Promise<Uint8Array> {
    const state = this.#stateFor(pixels);
    const { rows, png } = state;
    const changedAbove = sumsOf(rows.begin(pixels));
    // A rejection leaves hashes of rows that are not in the PNG.
    this.#state = undefined;
    const encoded = await png.encode(range => {
      const { first, end } = rows.sourceRows(range);
      return changedAbove[end] !== changedAbove[first];
    });
    this.#state = state;
    return encoded;
  }

  /** Forgets the previous screen. */
  clear(): void {
    this.#state = undefined;
  }

  #stateFor({ width, height }: Size): EncoderState {
    const { screen } = this.#state ?? {};
    if (this.#state !== undefined && screen?.width === width && screen.height === height) return this.#state;
    const size = this.#sizeOf({ width, height });
    const rows = new RowPipeline({ width, height }, size, BAND_ROWS);
    return {
      screen: { width, height },
      rows,
      png: new BandedPng({ size, filtered: range => rows.filtered(range) }),
    };
  }
}

interface EncoderState {
  readonly screen: Size;
  readonly rows: RowPipeline;
  readonly png: BandedPng;
}

/** At each row, the number of changed rows above it. */
function sumsOf(changed: Uint8Array): Uint32Array {
  const sums = new Uint32Array(changed.length + 1);
  for (let row = 0; row < changed.length; row++) sums[row + 1] = (sums[row] ?? 0) + (changed[row] ?? 0);
  return sums;
}
