// What is shown to a policy as a row of tokens: one for the whole, one for each word of the instruction, each element, each
// patch, each thing done lately and each text remembered. Numbers only from here on; feeds.ts puts many rows into one batch.

import { type Box, contains, type ElementState, type Point } from '../contracts/screen.ts';
import { KINDS } from './kinds.ts';
import { type Seen, SQUARE_AREA } from './seen.ts';
import { plain, type Word, wordsOf } from './words.ts';

/** So many words of a token's name, and of its value, are read. */
export const NAME_WORDS = 6;
export const VALUE_WORDS = 4;
export const SLOTS_OF_WORDS = NAME_WORDS + VALUE_WORDS;

/** Roles that desktops use; what is not among them counts as 'other'. */
const ROLES = [
  'other desktop window dialog titlebar button tab label radio slider checkbox dropdown list listitem menu menuitem textfield textarea',
  'tree treeitem table row columnheader cell gridcell alert scrollbar spinner document link image toolbar statusbar panel icon',
]
  .join(' ')
  .split(' ');

/** What a token is: the first ones say so by themselves, then come the kinds of what was done, then the roles of elements. */
const WHOLE = 0;
const WORD = 1;
const PATCH = 2;
const MEMORY = 3;
const FIRST_PAST = 4;
const FIRST_ROLE = FIRST_PAST + KINDS.length;
export const SORTS = FIRST_ROLE + ROLES.length + 8;
const ROLE_NUMBERS = new Map(ROLES.map((role, index) => [role, FIRST_ROLE + index]));

/** Where a token stands among its like: words by their number, what was done by how long ago, memories by their age. */
export const MOST_WORDS = 64;
const FIRST_PAST_PLACE = MOST_WORDS + 1;
const FIRST_AGE = FIRST_PAST_PLACE + 8;
const OLDEST = 8;
export const PLACES = FIRST_AGE + OLDEST + 1;

const STATES: readonly ElementState[] = [
  'checked',
  'disabled',
  'editable',
  'expanded',
  'focused',
  'pressed',
  'selected',
];
const WAVES = [1, 2, 4];
const FIRST_WAVE = 4;
const FIRST_STATE = FIRST_WAVE + 4 * WAVES.length;
const NAMED = FIRST_STATE + STATES.length;
const VALUED = NAMED + 1;
const SHARE = NAMED + 2;
const QUOTED = NAMED + 3;
const SIGN = NAMED + 4;
const CAPITAL = NAMED + 5;
const DIGITS = NAMED + 6;
const CHANGED = NAMED + 7;
const EMPTY = NAMED + 8;
const COVERS = NAMED + 9;
export const FEATURES = NAMED + 10;

/** A word that more tokens have than this says nothing about which belong together. */
const COMMON = 16;

export interface Tokens {
  readonly count: number;
  /** How many words of the instruction there are; they follow the first token. */
  readonly words: number;
  readonly sorts: Int32Array;
  readonly places: Int32Array;
  readonly features: Float32Array;
  /** The words that occur, each once; `spelled` has for each token the numbers of its words in it plus one. */
  readonly lexicon: readonly string[];
  readonly spelled: Int32Array;
  /** The numbers, in the lexicon, of words that the instruction uses as names: quoted, capital, or with digits. */
  readonly names: readonly number[];
  /** Pairs of tokens that share words, with how much that says: from, to, weight. */
  readonly related: Float32Array;
  /** One square for each token from `firstSquare` on: the elements and the patches. */
  readonly firstSquare: number;
  readonly squares: Uint8Array;
  readonly pointable: Uint8Array;
  readonly copyable: Uint8Array;
  /** For each token what it points at and what it copies. */
  readonly meanings: readonly Meaning[];
}

export interface Meaning {
  readonly at?: { readonly kind: 'element' | 'patch'; readonly index: number; readonly box: Box };
  /** The text that copying it writes. */
  readonly text?: string;
  /** Where a word of the instruction stands in it. */
  readonly word?: Word;
}

interface Read {
  /** Plain; signs only where there is nothing else, as on the keys of a calculator. */
  readonly words: readonly string[];
  /** With a blank before, between and after them. */
  readonly line: string;
}

/** Texts recur from screen to screen, so what was read once is kept for a while. */
const READ = new Map<string, Read>();
const MOST_READ = 20_000;
const MOST_WORDS_OF_A_TEXT = 40;

function read(text: string): Read {
  const known = READ.get(text);
  if (known !== undefined) return known;
  const all = wordsOf(text).slice(0, MOST_WORDS_OF_A_TEXT);
  const proper = all.filter(({ isSign }) => !isSign);
  const words = (proper.length > 0 ? proper : all).map(word => plain(word.text));
  const made = { words, line: ` ${words.join(' ')} ` };
  if (READ.size >= MOST_READ) READ.clear();
  READ.set(text, made);
  return made;
}

export function tokensOf(seen: Seen): Tokens {
  const instruction = wordsOf(seen.instruction).slice(0, MOST_WORDS);
  const counts = [1, instruction.length, seen.elements.length, seen.patches.length, seen.recent.length];
  const count = counts.reduce((sum, each) => sum + each, seen.memory.length);
  const firstSquare = 1 + instruction.length;
  const row = new Row(count);
  row.add({ sort: WHOLE });
  row.set(CHANGED, seen.recent[0]?.changed === false ? 0 : 1);

  const asked = read(seen.instruction);
  const askedWords = new Set(asked.words);
  const askedNames = new Set<string>();
  for (const [index, word] of instruction.entries()) {
    const name = plain(word.text);
    row.add({
      sort: WORD,
      place: 1 + index,
      name: [name],
      meaning: { text: word.text, word },
      copyable: true,
      related: !word.isSign,
    });
    if (word.quoted) row.set(QUOTED, 1);
    if (word.isSign) row.set(SIGN, 1);
    const capital = /^\p{Lu}/u.test(word.text);
    const digits = /^\d+$/.test(word.text);
    if (capital) row.set(CAPITAL, 1);
    if (digits) row.set(DIGITS, 1);
    if (!word.isSign && (word.quoted || digits || (capital && index > 0))) {
      row.isName(name);
      askedNames.add(name);
    }
  }

  for (const [index, element] of seen.elements.entries()) {
    const { role, name, value, states, box } = element;
    const [nameRead, valueRead] = [read(name), read(value)];
    const at = { kind: 'element', index: seen.firstElement + index, box } as const;
    const text = value === '' ? name : value;
    row.add({
      sort: ROLE_NUMBERS.get(role) ?? FIRST_ROLE,
      name: nameRead.words,
      value: valueRead.words,
      meaning: { at, text },
      pointable: true,
      copyable: text !== '',
      related: true,
    });
    row.put(box, seen.size);
    for (const state of states) row.set(FIRST_STATE + STATES.indexOf(state), 1);
    if (nameRead.words.length > 0 && asked.line.includes(nameRead.line)) row.set(NAMED, 1);
    if (valueRead.words.length > 0 && asked.line.includes(valueRead.line)) row.set(VALUED, 1);
    if (nameRead.words.length > 0) {
      const shared = nameRead.words.filter(word => askedWords.has(word)).length;
      row.set(SHARE, shared / nameRead.words.length);
    }
    if (value === '') row.set(EMPTY, 1);
    if (askedNames.size > 0) {
      const had = new Set([...nameRead.words, ...valueRead.words].filter(word => askedNames.has(word)));
      row.set(COVERS, had.size / askedNames.size);
    }
  }

  for (const [index, box] of seen.patches.entries()) {
    row.add({ sort: PATCH, meaning: { at: { kind: 'patch', index, box } }, pointable: true });
    row.put(box, seen.size);
  }

  for (const [index, { kind, text, changed }] of seen.recent.entries()) {
    row.add({
      sort: FIRST_PAST + kind,
      place: FIRST_PAST_PLACE + index,
      name: read(text).words,
      related: true,
    });
    if (changed) row.set(CHANGED, 1);
  }

  for (const { text, age } of seen.memory) {
    const place = FIRST_AGE + Math.min(age, OLDEST);
    row.add({
      sort: MEMORY,
      place,
      name: read(text).words,
      meaning: { text },
      copyable: true,
      related: true,
    });
  }

  const squares = new Uint8Array(seen.glimpses.length + seen.patchPixels.length);
  squares.set(seen.glimpses);
  squares.set(seen.patchPixels, seen.glimpses.length);
  // Without glimpses, the patches' squares do not begin where the elements do.
  const skipped = seen.glimpses.length === 0 ? seen.elements.length : 0;
  return row.finished(instruction.length, firstSquare + skipped, squares);
}

/** How many tokens a number of squares is for. */
export const squaresOf = ({ squares }: Tokens): number => squares.length / SQUARE_AREA;

interface Added {
  readonly sort: number;
  readonly place?: number;
  readonly name?: readonly string[];
  readonly value?: readonly string[];
  readonly meaning?: Meaning;
  readonly pointable?: boolean;
  readonly copyable?: boolean;
  readonly related?: boolean;
}

/** A row of tokens while it grows. */
class Row {
  readonly #count: number;
  readonly #sorts: Int32Array;
  readonly #places: Int32Array;
  readonly #features: Float32Array;
  readonly #spelled: Int32Array;
  readonly #pointable: Uint8Array;
  readonly #copyable: Uint8Array;
  readonly #meanings: Meaning[] = [];
  readonly #lexicon = new Map<string, number>();
  readonly #names = new Set<number>();
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
  }

  add({ sort, place = 0, name = [], value = [], meaning = {}, pointable, copyable, related }: Added): void {
    this.#at += 1;
    const at = this.#at;
    this.#sorts[at] = sort;
    this.#places[at] = place;
    this.#meanings.push(meaning);
    this.#pointable[at] = pointable ? 1 : 0;
    this.#copyable[at] = copyable ? 1 : 0;
    const first = at * SLOTS_OF_WORDS;
    for (let index = 0; index < Math.min(NAME_WORDS, name.length); index++)
      this.#spelled[first + index] = this.#number(name[index] ?? '');
    for (let index = 0; index < Math.min(VALUE_WORDS, value.length); index++)
      this.#spelled[first + NAME_WORDS + index] = this.#number(value[index] ?? '');
    if (related) {
      for (const word of name) this.#own(word);
      for (const word of value) this.#own(word);
    }
  }

  set(feature: number, value: number): void {
    this.#features[this.#at * FEATURES + feature] = value;
  }

  isName(word: string): void {
    this.#names.add(this.#number(word) - 1);
  }

  /** Where it is on the screen, roughly and finely. */
  put({ x, y, width, height }: Box, screen: { readonly width: number; readonly height: number }): void {
    const [across, down] = [(x + width / 2) / screen.width, (y + height / 2) / screen.height];
    for (const [index, value] of [across, down, width / screen.width, height / screen.height].entries())
      this.set(index, value);
    for (const [index, wave] of WAVES.entries()) {
      const first = FIRST_WAVE + 4 * index;
      this.set(first, Math.sin(wave * Math.PI * across));
      this.set(first + 1, Math.cos(wave * Math.PI * across));
      this.set(first + 2, Math.sin(wave * Math.PI * down));
      this.set(first + 3, Math.cos(wave * Math.PI * down));
    }
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
      related: this.#related(),
      firstSquare,
      squares,
      pointable: this.#pointable,
      copyable: this.#copyable,
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

/** How much farther above or below counts than beside: things stand in lines. */
const ACROSS_LINES = 4;
/** Nothing this far away is meant. */
const FAR = 160;

/**
 * The token that a point on the screen belongs to: the front element there, else the nearest patch, by lines first; undefined
 * where there is none.
 */
export function tokenAt(tokens: Tokens, { x, y }: Point): number | undefined {
  let [nearest, least]: [number | undefined, number] = [undefined, FAR];
  for (let token = tokens.count - 1; token >= 0; token--) {
    const at = tokens.meanings[token]?.at;
    if (at === undefined) continue;
    if (at.kind === 'element') {
      if (contains(at.box, { x, y })) return token;
      continue;
    }
    const across = Math.max(at.box.x - x, x - (at.box.x + at.box.width - 1), 0);
    const down = Math.abs(at.box.y + at.box.height / 2 - y);
    const distance = across + ACROSS_LINES * Math.max(0, down - LINE_MIDDLE);
    if (distance < least) [nearest, least] = [token, distance];
  }
  return nearest;
}

/** Middles of lines this close to each other are of one line. */
const LINE_MIDDLE = 3;
