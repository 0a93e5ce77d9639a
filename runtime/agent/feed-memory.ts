// Memory for the tensors of batches: each batch its own, or one and the same for one batch after another. A megabyte for each update
// keeps a garbage collector busy for a tenth of the time.

type Numbers = Int32Array<ArrayBuffer> | Float32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;

interface Kind<A extends Numbers> {
  readonly BYTES_PER_ELEMENT: number;
  new (length: number): A;
  new (buffer: ArrayBuffer, offset: number, length: number): A;
}

export interface FeedMemory {
  /** So many zeros. */
  take<A extends Numbers>(name: string, kind: Kind<A>, length: number): A;
}

export const FRESH: FeedMemory = { take: (_, kind, length) => new kind(length) };

/** What was taken under a name is gone with the next under that name: for whoever has used up a batch before the next is made. */
export class ReusedMemory implements FeedMemory {
  readonly #pieces = new Map<string, ArrayBuffer>();

  take<A extends Numbers>(name: string, kind: Kind<A>, length: number): A {
    const bytes = length * kind.BYTES_PER_ELEMENT;
    let piece = this.#pieces.get(name);
    if (piece === undefined || piece.byteLength < bytes) {
      piece = new ArrayBuffer(Math.ceil((bytes * ROOM) / ALIGNED) * ALIGNED);
      this.#pieces.set(name, piece);
    }
    const taken = new kind(piece, 0, length);
    taken.fill(0);
    return taken;
  }
}

/** Batches differ in length: a little more than is needed now is mostly enough for the next. */
const ROOM = 1.25;
const ALIGNED = 64;
