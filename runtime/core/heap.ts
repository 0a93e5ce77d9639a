// A binary heap: the first item of an order, while items come and go.

import { at } from './at.ts';

export class Heap<T> {
  /** The item at place n precedes those at 2n + 1 and 2n + 2. */
  readonly #items: T[] = [];
  readonly #order: (a: T, b: T) => number;

  constructor(order: (a: T, b: T) => number) {
    this.#order = order;
  }

  get first(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    const items = this.#items;
    let place = items.length;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = at(items, above);
      if (this.#order(item, parent) >= 0) break;
      items[place] = parent;
      place = above;
    }
    items[place] = item;
  }

  /** Removes the first item. */
  pop(): T | undefined {
    const items = this.#items;
    const first = items[0];
    const moved = items.pop();
    if (moved === undefined || items.length === 0) return first;
    let place = 0;
    for (;;) {
      const [left, right] = [2 * place + 1, 2 * place + 2];
      if (left >= items.length) break;
      const below = right < items.length && this.#order(at(items, right), at(items, left)) < 0 ? right : left;
      const child = at(items, below);
      if (this.#order(moved, child) <= 0) break;
      items[place] = child;
      place = below;
    }
    items[place] = moved;
    return first;
  }
}
