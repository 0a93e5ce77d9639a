// What was made of something lately, so that whatever is asked for again soon need not be made anew.

export class Lately<Key extends object, Made extends object> {
  readonly #most: number;
  /** The one that was asked for longest ago is first. */
  readonly #made = new Map<Key, Made>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Nothing is kept where `make` throws. */
  of(key: Key, make: (key: Key) => Made): Made {
    const made = this.#made.get(key) ?? make(key);
    this.#made.delete(key);
    this.#made.set(key, made);
    if (this.#made.size > this.#most) {
      const [oldest] = this.#made.keys();
      if (oldest !== undefined) this.#made.delete(oldest);
    }
    return made;
  }
}
