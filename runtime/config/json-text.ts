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

class JsonTextParser {
  readonly #text: string;
  readonly #offsets = new Map<string, number>();
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): unknown {
    const value = this.#value([]);
    this.#match(SPACE);
    if (this.#at < this.#text.length) this.#unexpected('the end of the file');
    return value;
  }

  positionOf(path: SettingPath): TextPosition {
    const offset = this.#offsets.get(keyOf(path));
    if (offset !== undefined) return this.#position(offset);
    return path.length > 0 ? this.positionOf(path.slice(0, -1)) : this.#position(0);
  }

  #value(path: SettingPath): unknown {
    this.#match(SPACE);
    if (path.length > MAX_DEPTH)
      this.#fail(`Values are nested more than ${MAX_DEPTH} levels deep. Reduce the nesting.`, this.#at);
    if (!this.#offsets.has(keyOf(path))) this.#offsets.set(keyOf(path), this.#at);
    if (this.#take('{')) return this.#object(path);
    if (this.#take('[')) return this.#array(path);
    if (this.#next === '"') return this.#string();
    const number = this.#match(NUMBER);
    if (number !== '') return Number(number);
    const start = this.#at;
    const word = this.#match(WORD);
    if (WORDS.has(word)) return WORDS.get(word);
    this.#at = start;
    this.#unexpected('a value');
  }

  #object(path: SettingPath): unknown {
    const entries = new Map<string, unknown>();
    for (let more = !this.#take('}'); more; more = this.#hasNext('}')) {
      this.#match(SPACE);
      const start = this.#at;
      if (this.#next !== '"') this.#unexpected('a key in double quotes');
      const key = this.#string();
      if (entries.has(key)) this.#fail(`The key '${key}' is a duplicate. Remove one of the two.`, start);
      this.#offsets.set(keyOf([...path, key]), start);
      if (!this.#take(':')) this.#unexpected("':'");
      entries.set(key, this.#value([...path, key]));
    }
    return Object.fromEntries(entries);
  }

  #array(path: SettingPath): unknown {
    const items: unknown[] = [];
    for (let more = !this.#take(']'); more; more = this.#hasNext(']')) {
      items.push(this.#value([...path, items.length]));
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
    this.#fail('This string is not closed, or contains a line break or an invalid escape.', start);
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

const keyOf = (path: SettingPath): string => JSON.stringify(path);
