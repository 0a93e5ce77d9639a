// Memory for the tensors of batches: fresh for each batch, or reused. Allocating a megabyte per update costs about 10 % of the time
// in garbage collection.

type Numbers = Int32Array<ArrayBuffer> | Float32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;

interface Kind<A extends Numbers> {
  readonly BYTES_PER_ELEMENT: number;
  new (length: number): A;
  new (buffer: ArrayBuffer, offset: number, length: number): A;
}

export interface FeedMemory {
  /** An array of `length` zeros. */
  take<A extends Numbers>(name: string, kind: Kind<A>, length: number): A;
}

export const FRESH: FeedMemory = { take: (_, kind, length) => new kind(length) };

/** A `take` overwrites the previous array of that name. The caller must finish a batch before it builds the next. */
export class ReusedMemory implements FeedMemory {
  readonly #buffers = new Map<string, ArrayBuffer>();

  take<A extends Numbers>(name: string, kind: Kind<A>, length: number): A {
    const bytes = length * kind.BYTES_PER_ELEMENT;
    let buffer = this.#buffers.get(name);
    if (buffer === undefined || buffer.byteLength < bytes) {
      buffer = new ArrayBuffer(Math.ceil((bytes * GROWTH) / ALIGNMENT_BYTES) * ALIGNMENT_BYTES);
      this.#buffers.set(name, buffer);
    }
    const taken = new kind(buffer, 0, length);
    taken.fill(0);
    return taken;
  }
}

/** Batches differ in length: 25 % spare room avoids most reallocations. */
const GROWTH = 1.25;
const ALIGNMENT_BYTES = 64;
