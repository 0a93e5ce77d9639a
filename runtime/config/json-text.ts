// Reads JSON and remembers on which line each value stands, so that whatever is wrong with one can be said with its place. Stricter
// than JSON.parse in one thing: a key that stands twice is an error, since the first of the two would have no effect.

import type { Path } from './leaves.ts';

export interface Place {
  /** Both count from 1. */
  readonly line: number;
  readonly column: number;
}

export interface ReadJson {
  readonly value: unknown;
  /** Where a value begins, or the key in front of it; of the nearest above it where there is no such value. */
  placeOf(path: Path): Place;
}

export class JsonTextError extends Error {
  override readonly name = 'JsonTextError';
  readonly place: Place;
  constructor(message: string, place: Place) {
    super(message);
    this.place = place;
  }
}

/** Throws a JsonTextError. */
export function readJson(text: string): ReadJson {
  const reader = new Reader(text);
  return { value: reader.whole(), placeOf: path => reader.placeOf(path) };
}

const STRING = /"(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /[A-Za-z]+/y;
const SPACE = /[ \t\r\n]*/y;
const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

class Reader {
  readonly #text: string;
  readonly #starts = new Map<string, number>();
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): unknown {
    const value = this.#value([]);
    this.#match(SPACE);
    if (this.#at < this.#text.length) this.#refuse('the end of the file');
    return value;
  }

  placeOf(path: Path): Place {
    const start = this.#starts.get(keyOf(path));
    return start === undefined && path.length > 0 ? this.placeOf(path.slice(0, -1)) : this.#place(start ?? 0);
  }

  #value(path: Path): unknown {
    this.#match(SPACE);
    if (!this.#starts.has(keyOf(path))) this.#starts.set(keyOf(path), this.#at);
    if (this.#take('{')) return this.#object(path);
    if (this.#take('[')) return this.#array(path);
    if (this.#next === '"') return this.#string();
    const number = this.#match(NUMBER);
    if (number !== '') return Number(number);
    const start = this.#at;
    const word = this.#match(WORD);
    if (WORDS.has(word)) return WORDS.get(word);
    this.#at = start;
    this.#refuse('a value');
  }

  #object(path: Path): unknown {
    const entries = new Map<string, unknown>();
    for (let more = !this.#take('}'); more; more = this.#goesOn('}')) {
      this.#match(SPACE);
      const start = this.#at;
      if (this.#next !== '"') this.#refuse('a key in double quotes');
      const key = this.#string();
      if (entries.has(key))
        this.#fail(`The key '${key}' stands here a second time; remove one of the two.`, start);
      this.#starts.set(keyOf([...path, key]), start);
      if (!this.#take(':')) this.#refuse("':'");
      entries.set(key, this.#value([...path, key]));
    }
    return Object.fromEntries(entries);
  }

  #array(path: Path): unknown {
    const items: unknown[] = [];
    for (let more = !this.#take(']'); more; more = this.#goesOn(']')) {
      items.push(this.#value([...path, items.length]));
    }
    return items;
  }

  #goesOn(end: string): boolean {
    if (this.#take(end)) return false;
    const start = this.#at;
    if (!this.#take(',')) this.#refuse(`',' or '${end}'`);
    if (this.#take(end)) this.#fail('There is a comma with nothing behind it; remove it.', start);
    return true;
  }

  #string(): string {
    const start = this.#at;
    const text = this.#match(STRING);
    if (text !== '') return String(JSON.parse(text));
    this.#fail('This text has no end, or a line break or a lone backslash in it.', start);
  }

  get #next(): string | undefined {
    return this.#text[this.#at];
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [found = ''] = pattern.exec(this.#text) ?? [];
    this.#at += found.length;
    return found;
  }

  /** Whether it was there, behind any space. */
  #take(character: string): boolean {
    this.#match(SPACE);
    if (this.#next !== character) return false;
    this.#at += 1;
    return true;
  }

  #refuse(wanted: string): never {
    const next = this.#next;
    if (next === undefined) this.#fail(`The file ends here, where ${wanted} should stand.`, this.#at);
    if (next === '/') this.#fail('JSON has no comments; remove it.', this.#at);
    const [character = ''] = this.#text.slice(this.#at);
    this.#fail(`Here stands '${character}', where ${wanted} should.`, this.#at);
  }

  #fail(message: string, at: number): never {
    throw new JsonTextError(message, this.#place(at));
  }

  #place(at: number): Place {
    const lines = this.#text.slice(0, at).split('\n');
    return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
  }
}

const keyOf = (path: Path): string => JSON.stringify(path);
