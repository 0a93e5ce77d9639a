// Parses JSON and records the position of each value, so that errors name line and column. Stricter than JSON.parse in two points: a
// duplicate key is an error, since the first of the two would have no effect, and the nesting is bounded.

import type { SettingPath } from './leaves.ts';

/** Both count from 1. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Far deeper than any setting; recursive readers would exhaust the stack. */
const MAX_DEPTH = 100;

export interface ParsedJson {
  readonly value: unknown;
  /** The position of the value's key, or of the value itself in a list; for a missing value, that of the nearest one above it. */
  positionOf(path: SettingPath): TextPosition;
}

export class JsonTextError extends Error {
  override readonly name = 'JsonTextError';
  readonly position: TextPosition;
  constructor(message: string, position: TextPosition) {
    super(message);
    this.position = position;
  }
}

/** Throws a JsonTextError. */
export function parseJsonText(text: string): ParsedJson {
  const parser = new JsonTextParser(text);
  return { value: parser.whole(), positionOf: path => parser.positionOf(path) };
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

/** The position of a value in the text. A list of all paths as texts would take the memory of depth times size. */
interface ValuePlace {
  readonly at: number;
  readonly inside: Map<string | number, ValuePlace>;
}

const placeAt = (at: number): ValuePlace => ({ at, inside: new Map() });

class JsonTextParser {
  readonly #text: string;
  #root = placeAt(0);
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): unknown {
    this.#match(SPACE);
    this.#root = placeAt(this.#at);
    const value = this.#value(this.#root, 0);
    this.#match(SPACE);
    if (this.#at < this.#text.length) this.#unexpected('the end of the file');
    return value;
  }

  positionOf(path: SettingPath): TextPosition {
    let place = this.#root;
    for (const key of path) {
      const next = place.inside.get(key);
      if (next === undefined) break;
      place = next;
    }
    return this.#position(place.at);
  }

  #value(place: ValuePlace, depth: number): unknown {
    this.#match(SPACE);
    if (depth > MAX_DEPTH)
      this.#fail(`Values are nested more than ${MAX_DEPTH} levels deep. Reduce the nesting.`, this.#at);
    if (this.#take('{')) return this.#object(place, depth);
    if (this.#take('[')) return this.#array(place, depth);
    if (this.#next === '"') return this.#string();
    const number = this.#match(NUMBER);
    if (number !== '') return Number(number);
    const start = this.#at;
    const word = this.#match(WORD);
    if (WORDS.has(word)) return WORDS.get(word);
    this.#at = start;
    this.#unexpected('a value');
  }

  #object({ inside }: ValuePlace, depth: number): unknown {
    const entries = new Map<string, unknown>();
    for (let more = !this.#take('}'); more; more = this.#hasNext('}')) {
      this.#match(SPACE);
      const place = placeAt(this.#at);
      if (this.#next !== '"') this.#unexpected('a key in double quotes');
      const key = this.#string();
      if (entries.has(key)) this.#fail(`The key '${key}' is a duplicate. Remove one of the two.`, place.at);
      inside.set(key, place);
      if (!this.#take(':')) this.#unexpected("':'");
      entries.set(key, this.#value(place, depth + 1));
    }
    return Object.fromEntries(entries);
  }

  #array({ inside }: ValuePlace, depth: number): unknown {
    const items: unknown[] = [];
    for (let more = !this.#take(']'); more; more = this.#hasNext(']')) {
      this.#match(SPACE);
      const place = placeAt(this.#at);
      inside.set(items.length, place);
      items.push(this.#value(place, depth + 1));
    }
    return items;
  }

  #hasNext(end: string): boolean {
    if (this.#take(end)) return false;
    const start = this.#at;
    if (!this.#take(',')) this.#unexpected(`',' or '${end}'`);
    if (this.#take(end)) this.#fail('A trailing comma is not allowed. Remove it.', start);
    return true;
  }

  #string(): string {
    const start = this.#at;
    const text = this.#match(STRING);
    if (text !== '') return String(JSON.parse(text));
    this.#fail(
      'This string is not closed, or contains a line break or an invalid escape. Close it, or escape the character.',
      start,
    );
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

  /** Skips space. Returns whether the character follows, and consumes it. */
  #take(character: string): boolean {
    this.#match(SPACE);
    if (this.#next !== character) return false;
    this.#at += 1;
    return true;
  }

  #unexpected(expected: string): never {
    const next = this.#next;
    if (next === undefined) this.#fail(`Expected ${expected}, found the end of the file.`, this.#at);
    if (next === '/') this.#fail('JSON has no comments. Remove it.', this.#at);
    const [character = ''] = this.#text.slice(this.#at, this.#at + 2);
    this.#fail(`Expected ${expected}, found '${character}'.`, this.#at);
  }

  #fail(message: string, at: number): never {
    throw new JsonTextError(message, this.#position(at));
  }

  #position(at: number): TextPosition {
    const before = this.#text.slice(0, at);
    return { line: before.split('\n').length, column: at - before.lastIndexOf('\n') };
  }
}
