// Maps tasks, runs, labels and instructions to their numbers in the tables, and back.

import type { Database } from './database.ts';

export class TextDictionary {
  readonly #database: Database;
  readonly #numbers = new Map<string, number>();
  readonly #words = new Map<number, string>();

  constructor(database: Database) {
    this.#database = database;
    for (const [number, word] of database.all('SELECT number, word FROM words')) {
      this.#keep(Number(number), String(word));
    }
  }

  /** A new one, where it has none yet. */
  numberOf(word: string): number {
    const known = this.#numbers.get(word);
    if (known !== undefined) return known;
    const number = this.#numbers.size + 1;
    this.#database.run('INSERT INTO words VALUES (?, ?)', [number, word]);
    this.#keep(number, word);
    return number;
  }

  /** To look for it; nothing has the number -1. */
  known(word: string): number {
    return this.#numbers.get(word) ?? -1;
  }

  wordOf(number: number): string {
    const word = this.#words.get(number);
    if (word === undefined)
      throw new RangeError(`The index has no word ${number}: delete it, and it is made anew.`);
    return word;
  }

  #keep(number: number, word: string): void {
    this.#numbers.set(word, number);
    this.#words.set(number, word);
  }
}
