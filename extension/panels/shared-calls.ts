// Calls with the same key share one result while it is under way.

export class SharedCalls<K, T> {
  readonly #calls = new Map<K, Promise<T>>();

  /** The result of the call of this key that is under way. Without one, `call` begins. */
  run(key: K, call: () => Promise<T>): Promise<T> {
    const shared = this.#calls.get(key) ?? call().finally(() => this.#calls.delete(key));
    this.#calls.set(key, shared);
    return shared;
  }
}
