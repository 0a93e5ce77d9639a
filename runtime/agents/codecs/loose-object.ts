// Finds and reads objects in the text of a model. It reads JSON and what models write instead: Python literals, unquoted keys, line breaks
// and unescaped quotes within strings, a missing brace at the end.

export type LooseValue = string | number | boolean | null | readonly LooseValue[] | LooseObject;
export type LooseObject = ReadonlyMap<string, LooseValue>;

/** `Array.isArray` does not narrow readonly arrays. */
export const isLooseList = (value: LooseValue | undefined): value is readonly LooseValue[] =>
  Array.isArray(value);
export const isLooseObject = (value: LooseValue | undefined): value is LooseObject => value instanceof Map;

export interface FoundObject {
  readonly object: LooseObject;
  /** The position of its first character in the text. */
  readonly start: number;
}

/** They bound the time for a text with many braces, each of which may read on to the end of the text. */
const MAX_ATTEMPTS = 64;
const MAX_READ_CHARACTERS = 400_000;

/** The objects of the text in order, without those inside others. Braces that begin no object are text. */
export function objectsIn(text: string): readonly FoundObject[] {
  const found: FoundObject[] = [];
  let start = text.indexOf('{');
  let read = 0;
  for (let attempt = 0; start >= 0 && attempt < MAX_ATTEMPTS && read < MAX_READ_CHARACTERS; attempt++) {
    const reader = new LooseReader(text, start);
    const value = reader.value(0);
    read += reader.at - start;
    const isObject = isLooseObject(value);
    if (isObject) found.push({ object: value, start });
    start = text.indexOf('{', isObject ? reader.at : start + 1);
  }
  return found;
}

/** The value that the whole text is; undefined for other texts. */
export function looseValue(text: string): LooseValue | undefined {
  const reader = new LooseReader(text, 0);
  const value = reader.value(0);
  return reader.isAtEnd() ? value : undefined;
}

const MAX_DEPTH = 16;
const BLANK = /\s*/y;
const NUMBER = /[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const NAME = /[A-Za-z_]\w*/y;
/** A quote closes a string only where the next thing can follow a string. */
const AFTER_STRING = /\s*(?:[,:}\])]|$)/y;
const HEX_ESCAPE = /\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2})/y;
const CONSTANTS: ReadonlyMap<string, LooseValue> = new Map<string, LooseValue>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['True', true],
  ['False', false],
  ['None', null],
]);
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

/** A number that would be written otherwise, such as 1.50, is a text: it may be one that somebody types. */
const asWritten = (number: string): LooseValue =>
  String(Number(number)) === number ? Number(number) : number;

class LooseReader {
  constructor(
    readonly text: string,
    public at: number,
  ) {}

  /** Undefined if no value begins here. */
  value(depth: number): LooseValue | undefined {
    if (depth > MAX_DEPTH) return undefined;
    this.#match(BLANK);
    switch (this.text[this.at]) {
      case '{':
        return this.#object(depth);
      case '[':
        return this.#list(depth, ']');
      case '(':
        return this.#list(depth, ')');
      case '"':
      case "'":
        return this.#string();
      default: {
        const number = this.#match(NUMBER);
        if (number !== undefined) return asWritten(number);
        return CONSTANTS.get(this.#match(NAME) ?? '');
      }
    }
  }

  isAtEnd(): boolean {
    this.#match(BLANK);
    return this.at >= this.text.length;
  }

  #object(depth: number): LooseObject | undefined {
    const fields = new Map<string, LooseValue>();
    this.at += 1;
    while (!this.#take('}')) {
      const key = this.#key();
      if (key === undefined || !this.#take(':')) return undefined;
      const value = this.value(depth + 1);
      if (value === undefined) return undefined;
      fields.set(key, value);
      const isNumber = /[\d.]/.test(this.text.charAt(this.at - 1));
      if (this.#take(',')) continue;
      // A number at the end of the text may be cut off; another value is complete.
      if (this.isAtEnd() && !isNumber) return fields;
      return this.#take('}') ? fields : undefined;
    }
    return fields;
  }

  #key(): string | undefined {
    this.#match(BLANK);
    const first = this.text[this.at];
    return first === '"' || first === "'" ? this.#string() : this.#match(NAME);
  }

  #list(depth: number, close: string): readonly LooseValue[] | undefined {
    const items: LooseValue[] = [];
    this.at += 1;
    while (!this.#take(close)) {
      const item = this.value(depth + 1);
      if (item === undefined) return undefined;
      items.push(item);
      if (!this.#take(',')) return this.#take(close) ? items : undefined;
    }
    return items;
  }

  #string(): string | undefined {
    const quote = this.text.charAt(this.at);
    this.at += 1;
    let value = '';
    while (this.at < this.text.length) {
      const character = this.text.charAt(this.at);
      if (character === quote) {
        AFTER_STRING.lastIndex = this.at + 1;
        if (AFTER_STRING.test(this.text)) {
          this.at += 1;
          return value;
        }
      }
      if (character === '\\') value += this.#escape();
      else {
        value += character;
        this.at += 1;
      }
    }
    return undefined;
  }

  /** An unknown escape is text: models write Windows paths without escapes. */
  #escape(): string {
    const simple = ESCAPES.get(this.text.charAt(this.at + 1));
    if (simple !== undefined) {
      this.at += 2;
      return simple;
    }
    const hex = this.#match(HEX_ESCAPE);
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex.slice(2), 16));
    this.at += 1;
    return '\\';
  }

  #take(token: string): boolean {
    this.#match(BLANK);
    if (this.text[this.at] !== token) return false;
    this.at += 1;
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }
}
