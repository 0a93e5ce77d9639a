// A row of tokens while it grows: what is known of each goes into flat arrays, one token after another.

import type { Box, Size } from '../contracts/screen.ts';
import type { Read } from './texts.ts';
import { FEATURES, NAME_WORDS, SLOTS_OF_WORDS } from './token-numbers.ts';
import type { Meaning, Tokens } from './tokens.ts';

/** A word that more tokens have than this says nothing about which belong together. */
const COMMON = 16;

export interface Added {
  readonly sort: number;
  readonly place?: number;
  /** A value stands behind a name; a name without one may take its room. */
  readonly name?: readonly string[];
  readonly value?: readonly string[];
  readonly meaning?: Meaning;
  /** What is written where it is copied. */
  readonly copied?: Copied;
  readonly pointable?: boolean;
  readonly related?: boolean;
}

export interface Copied {
  readonly text: string;
  readonly read: Read;
  /** The words that can be copied by themselves have these places among the words of the token. */
  readonly firstSlot: number;
  readonly slots: number;
}

export class Row {
  readonly #count: number;
  readonly #sorts: Int32Array;
  readonly #places: Int32Array;
  readonly #features: Float32Array;
  readonly #spelled: Int32Array;
  readonly #pointable: Uint8Array;
  readonly #copyable: Uint8Array;
  readonly #sayable: Uint8Array;
  readonly #meanings: Meaning[] = [];
  readonly #lexicon = new Map<string, number>();
  readonly #names = new Set<number>();
  readonly #speaking: number[] = [];
  /** The tokens that have each word. */
  readonly #owners = new Map<string, number[]>();
  #at = -1;

  constructor(count: number) {
    this.#count = count;
    this.#sorts = new Int32Array(count);
    this.#places = new Int32Array(count);
    this.#features = new Float32Array(count * FEATURES);
    this.#spelled = new Int32Array(count * SLOTS_OF_WORDS);
    this.#pointable = new Uint8Array(count);
    this.#copyable = new Uint8Array(count);
    this.#sayable = new Uint8Array(count * SLOTS_OF_WORDS);
  }

  add({ sort, place = 0, name = [], value = [], meaning = {}, copied, pointable, related }: Added): void {
    this.#at += 1;
    const at = this.#at;
    this.#sorts[at] = sort;
    this.#places[at] = place;
    this.#pointable[at] = pointable ? 1 : 0;
    this.#copyable[at] = copied === undefined && meaning.word === undefined ? 0 : 1;
    const first = at * SLOTS_OF_WORDS;
    const room = value.length > 0 ? NAME_WORDS : SLOTS_OF_WORDS;
    for (let slot = 0; slot < Math.min(room, name.length); slot++)
      this.#spelled[first + slot] = this.#number(name[slot] ?? '');
    for (let slot = NAME_WORDS; slot < Math.min(SLOTS_OF_WORDS, NAME_WORDS + value.length); slot++)
      this.#spelled[first + slot] = this.#number(value[slot - NAME_WORDS] ?? '');
    this.#meanings.push(copied === undefined ? meaning : { ...meaning, ...this.#copying(first, copied) });
    if (related) {
      for (const word of name) this.#own(word);
      for (const word of value) this.#own(word);
    }
  }

  #copying(first: number, { text, read, firstSlot, slots }: Copied): Pick<Meaning, 'text' | 'spans'> {
    const spans = read.spans.slice(0, slots);
    this.#sayable.fill(1, first + firstSlot, first + firstSlot + spans.length);
    return { text, spans: { first: firstSlot, each: spans } };
  }

  /** Of the token that was added last, or of another. */
  set(feature: number, value: number, token = this.#at): void {
    this.#features[token * FEATURES + feature] = value;
  }

  speaks(word: string): void {
    this.#speaking.push(this.#number(word) - 1);
  }

  isName(word: string): void {
    this.#names.add(this.#number(word) - 1);
  }

  /** Where it is on the screen. */
  put({ x, y, width, height }: Box, screen: Size): void {
    const [across, down] = [(x + width / 2) / screen.width, (y + height / 2) / screen.height];
    for (const [index, value] of [across, down, width / screen.width, height / screen.height].entries())
      this.set(index, value);
  }

  finished(words: number, firstSquare: number, squares: Uint8Array): Tokens {
    return {
      count: this.#count,
      words,
      sorts: this.#sorts,
      places: this.#places,
      features: this.#features,
      lexicon: [...this.#lexicon.keys()],
      spelled: this.#spelled,
      names: [...this.#names],
      speaking: this.#speaking,
      related: this.#related(),
      firstSquare,
      squares,
      pointable: this.#pointable,
      copyable: this.#copyable,
      sayable: this.#sayable,
      meanings: this.#meanings,
    };
  }

  #number(word: string): number {
    let number = this.#lexicon.get(word);
    if (number === undefined) {
      number = this.#lexicon.size + 1;
      this.#lexicon.set(word, number);
    }
    return number;
  }

  #own(word: string): void {
    const owners = this.#owners.get(word);
    if (owners === undefined) this.#owners.set(word, [this.#at]);
    else if (owners.at(-1) !== this.#at) owners.push(this.#at);
  }

  /** A rare word binds tokens more than a common one. */
  #related(): Float32Array {
    const pairs: number[] = [];
    for (const owners of this.#owners.values()) {
      if (owners.length < 2 || owners.length > COMMON) continue;
      const weight = Math.min(1, 2 / owners.length);
      for (const from of owners) for (const to of owners) if (from !== to) pairs.push(from, to, weight);
    }
    return Float32Array.from(pairs);
  }
}
