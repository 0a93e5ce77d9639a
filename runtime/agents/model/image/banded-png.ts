// Encodes a sequence of images of one size as PNGs. Rows are compressed in bands that do not refer to each other, so that a band whose
// rows did not change keeps its compressed bytes. Equal pixels give equal bytes, whatever the earlier images.

import { joined, pngChunk, pngStart } from '../../../core/png.ts';
import type { Size } from '../../../core/screen.ts';
import { type Adler32, adlerBytes, adlerOfBoth, EMPTY_ADLER } from './adler32.ts';
import { deflatedPart } from './deflate.ts';
import type { FilteredRows, RowRange } from './row-pipeline.ts';

/** Smaller bands change less often; larger ones compress better. */
export const BAND_ROWS = 32;

export interface BandedPngOptions {
  readonly size: Size;
  /** Rows of the image as a PNG filters them. */
  readonly filtered: (rows: RowRange) => FilteredRows;
}

export class BandedPng {
  readonly #options: BandedPngOptions;
  #image: { readonly png: Uint8Array; readonly bands: readonly Band[] } | undefined;

  constructor(options: BandedPngOptions) {
    this.#options = options;
  }

  /**
   * `isChanged` is whether a row of the range may differ from the previous image. Reads all rows before it returns; compression takes
   * place on other threads. After a rejection, the next image is encoded completely.
   */
  async encode(isChanged: (rows: RowRange) => boolean): Promise<Uint8Array> {
    const { size, filtered } = this.#options;
    const previous = this.#image;
    const bands = bandsOf(size).map((range, index) => {
      const last = previous?.bands[index];
      return last === undefined || isChanged(withRowAbove(range)) ? compressed(filtered(range)) : last;
    });
    if (previous !== undefined && bands.every((band, index) => band === previous.bands[index]))
      return previous.png;
    this.#image = undefined;
    this.#image = assemble(size, await Promise.all(bands));
    return this.#image.png;
  }
}

/** A compressed band as a chunk of the file, and the checksum of its filtered rows. */
interface Band {
  readonly chunk: Uint8Array;
  readonly adler: Adler32;
  readonly length: number;
}

/** The start of a zlib stream of this level with a window of 32 KB. */
const ZLIB_START = Uint8Array.of(0x78, 0x01);
/** An empty last block. */
const LAST_BLOCK = Uint8Array.of(0x03, 0x00);

async function compressed({ bytes, adler }: FilteredRows): Promise<Band> {
  // The view is empty after the shared memory has grown, as it may during the compression.
  const { length } = bytes;
  return { chunk: pngChunk('IDAT', await deflatedPart(bytes)), adler, length };
}

/** The bands refer to the bytes of the file, so that their memory is held once. */
function assemble(
  size: Size,
  bands: readonly Band[],
): { readonly png: Uint8Array; readonly bands: readonly Band[] } {
  const start = joined([pngStart(size), pngChunk('IDAT', ZLIB_START)]);
  const adler = bands.reduce((sum, band) => adlerOfBoth(sum, band.adler, band.length), EMPTY_ADLER);
  const end = [pngChunk('IDAT', LAST_BLOCK, adlerBytes(adler)), pngChunk('IEND')];
  const png = joined([start, ...bands.map(({ chunk }) => chunk), ...end]);
  let at = start.length;
  return {
    png,
    bands: bands.map(band => {
      const chunk = png.subarray(at, at + band.chunk.length);
      at += chunk.length;
      return { ...band, chunk };
    }),
  };
}

const bandsOf = ({ height }: Size): readonly RowRange[] =>
  Array.from({ length: Math.ceil(height / BAND_ROWS) }, (_, index) => ({
    first: index * BAND_ROWS,
    end: Math.min((index + 1) * BAND_ROWS, height),
  }));

/** The first row of a band may be stored as its difference from the row above. */
const withRowAbove = ({ first, end }: RowRange): RowRange => ({ first: Math.max(0, first - 1), end });
