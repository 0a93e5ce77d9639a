// Splits texts into words and words into characters. Character embeddings let the policy match words that never occurred in
// training. Each sign is a word; quotation marks only set the flag `quoted`.

import { textHash } from '../../core/text-hash.ts';

export interface Word {
  readonly text: string;
  /** Position in the text: characters from `start` (inclusive) to `end` (exclusive). */
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
  /** Neither a letter nor a digit. */
  readonly isSign: boolean;
}

const WORDS = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*|[^\s\p{L}\p{N}]/gu;
const QUOTES = new Set(['"', '“', '”']);
const SIGN = /^[^\p{L}\p{N}]/u;

export function wordsOf(text: string): readonly Word[] {
  const words: Word[] = [];
  let quoted = false;
  for (const match of text.matchAll(WORDS)) {
    const [found] = match;
    if (QUOTES.has(found)) quoted = !quoted;
    else {
      const { index: start } = match;
      words.push({ text: found, start, end: start + found.length, quoted, isSign: SIGN.test(found) });
    }
  }
  return words;
}

/** Capitalises the first letter. */
export const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Number of characters per word; a longer word keeps its first BEGINNING and its last characters. */
export const LETTERS = 12;
const BEGINNING = 8;

/** Number of character codes: 0 for none, one for each lower-case letter, digit and ASCII sign, one for all others. */
export const ALPHABET = 72;
const OTHER = ALPHABET - 1;

const CHARACTERS = 'abcdefghijklmnopqrstuvwxyz0123456789!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';
/** Character codes by ASCII code. */
const NUMBERS = Uint8Array.from({ length: 128 }, (_, code) => {
  const place = CHARACTERS.indexOf(String.fromCharCode(code));
  return place < 0 ? OTHER : 1 + place;
});

/** Plain spelling: lower case, without accents, numbers without leading zeros (dates). */
export const plain = (word: string): string =>
  ASCII_LETTERS.test(word)
    ? word.toLowerCase()
    : word
        .toLowerCase()
        .normalize('NFD')
        .replace(/\p{M}/gu, '')
        .replace(/^0+(?=\d)/, '');

/** Fast path for most words. */
const ASCII_LETTERS = /^[A-Za-z]+$/;

/** Writes the character codes of a plain word to a row of a table. */
export function spell(word: string, into: Int32Array | Uint8Array, offset: number): void {
  const long = word.length > LETTERS;
  for (let place = 0; place < LETTERS; place++) {
    const from = long && place >= BEGINNING ? word.length - LETTERS + place : place;
    into[offset + place] = from < word.length ? (NUMBERS[word.charCodeAt(from)] ?? OTHER) : 0;
  }
}

/** The number of a word in a lexicon, from 1; a new word is added. */
export function numberIn(lexicon: Map<string, number>, word: string): number {
  let number = lexicon.get(word);
  if (number === undefined) {
    number = lexicon.size + 1;
    lexicon.set(word, number);
  }
  return number;
}

/** Size of the hashed word table: recurring words also get an embedding of their own. */
export const KNOWN_WORDS = 2048;

export const knownNumber = (word: string): number => hashOf(word) & (KNOWN_WORDS - 1);

/** Size of the hashed vote table of instruction words; index 0 means no word. */
export const SPEAKING_WORDS = 1024;
export const speakingNumber = (word: string): number => 1 + ((hashOf(word) >>> 0) % (SPEAKING_WORDS - 1));

function hashOf(word: string): number {
  const hash = textHash(word);
  return hash ^ (hash >>> 15);
}
