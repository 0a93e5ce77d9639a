// Compresses parts of a zlib stream on other threads. Compressors and the copies of their input are kept for the next parts: they lie outside
// of the heap, and the garbage collector would have to free those of each part.

import { constants, createDeflateRaw, type DeflateRaw, deflateRaw } from 'node:zlib';

/**
 * Reads the bytes before it returns. The blocks of the result end at a byte, and none of them is marked as the last. They refer to no other
 * part, so that parts may be joined in any order. Equal bytes have equal results.
 */
export async function deflatedPart(bytes: Uint8Array): Promise<Uint8Array> {
  const copy = copyOf(bytes);
  const input = copy.subarray(0, bytes.length);
  const [piece, ...more] = await nextCompressor().compress(input);
  // zlib may write the end of a part twice if the part does not fit in the buffer for results.
  const isWhole = piece !== undefined && more.length === 0;
  const part = isWhole ? piece : await deflatedAlone(input);
  if (copies.length < MAX_COPIES) copies.push(copy);
  return part;
}

/**
 * zlib shortens runs of equal bytes only. A search for all repetitions makes filtered rows of a screen no smaller, and its result depends on
 * the parts that the compressor had before.
 */
const STRATEGY = { level: 1, strategy: constants.Z_RLE };
/** Forgets the bytes before. */
const FLUSH = constants.Z_FULL_FLUSH;

class Compressor {
  readonly #stream: DeflateRaw;
  #pieces: Uint8Array[] = [];
  isBroken = false;

  constructor() {
    // Many parts share a buffer for results.
    this.#stream = createDeflateRaw({ ...STRATEGY, flush: FLUSH, chunkSize: RESULT_BYTES });
    this.#stream.on('data', (piece: Uint8Array) => this.#pieces.push(piece));
    // The callback of a part gets the failure.
    this.#stream.on('error', () => undefined);
  }

  compress(bytes: Uint8Array): Promise<readonly Uint8Array[]> {
    return new Promise((resolve, reject) => {
      this.#stream.write(bytes, error => {
        // The results of the next part come in a later turn of the event loop.
        const pieces = this.#pieces;
        this.#pieces = [];
        if (!error) return resolve(pieces);
        this.isBroken = true;
        reject(error);
      });
    });
  }
}

/** Node.js compresses on four threads. */
const COMPRESSORS = 4;
const RESULT_BYTES = 1024 * 1024;

const compressors: Compressor[] = [];
let turn = 0;

function nextCompressor(): Compressor {
  turn = (turn + 1) % COMPRESSORS;
  const kept = compressors[turn];
  if (kept !== undefined && !kept.isBroken) return kept;
  const made = new Compressor();
  compressors[turn] = made;
  return made;
}

const deflatedAlone = (bytes: Uint8Array): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const options = {
      ...STRATEGY,
      finishFlush: FLUSH,
      chunkSize: 2 * bytes.length + MIN_RESULT_BYTES,
    };
    deflateRaw(bytes, options, (error, part) => (error === null ? resolve(part) : reject(error)));
  });

const MIN_RESULT_BYTES = 1024;

/** Enough for the bands of a large screen. */
const MAX_COPIES = 64;
const copies: Uint8Array[] = [];

function copyOf(bytes: Uint8Array): Uint8Array {
  const kept = copies.pop();
  const copy = kept !== undefined && kept.length >= bytes.length ? kept : new Uint8Array(bytes.length);
  copy.set(bytes);
  return copy;
}
