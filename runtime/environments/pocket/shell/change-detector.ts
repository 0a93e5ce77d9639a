// Detects changes of plain data between two calls. It compares the data itself, so no caller has to report a change.

/** Marks the end of an object; equal to no value of plain data. */
const END = Symbol('end');

export class ChangeDetector {
  /** The data of the last call, flat: each object, then its keys and values in order. */
  #previous: unknown[] = [];
  #position = 0;

  constructor(private readonly data: object) {}

  /** True if anything changed since the last call, and on the first call. */
  changed(): boolean {
    this.#position = 0;
    if (this.#same(this.data)) return false;
    this.#previous = [];
    this.#write(this.data);
    return true;
  }

  #same(value: unknown): boolean {
    if (this.#previous[this.#position++] !== value) return false;
    if (typeof value !== 'object' || value === null) return true;
    for (const key in value) {
      if (this.#previous[this.#position++] !== key || !this.#same(value[key as keyof typeof value]))
        return false;
    }
    return this.#previous[this.#position++] === END;
  }

  #write(value: unknown): void {
    this.#previous.push(value);
    if (typeof value !== 'object' || value === null) return;
    for (const key in value) {
      this.#previous.push(key);
      this.#write(value[key as keyof typeof value]);
    }
    this.#previous.push(END);
  }
}
