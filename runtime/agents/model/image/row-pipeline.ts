// From the pixels of a screen to filtered rows of the sent image: finds the rows that changed, resizes rows as Pillow does (bicubic, bit for
// bit: first along the rows, rounded to 8 bits, then along the columns), and filters them for compression. It keeps a hash of each row
// instead of the pixels: a live episode would otherwise hold 6 MB for a screen of 1920 × 1080.

import type { Pixels, Size } from '../../../core/screen.ts';
import type { Adler32 } from './adler32.ts';
import { bicubicWeights, type FilterWeights } from './filter-weights.ts';
import { kernelMemory, kernels } from './kernels.ts';

/** Rows of a range: first ≤ row < end. */
export interface RowRange {
  readonly first: number;
  readonly end: number;
}

export interface FilteredRows {
  /** Each row begins with the number of its filter. Valid until the next call. */
  readonly bytes: Uint8Array;
  readonly adler: Adler32;
}

/** Places in the shared memory. */
interface Places {
  readonly source: number;
  readonly hashes: number;
  readonly changed: number;
  readonly columnStarts: number;
  readonly columnWeights: number;
  readonly rowWeights: number;
  readonly expanded: number;
  readonly wide: number;
  readonly blended: number;
  readonly raw: number;
  readonly filtered: number;
  readonly end: number;
}

export class RowPipeline {
  readonly #screen: Size;
  readonly #sent: Size;
  /** Absent along an axis whose length does not change. */
  readonly #columns: PaddedWeights | undefined;
  readonly #rows: FilterWeights | undefined;
  readonly #places: Places;
  /** Of the screen before. */
  readonly #hashes: Uint8Array;
  #isEmpty = true;
  #layout: Pixels['layout'] = 'rgb';

  /** `maxRows`: of a range that is read at once. */
  constructor(screen: Size, sent: Size, maxRows: number) {
    this.#screen = screen;
    this.#sent = sent;
    this.#columns =
      screen.width === sent.width ? undefined : padded(bicubicWeights(screen.width, sent.width));
    this.#rows = screen.height === sent.height ? undefined : bicubicWeights(screen.height, sent.height);
    this.#hashes = new Uint8Array(HASH_BYTES * screen.height);
    // The row above a range is read too.
    this.#places = placesOf(screen, sent, this.#columns, this.#rows, maxRows + 1);
  }

  /**
   * Copies the pixels into the shared memory, where they stay until another pipeline begins. Returns 1 for each row that differs from the
   * screen before, 0 for the others. A screen in another layout differs. Two different rows are equal by chance once in 2^64.
   */
  begin(pixels: Pixels): Uint8Array {
    const { height } = this.#screen;
    const { source, hashes, changed, columnStarts, columnWeights, rowWeights, end } = this.#places;
    const memory = kernelMemory(end);
    this.#layout = pixels.layout;
    const mask = pixels.layout === 'rgba' ? COLOUR : -1;
    memory.set(this.#hashes, hashes);
    for (let row = 0; row < height; row += COPIED_ROWS) {
      const rows = Math.min(COPIED_ROWS, height - row);
      this.#copySource(pixels, { first: row, end: row + rows }, memory);
      const [from, known] = [source + row * this.#stride, hashes + HASH_BYTES * row];
      kernels.hashRows(from, this.#stride, rows, mask, known, changed + row);
    }
    this.#hashes.set(memory.subarray(hashes, hashes + this.#hashes.length));
    if (this.#columns !== undefined) {
      memory.set(bytesOf(this.#columns.starts), columnStarts);
      memory.set(bytesOf(this.#columns.weights), columnWeights);
    }
    if (this.#rows !== undefined) memory.set(bytesOf(this.#rows.weights), rowWeights);
    const found = memory.slice(changed, changed + height);
    if (this.#isEmpty) found.fill(1);
    this.#isEmpty = false;
    return found;
  }

  /** The source rows that these rows depend on. */
  sourceRows({ first, end }: RowRange): RowRange {
    if (this.#rows === undefined) return { first, end };
    const { starts, taps } = this.#rows;
    return { first: starts[first] ?? 0, end: (starts[end - 1] ?? 0) + taps };
  }

  /** Rows of the sent image, three bytes per pixel. */
  resized(range: RowRange): Uint8Array<ArrayBuffer> {
    const at = this.#resize(range, this.#places.raw);
    return kernelMemory(0).slice(this.#places.raw, at);
  }

  filtered({ first, end }: RowRange): FilteredRows {
    const { raw, filtered } = this.#places;
    const stride = 3 * this.#sent.width;
    if (first === 0) {
      // The first row is compared with black.
      kernelMemory(0).fill(0, raw, raw + stride);
      this.#resize({ first, end }, raw + stride);
    } else this.#resize({ first: first - 1, end }, raw);
    const rows = end - first;
    const length = rows * (1 + stride);
    kernels.filterRows(raw + stride, stride, rows, filtered);
    const adler = kernels.adler32(filtered, length);
    return {
      bytes: kernelMemory(0).subarray(filtered, filtered + length),
      adler: { low: adler & 0xffff, high: adler >>> 16 },
    };
  }

  /** Bytes of a source row in the shared memory. */
  get #stride(): number {
    return sourceStride(this.#screen.width, this.#layout);
  }

  #copySource({ width, layout, data }: Pixels, { first, end }: RowRange, memory: Uint8Array): void {
    const { source } = this.#places;
    const bytes = (layout === 'rgba' ? 4 : 3) * width;
    if (bytes === this.#stride) {
      memory.set(data.subarray(bytes * first, bytes * end), source + bytes * first);
      return;
    }
    for (let row = first; row < end; row++) {
      const at = source + row * this.#stride;
      memory.set(data.subarray(row * bytes, (row + 1) * bytes), at);
      memory.fill(0, at + bytes, at + this.#stride);
    }
  }

  /** Writes rows of the sent image, and returns the address behind them. */
  #resize(range: RowRange, to: number): number {
    const { width } = this.#sent;
    const { rowWeights, blended } = this.#places;
    const needed = this.sourceRows(range);
    const { from, stride } = this.#widen(needed);
    let at = to;
    for (let row = range.first; row < range.end; row++, at += 3 * width) {
      if (this.#rows === undefined) {
        kernels.packRow(from + (row - needed.first) * stride, width, at);
        continue;
      }
      const { starts, taps } = this.#rows;
      const top = from + ((starts[row] ?? 0) - needed.first) * stride;
      kernels.blendRows(top, stride, rowWeights + 4 * taps * row, taps, 4 * width, blended);
      kernels.packRow(blended, width, at);
    }
    return at;
  }

  /** The colours of source rows, resized along the row, as words. */
  #widen({ first, end }: RowRange): { readonly from: number; readonly stride: number } {
    const { source, expanded, wide, columnStarts, columnWeights } = this.#places;
    const isWords = this.#layout === 'rgba';
    const from = source + first * this.#stride;
    if (isWords && this.#columns === undefined) return { from, stride: this.#stride };
    const stride = wideStride(this.#sent.width);
    for (let row = 0; row < end - first; row++) {
      const [at, to] = [from + row * this.#stride, wide + row * stride];
      const words = this.#columns === undefined ? to : expanded;
      if (!isWords) kernels.expandRow(at, this.#screen.width, words);
      if (this.#columns === undefined) continue;
      const { taps } = this.#columns;
      const colours = isWords ? at : expanded;
      kernels.widenRow(colours, columnStarts, columnWeights, taps, this.#sent.width, to);
    }
    return { from: wide, stride };
  }
}

const COLOUR = 0xff_ffff;
const HASH_BYTES = 32;
/** Copied and hashed at once, while the cache of the processor holds them. */
const COPIED_ROWS = 32;
/** Loops read and write whole blocks of at most so many bytes, also beyond the end of a row. */
const SLACK = 64;

const aligned = (bytes: number, to: number): number => Math.ceil(bytes / to) * to;
const sourceStride = (width: number, layout: Pixels['layout']): number =>
  aligned((layout === 'rgba' ? 4 : 3) * width, SLACK);
const wideStride = (width: number): number => aligned(4 * width, 16);
const bytesOf = ({ buffer, byteOffset, byteLength }: Int32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** Starts in bytes, and a multiple of four weights for each position. */
interface PaddedWeights {
  readonly taps: number;
  readonly starts: Int32Array;
  readonly weights: Int32Array;
}

function padded({ taps, starts, weights }: FilterWeights): PaddedWeights {
  const wider = aligned(taps, 4);
  const all = new Int32Array(wider * starts.length);
  for (let index = 0; index < starts.length; index++)
    all.set(weights.subarray(taps * index, taps * (index + 1)), wider * index);
  return { taps: wider, starts: starts.map(start => 4 * start), weights: all };
}

function placesOf(
  screen: Size,
  sent: Size,
  columns: PaddedWeights | undefined,
  rows: FilterWeights | undefined,
  maxRows: number,
): Places {
  let end = 0;
  const place = (bytes: number): number => {
    const at = end;
    end += aligned(bytes + SLACK, SLACK);
    return at;
  };
  const scale = rows === undefined ? 1 : screen.height / sent.height;
  const maxSourceRows = Math.ceil(maxRows * scale) + (rows?.taps ?? 0) + 1;
  return {
    source: place(screen.height * sourceStride(screen.width, 'rgba')),
    hashes: place(HASH_BYTES * screen.height),
    changed: place(screen.height),
    columnStarts: place(columns?.starts.byteLength ?? 0),
    columnWeights: place(columns?.weights.byteLength ?? 0),
    rowWeights: place(rows?.weights.byteLength ?? 0),
    expanded: place(4 * screen.width + 4 * (columns?.taps ?? 0)),
    wide: place(maxSourceRows * wideStride(sent.width)),
    blended: place(4 * sent.width),
    raw: place(maxRows * 3 * sent.width),
    filtered: place(maxRows * (1 + 3 * sent.width)),
    end,
  };
}
