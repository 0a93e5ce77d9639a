// Parses calls `name(value, key='value')` with Python literals, the syntax of UI-TARS and pyautogui. It evaluates nothing; the
// codecs interpret the calls.

import { ActionFormatError } from './codec.ts';

export type Scalar = string | number | boolean | null;
export type Literal = Scalar | readonly Scalar[];

// Array.isArray does not narrow a readonly array away.
export const isList = (value: Literal | undefined): value is readonly Scalar[] =>
  typeof value === 'object' && value !== null;

export interface Call {
  readonly name: string;
  readonly positional: readonly Literal[];
  readonly named: ReadonlyMap<string, Literal>;
}

/**
 * `strict` reads strings as Python does. `Forgiving` also takes what models write and Python refuses: line breaks inside
 * quotes, and unescaped quotes (only a quote that ends its argument closes the string). There, two backslashes and an n before the
 * closing quote are a line break: prompts show it so, and models copy it. A malformed escape stays as it is.
 */
export type Quoting = 'strict' | Forgiving;

export interface Forgiving {
  /** The pattern of what may begin the line after a call: a typed program has lines of its own. */
  readonly next: string;
  readonly functions: ReadonlyMap<string, FunctionSignature>;
}

export interface FunctionSignature {
  /** The number of parameters. */
  readonly parameters: number;
  /** One of them is free text, which may contain calls. */
  readonly hasText: boolean;
}

const NAME = /[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*/y;
const KEYWORD = /([A-Za-z_]\w*)\s*=(?!=)/y;
const NUMBER = /[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const STRING_PREFIX = /[rRuUbBfF]{1,2}(?=['"])/y;
const callOf = ({ functions }: Forgiving): string => String.raw`(?:${[...functions.keys()].join('|')})\s*\(`;
/**
 * After the quote that ends any argument, one of:
 * - a named argument;
 * - the end of the call, and the end of the text, a semicolon, a comment, a token or a fence;
 * - the end of the call and of its line, and the end of the text, `next` or a call.
 */
const argumentEnd = (quoting: Forgiving): RegExp => {
  const line = String.raw`\r?\n\s*(?:$|${quoting.next}|${callOf(quoting)})`;
  return new RegExp(String.raw`\s*(?:,\s*[A-Za-z_]\w*\s*=|\)[ \t]*(?:$|[;#<${'`'}]|${line}))`, 'y');
};
/** A typed text may contain this, so it ends a string only if the function has no free text. */
const nextCall = (quoting: Forgiving): RegExp =>
  new RegExp(String.raw`\s*\)[ \t]*,\s*${callOf(quoting)}`, 'y');
/** A typed text may contain this, so it ends a string only if the function has a further parameter. */
const UNNAMED_ARGUMENT = /\s*,\s*['"([]/y;
const BLANK = /(?:\s|#[^\n]*)+/y;
const CONSTANTS: ReadonlyMap<string, Scalar> = new Map<string, Scalar>([
  ['True', true],
  ['False', false],
  ['None', null],
]);

export class CallReader {
  #at = 0;
  /** Undefined if strict. */
  readonly #argumentEnd: RegExp | undefined;
  readonly #nextCall: RegExp | undefined;
  readonly #functions: ReadonlyMap<string, FunctionSignature>;
  /** A further end of a string in the argument that is being read. */
  #otherEnds: readonly RegExp[] = [];

  constructor(
    readonly format: string,
    readonly text: string,
    quoting: Quoting,
  ) {
    this.#argumentEnd = quoting === 'strict' ? undefined : argumentEnd(quoting);
    this.#nextCall = quoting === 'strict' ? undefined : nextCall(quoting);
    this.#functions = quoting === 'strict' ? new Map() : quoting.functions;
  }

  /** Skips blanks and comments; true at the end of the text. */
  atEnd(): boolean {
    this.match(BLANK);
    return this.#at >= this.text.length;
  }

  /** Consumes a match of the sticky pattern at the current position; returns its first group, or the whole match. */
  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text);
    if (found === null) return undefined;
    this.#at += found[0].length;
    return found[1] ?? found[0];
  }

  /** The index of the next character. */
  get position(): number {
    return this.#at;
  }

  startsString(): boolean {
    return this.#peek() === "'" || this.#peek() === '"';
  }

  call(): Call {
    const name = this.match(NAME) ?? this.fail(`expected a call such as click(...) ${this.#where()}`);
    this.#expect('(', `after ${name}`);
    const positional: Literal[] = [];
    const named = new Map<string, Literal>();
    while (!this.#take(')')) {
      const keyword = this.match(KEYWORD);
      this.match(BLANK);
      this.#otherEnds = this.#otherEndsOf(name, positional.length + named.size + 1);
      const value = this.literal();
      if (keyword === undefined) {
        if (named.size > 0) this.fail(`${name} has a positional argument after a named one`);
        positional.push(value);
      } else {
        if (named.has(keyword)) this.fail(`${name} has the argument ${keyword} twice: write it once`);
        named.set(keyword, value);
      }
      if (!this.#take(',')) {
        this.#expect(')', `after the arguments of ${name}`);
        break;
      }
    }
    return { name, positional, named };
  }

  literal(): Literal {
    if (this.#take('[')) return this.#list(']');
    if (this.#take('(')) return this.#list(')');
    return this.#scalar();
  }

  fail(reason: string): never {
    throw new ActionFormatError(this.format, this.text, reason);
  }

  // Lists do not nest: no call needs it, and hostile input cannot exhaust the stack.
  #list(close: string): readonly Scalar[] {
    const items: Scalar[] = [];
    while (!this.#take(close)) {
      items.push(this.#scalar());
      if (!this.#take(',')) {
        this.#expect(close, 'after the items of a list');
        break;
      }
    }
    return items;
  }

  #scalar(): Scalar {
    const prefix = this.match(STRING_PREFIX)?.toLowerCase() ?? '';
    if (prefix.includes('f') || prefix.includes('b')) {
      this.fail(`a string with the prefix ${prefix} is not plain text: remove the prefix`);
    }
    if (this.startsString()) return this.#string(prefix.includes('r'));
    const number = this.match(NUMBER);
    if (number !== undefined) return Number(number);
    const name = this.match(NAME);
    const constant = name === undefined ? undefined : CONSTANTS.get(name);
    if (constant !== undefined) return constant;
    return this.fail(
      name === undefined
        ? `expected a string, a number or a list ${this.#where()}`
        : `${name} is not a literal: write a string, a number or a list`,
    );
  }

  #string(raw: boolean): string {
    const quote = this.#peek();
    const triple = this.#argumentEnd === undefined && this.text.startsWith(quote.repeat(3), this.#at);
    const close = triple ? quote.repeat(3) : quote;
    this.#at += close.length;
    let value = '';
    while (this.#at < this.text.length) {
      if (this.text.startsWith(close, this.#at) && this.#closes(close.length)) {
        this.#at += close.length;
        return value;
      }
      if (this.#endsWithLineBreak(close)) return `${value}\n`;
      const character = this.#peek();
      if (character === '\n' && !triple && this.#argumentEnd === undefined) break;
      if (character === '\\') value += raw ? this.#rawEscape() : this.#escape();
      else {
        value += character;
        this.#at += 1;
      }
    }
    return this.fail('a string is not closed: end it with the quote that opened it');
  }

  /** `count` includes the argument that is being read. */
  #otherEndsOf(name: string, count: number): readonly RegExp[] {
    const { parameters = 0, hasText = false } = this.#functions.get(name) ?? {};
    return [
      ...(count < parameters ? [UNNAMED_ARGUMENT] : []),
      ...(this.#nextCall === undefined || hasText ? [] : [this.#nextCall]),
    ];
  }

  #closes(length: number): boolean {
    if (this.#argumentEnd === undefined) return true;
    return [this.#argumentEnd, ...this.#otherEnds].some(end => {
      end.lastIndex = this.#at + length;
      return end.test(this.text);
    });
  }

  #endsWithLineBreak(close: string): boolean {
    const written = `\\\\n${close}`;
    if (this.#argumentEnd === undefined || !this.text.startsWith(written, this.#at)) return false;
    if (!this.#closes(written.length)) return false;
    this.#at += written.length;
    return true;
  }

  #rawEscape(): string {
    const pair = this.text.slice(this.#at, this.#at + 2);
    this.#at += 2;
    return pair;
  }

  #escape(): string {
    const simple = SIMPLE_ESCAPES.get(this.text.charAt(this.#at + 1));
    if (simple !== undefined) {
      this.#at += 2;
      return simple;
    }
    const digits = this.match(HEX_ESCAPE);
    if (digits !== undefined) return this.#character(Number.parseInt(digits.slice(1), 16), digits);
    const octal = this.match(OCTAL_ESCAPE);
    if (octal !== undefined) return this.#character(Number.parseInt(octal, 8), octal);
    if (this.#argumentEnd === undefined && MALFORMED_ESCAPES.includes(this.text.charAt(this.#at + 1))) {
      this.fail(`${this.text.slice(this.#at, this.#at + 10)} is not a valid escape: write \\uXXXX`);
    }
    return this.#rawEscape(); // Python keeps the backslash of an unknown escape
  }

  #character(code: number, written: string): string {
    return code <= 0x10ffff
      ? String.fromCodePoint(code)
      : this.fail(`\\${written} is beyond Unicode: use a code up to 10ffff`);
  }

  #peek(): string {
    return this.text.charAt(this.#at);
  }

  #take(token: string): boolean {
    this.match(BLANK);
    if (!this.text.startsWith(token, this.#at)) return false;
    this.#at += token.length;
    this.match(BLANK);
    return true;
  }

  #expect(token: string, where: string): void {
    if (!this.#take(token)) this.fail(`expected ${token} ${where}, ${this.#where()}`);
  }

  #where(): string {
    return `at character ${this.#at}`;
  }
}

const HEX_ESCAPE = /\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})/y;
const OCTAL_ESCAPE = /\\([0-7]{1,3})/y;
const MALFORMED_ESCAPES = ['x', 'u', 'U', 'N'];
const SIMPLE_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\n', ''],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['a', '\u0007'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
]);
