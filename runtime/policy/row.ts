// A row of tokens while it grows: what is known of each goes into flat arrays, one token after another.

import type { Box, Size } from '../contracts/screen.ts';
import type { Read } from './texts.ts';
import { FEATURES, NAME_WORDS, PLACE, SLOTS_OF_WORDS, VALUE_WORDS } from './token-numbers.ts';
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
  readonly copied?: Copied | undefined;
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
  /** The tokens that have each word, by its number. */
  readonly #owners: (number[] | undefined)[] = [];
  #at = -1;

  constructor(count: number) {
    this.#count = count;
    // One piece of memory for all of them: to have one, and to give it back, takes longer than to fill it.
    const memory = new ArrayBuffer(count * BYTES_OF_TOKEN);
    let at = 0;
    const take = <A extends ArrayBufferView>(kind: Looks<A>, each: number): A => {
      const taken = new kind(memory, at, count * each);
      at += taken.byteLength;
      return taken;
    };
    this.#sorts = take(Int32Array, 1);
    this.#places = take(Int32Array, 1);
    this.#features = take(Float32Array, FEATURES);
    this.#spelled = take(Int32Array, SLOTS_OF_WORDS);
    this.#pointable = take(Uint8Array, 1);
    this.#copyable = take(Uint8Array, 1);
    this.#sayable = take(Uint8Array, SLOTS_OF_WORDS);
  }

  add({ sort, place = 0, name = NO_WORDS, value = NO_WORDS, ...rest }: Added): void {
    const { meaning = NO_MEANING, copied, pointable = false, related = false } = rest;
    this.#at += 1;
    const at = this.#at;
    this.#sorts[at] = sort;
    this.#places[at] = place;
    this.#pointable[at] = pointable ? 1 : 0;
    this.#copyable[at] = copied === undefined && meaning.word === undefined ? 0 : 1;
    const first = at * SLOTS_OF_WORDS;
    this.#spell(name, first, value.length > 0 ? NAME_WORDS : SLOTS_OF_WORDS, related);
    this.#spell(value, first + NAME_WORDS, VALUE_WORDS, related);
    this.#meanings.push(copied === undefined ? meaning : this.#copying(meaning, first, copied));
  }

  /** So many of the words have a slot; those beyond it may still tell which tokens belong together. */
  #spell(words: readonly string[], first: number, slots: number, related: boolean): void {
    const last = related ? words.length : Math.min(slots, words.length);
    for (let index = 0; index < last; index++) {
      const number = this.#number(words[index] ?? '');
      if (index < slots) this.#spelled[first + index] = number;
      if (related) this.#own(number);
    }
  }

  #copying({ at, word }: Meaning, first: number, { text, read, firstSlot, slots }: Copied): Meaning {
    const spans = read.spans.length > slots ? read.spans.slice(0, slots) : read.spans;
    this.#sayable.fill(1, first + firstSlot, first + firstSlot + spans.length);
    return { at, word, text, spans: { first: firstSlot, each: spans } };
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
    this.set(PLACE.across, (x + width / 2) / screen.width);
    this.set(PLACE.down, (y + height / 2) / screen.height);
    this.set(PLACE.width, width / screen.width);
    this.set(PLACE.height, height / screen.height);
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

  #own(number: number): void {
    const owners = this.#owners[number];
    if (owners === undefined) this.#owners[number] = [this.#at];
    else if (owners.at(-1) !== this.#at) owners.push(this.#at);
  }

  /** A rare word binds tokens more than a common one. */
  #related(): Float32Array {
    const pairs: number[] = [];
    for (const owners of this.#owners) {
      if (owners === undefined || owners.length < 2 || owners.length > COMMON) continue;
      const weight = Math.min(1, 2 / owners.length);
      for (const from of owners) for (const to of owners) if (from !== to) pairs.push(from, to, weight);
    }
    return new Float32Array(pairs);
  }
}

/** A kind of array that looks into memory. */
type Looks<A> = new (memory: ArrayBuffer, from: number, length: number) => A;

/** Four of each number, and one of what is only true or not. */
const BYTES_OF_TOKEN = 4 * (2 + FEATURES + SLOTS_OF_WORDS) + 2 + SLOTS_OF_WORDS;
const NO_WORDS: readonly string[] = [];
const NO_MEANING: Meaning = {};
