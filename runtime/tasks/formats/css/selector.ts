// Parses CSS selectors and finds the elements that they select in an XML document. Names are case-sensitive, as in XML.

import type { Element } from '../xml.ts';
import { type AttributeTest, type Complex, type Compound, matches, type Test } from './match.ts';

export class SelectorError extends Error {
  override readonly name = 'SelectorError';
}

export type Selector = readonly Complex[];

type Namespaces = Readonly<Record<string, string>>;

const NAME = '-?(?:[_a-zA-Z\\u0080-\\uffff]|\\\\.)(?:[-\\w\\u0080-\\uffff]|\\\\.)*';
const TEXT = '"(?:[^"\\\\\\n]|\\\\[^])*"|\'(?:[^\'\\\\\\n]|\\\\[^])*\'';
const TYPE = new RegExp(`(?:(${NAME}|\\*)?\\|)?(${NAME}|\\*)`, 'y');
const ID_OR_CLASS = new RegExp(`([#.])(${NAME})`, 'y');
const ATTRIBUTE = new RegExp(
  `\\[\\s*(?:(${NAME}|\\*)?\\|(?!=))?(${NAME})\\s*(?:([~|^$*!]?=)\\s*(${TEXT}|${NAME})\\s*)?\\]`,
  'y',
);
const PSEUDO = new RegExp(`:(${NAME})(\\()?`, 'y');
const ARGUMENT = new RegExp(`\\s*(${TEXT}|[^()"']*?)\\s*\\)`, 'y');
const COMBINATOR = /\s*([>+~,])\s*|\s+/y;

/** Reads a list of selectors; their prefixes are those of `namespaces`. */
export function parseSelector(text: string, namespaces: Namespaces): Selector {
  const reader = new Reader(text.trim(), namespaces);
  const selector = reader.list();
  reader.expectEnd();
  return selector;
}

/** The root and the elements below it that a selector selects, in the order of the document. */
export function selectElements(root: Element, selector: Selector): readonly Element[] {
  const all: readonly Element[] = [root, ...root.getElementsByTagName('*')];
  return all.filter(element => selector.some(complex => matches(element, complex)));
}

class Reader {
  readonly #text: string;
  readonly #namespaces: Namespaces;
  #index = 0;

  constructor(text: string, namespaces: Namespaces) {
    this.#text = text;
    this.#namespaces = namespaces;
  }

  list(): Selector {
    const list: Complex[] = [];
    do list.push(this.#complex());
    while (this.#take(/\s*,\s*/y) !== undefined);
    return list;
  }

  expectEnd(): void {
    if (this.#index < this.#text.length) throw this.#error();
  }

  #complex(): Complex {
    let complex: Complex = { compound: this.#compound() };
    for (;;) {
      const start = this.#index;
      const match = this.#take(COMBINATOR);
      const combinator = match?.[1] ?? ' ';
      if (match === undefined || combinator === ',' || this.#text.charAt(this.#index) === ')') {
        this.#index = start;
        return complex;
      }
      complex = { compound: this.#compound(), before: { combinator, complex } };
    }
  }

  #compound(): Compound {
    const start = this.#index;
    const type = this.#take(TYPE);
    const tests: Test[] = [];
    for (let test = this.#test(); test !== undefined; test = this.#test()) tests.push(test);
    if (this.#index === start) throw this.#error();
    const [, prefix, name = '*'] = type ?? [];
    // cssselect counts elements of a type only where the selector names the type.
    if (name === '*' && tests.some(test => 'name' in test && test.name.endsWith('of-type')))
      throw this.#error();
    return {
      ...(name !== '*' && { name }),
      // A name without a prefix has no namespace; the star alone has any.
      ...((prefix !== undefined || name !== '*') && prefix !== '*' && { namespace: this.#namespace(prefix) }),
      tests,
    };
  }

  #test(): Test | undefined {
    const named = this.#take(ID_OR_CLASS);
    if (named !== undefined) {
      const [, sign, value = ''] = named;
      const [name, operator] = sign === '#' ? ['id', '='] : ['class', '~='];
      return { kind: 'attribute', namespace: null, name, operator, value: withoutEscapes(value) };
    }
    return this.#attribute() ?? this.#pseudo();
  }

  #attribute(): AttributeTest | undefined {
    const match = this.#take(ATTRIBUTE);
    if (match === undefined) return undefined;
    const [, prefix, name = '', operator, value] = match;
    return {
      kind: 'attribute',
      namespace: this.#namespace(prefix),
      name: withoutEscapes(name),
      ...(operator !== undefined && value !== undefined && { operator, value: unquote(value) }),
    };
  }

  #pseudo(): Test | undefined {
    const match = this.#take(PSEUDO);
    if (match === undefined) return undefined;
    const [, name = '', call] = match;
    if (call === undefined) return { kind: 'pseudo', name: this.#known(name, PLAIN) };
    if (name === 'not' || name === 'is' || name === 'matches' || name === 'where') {
      this.#take(/\s*/y);
      const selector = this.list();
      if (this.#take(/\s*\)/y) === undefined) throw this.#error();
      return { kind: name === 'not' ? 'not' : 'is', selector };
    }
    const argument = this.#take(ARGUMENT)?.[1];
    if (argument === undefined) throw this.#error();
    if (name === 'contains') return { kind: 'contains', text: unquote(argument) };
    return { kind: 'nth', name: this.#known(name, NTH), ...this.#series(argument) };
  }

  #known<Name extends string>(name: string, names: readonly Name[]): Name {
    const found = names.find(each => each === name);
    if (found === undefined) throw this.#error();
    return found;
  }

  /** The numbers of `2n+1`, `odd` or `3`. */
  #series(text: string): { readonly step: number; readonly offset: number } {
    const formula = text.toLowerCase().replace(/\s+/g, '');
    if (formula === 'odd' || formula === 'even') return { step: 2, offset: formula === 'odd' ? 1 : 0 };
    const match = /^(?:([+-]?\d*)n)?([+-]?\d+)?$/.exec(formula);
    if (match === null || formula === '') throw this.#error();
    const [, step, offset = '0'] = match;
    const sign = step === '' || step === '+' ? 1 : step === '-' ? -1 : Number(step ?? 0);
    return { step: sign, offset: Number(offset) };
  }

  #namespace(prefix: string | undefined): string | null {
    if (prefix === undefined || prefix === '*') return null;
    const namespace = Object.hasOwn(this.#namespaces, prefix) ? this.#namespaces[prefix] : undefined;
    if (namespace === undefined)
      throw new SelectorError(
        `The selector ${JSON.stringify(this.#text)} has the unknown prefix ${prefix}. Use one of ${Object.keys(this.#namespaces).join(', ')}.`,
      );
    return namespace;
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#index;
    const match = pattern.exec(this.#text);
    if (match === null) return undefined;
    this.#index = pattern.lastIndex;
    return match;
  }

  #error(): SelectorError {
    return new SelectorError(
      `The selector ${JSON.stringify(this.#text)} cannot be read at character ${this.#index + 1}. Correct it.`,
    );
  }
}

const PLAIN = [
  'first-child',
  'last-child',
  'only-child',
  'first-of-type',
  'last-of-type',
  'only-of-type',
  'empty',
  'root',
] as const;
const NTH = ['nth-child', 'nth-last-child', 'nth-of-type', 'nth-last-of-type'] as const;

const unquote = (text: string): string => withoutEscapes(/^["']/.test(text) ? text.slice(1, -1) : text);

const withoutEscapes = (text: string): string =>
  text.replace(
    /\\(?:([\da-f]{1,6})\s?|\n|([\s\S]))/gi,
    (_, hex: string | undefined, character: string | undefined) =>
      hex === undefined ? (character ?? '') : String.fromCodePoint(Number.parseInt(hex, 16)),
  );
