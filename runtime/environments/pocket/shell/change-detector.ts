// Notices whether plain data was changed since it was last looked at. It goes by what is there, not by what anybody says of
// it, so a change cannot be forgotten.

/** Written behind what an object holds; equal to nothing that plain data can hold. */
const END = Symbol('end');

export class ChangeDetector {
  readonly #data: object;
  /** The data as it was: each object itself, its keys and what they hold, in order. */
  #known: unknown[] = [];
  #place = 0;

  constructor(data: object) {
    this.#data = data;
  }

  /** Whether anything is another than when this was last asked; true when it is asked first. */
  changed(): boolean {
    this.#place = 0;
    if (this.#same(this.#data)) return false;
    this.#known = [];
    this.#write(this.#data);
    return true;
  }

  #same(value: unknown): boolean {
    if (this.#known[this.#place++] !== value) return false;
    if (typeof value !== 'object' || value === null) return true;
    for (const key in value) {
      if (this.#known[this.#place++] !== key || !this.#same(value[key as keyof typeof value])) return false;
    }
    return this.#known[this.#place++] === END;
  }

  #write(value: unknown): void {
    this.#known.push(value);
    if (typeof value !== 'object' || value === null) return;
    for (const key in value) {
      this.#known.push(key);
      this.#write(value[key as keyof typeof value]);
    }
    this.#known.push(END);
  }
}
