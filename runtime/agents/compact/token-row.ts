// Builder of a token row: appends each token to flat arrays.

import type { Box, Size } from '../../core/screen.ts';
import type { Meaning, Tokens } from './token-features.ts';
import { FEATURES, NAME_WORDS, PLACE, SLOTS_OF_WORDS, VALUE_WORDS } from './token-numbers.ts';
import { numberIn } from './word-tokenizer.ts';

/** A word in more tokens than this does not relate them. */
const MAX_TOKENS_PER_RELATED_WORD = 16;

export interface TokenInput {
  readonly sort: number;
  readonly place?: number;
  /** A name without a value may use the value's word slots. */
  readonly name?: readonly string[];
  readonly value?: readonly string[];
  readonly meaning?: Meaning;
  readonly pointable?: boolean;
  readonly related?: boolean;
}

export class TokenRow {
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
  readonly #tokensByWord = new TokensByWord();
  #at = -1;

  constructor(count: number) {
    this.#count = count;
    // One buffer for all arrays: allocation and collection cost more than filling it.
    const memory = new ArrayBuffer(count * BYTES_OF_TOKEN);
    let at = 0;
    const take = <A extends ArrayBufferView>(View: ViewConstructor<A>, perToken: number): A => {
      const taken = new View(memory, at, count * perToken);
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

  add({
    sort,
    place = 0,
    name = NO_WORDS,
    value = NO_WORDS,
    meaning = NO_MEANING,
    pointable = false,
    related = false,
  }: TokenInput): void {
    this.#at += 1;
    const at = this.#at;
    this.#sorts[at] = sort;
    this.#places[at] = place;
    if (pointable) this.#pointable[at] = 1;
    const first = at * SLOTS_OF_WORDS;
    this.#spell(name, first, value.length > 0 ? NAME_WORDS : SLOTS_OF_WORDS, related);
    this.#spell(value, first + NAME_WORDS, VALUE_WORDS, related);
    this.#meanings.push(meaning);
    const { text, spans } = meaning;
    if (text !== undefined) this.#copyable[at] = 1;
    if (spans !== undefined) {
      const from = first + spans.first;
      this.#sayable.fill(1, from, from + spans.each.length);
    }
  }

  /** The first `slots` words are stored; later words only relate tokens. */
  #spell(words: readonly string[], first: number, slots: number, related: boolean): void {
    const last = related ? words.length : Math.min(slots, words.length);
    for (let index = 0; index < last; index++) {
      const number = numberIn(this.#lexicon, words[index] ?? '');
      if (index < slots) this.#spelled[first + index] = number;
      if (related) this.#tokensByWord.add(number, this.#at);
    }
  }

  /** Sets a feature of the last token, or of `token`. */
  set(feature: number, value: number, token = this.#at): void {
    this.#features[token * FEATURES + feature] = value;
  }

  addTaskWord(word: string): void {
    this.#speaking.push(numberIn(this.#lexicon, word) - 1);
  }

  addName(word: string): void {
    this.#names.add(numberIn(this.#lexicon, word) - 1);
  }

  /** Sets the box features of the last token. */
  setBox({ x, y, width, height }: Box, screen: Size): void {
    this.set(PLACE.across, (x + width / 2) / screen.width);
    this.set(PLACE.down, (y + height / 2) / screen.height);
    this.set(PLACE.width, width / screen.width);
    this.set(PLACE.height, height / screen.height);
  }

  finish(words: number, firstSquare: number, squares: Uint8Array): Tokens {
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
      related: this.#tokensByWord.related(),
      firstSquare,
      squares,
      pointable: this.#pointable,
      copyable: this.#copyable,
      sayable: this.#sayable,
      meanings: this.#meanings,
    };
  }
}

/** Tokens of each word, as linked lists in flat arrays: an array per word would add fifty objects to each row. */
class TokensByWord {
  /** By word index: first entry, last entry and length of its list. */
  readonly #first: number[] = [];
  readonly #last: number[] = [];
  readonly #count: number[] = [];
  /** By entry: its token and the next entry. */
  readonly #token: number[] = [];
  readonly #next: number[] = [];

  /** Tokens must be added in increasing order. */
  add(word: number, token: number): void {
    const last = this.#last[word];
    if (last !== undefined && this.#token[last] === token) return;
    const entry = this.#token.length;
    this.#token.push(token);
    this.#next.push(NO_ENTRY);
    this.#last[word] = entry;
    if (last === undefined) {
      this.#first[word] = entry;
      this.#count[word] = 1;
    } else {
      this.#next[last] = entry;
      this.#count[word] = (this.#count[word] ?? 0) + 1;
    }
  }

  /** Pairs of tokens with a common word, as (from, to, weight). Rare words have larger weights. */
  related(): Float32Array {
    let pairs = 0;
    for (const count of this.#count) if (relates(count)) pairs += count * (count - 1);
    const related = new Float32Array(3 * pairs);
    let at = 0;
    for (let word = 0; word < this.#count.length; word++) {
      const count = this.#count[word];
      if (!relates(count)) continue;
      const weight = Math.min(1, 2 / count);
      const begin = this.#first[word] ?? NO_ENTRY;
      for (let from = begin; from !== NO_ENTRY; from = this.#next[from] ?? NO_ENTRY) {
        for (let to = begin; to !== NO_ENTRY; to = this.#next[to] ?? NO_ENTRY) {
          if (from === to) continue;
          related[at] = this.#token[from] ?? 0;
          related[at + 1] = this.#token[to] ?? 0;
          related[at + 2] = weight;
          at += 3;
        }
      }
    }
    return related;
  }
}

const NO_ENTRY = -1;

const relates = (count: number | undefined): count is number =>
  count !== undefined && count > 1 && count <= MAX_TOKENS_PER_RELATED_WORD;

/** Constructor of a typed array view. */
type ViewConstructor<A> = new (memory: ArrayBuffer, from: number, length: number) => A;

/** Four bytes per number, one byte per flag. */
const BYTES_OF_TOKEN = 4 * (2 + FEATURES + SLOTS_OF_WORDS) + 2 + SLOTS_OF_WORDS;
const NO_WORDS: readonly string[] = [];
const NO_MEANING: Meaning = {};
