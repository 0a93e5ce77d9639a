// How a text is cut into words, and a word into characters. Words are composed of characters, so that one that never occurred
// in training can still be read and matched. Signs are words of their own; quotation marks are not, but are remembered.

export interface Word {
  readonly text: string;
  /** Its place in the text: the characters from `start` up to, and without, `end`. */
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

/** With its first letter as a sentence begins. */
export const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** So many characters of a word are read; a longer one is known by its beginning and its end. */
export const LETTERS = 12;
const BEGINNING = 8;

/** 0 stands for no character; each lower-case letter, digit and ASCII sign has a number; one is shared by all others. */
export const ALPHABET = 72;
const OTHER = ALPHABET - 1;

const CHARACTERS = 'abcdefghijklmnopqrstuvwxyz0123456789!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';
/** By the code of each character of ASCII. */
const NUMBERS = Uint8Array.from({ length: 128 }, (_, code) => {
  const place = CHARACTERS.indexOf(String.fromCharCode(code));
  return place < 0 ? OTHER : 1 + place;
});

/** Letters count alike in either case and with any accent; numbers count alike with zeros before them, as in dates. */
export const plain = (word: string): string =>
  UNADORNED.test(word)
    ? word.toLowerCase()
    : word
        .toLowerCase()
        .normalize('NFD')
        .replace(/\p{M}/gu, '')
        .replace(/^0+(?=\d)/, '');

/** As most words are, which takes a third of the time. */
const UNADORNED = /^[A-Za-z]+$/;

/** The numbers of a plain word's characters, written to a row of a table. */
export function spell(word: string, into: Int32Array | Uint8Array, offset: number): void {
  const long = word.length > LETTERS;
  for (let place = 0; place < LETTERS; place++) {
    const from = long && place >= BEGINNING ? word.length - LETTERS + place : place;
    into[offset + place] = from < word.length ? (NUMBERS[word.charCodeAt(from)] ?? OTHER) : 0;
  }
}

/** Words that recur are also known by heart: each has a number, which it may share with others. */
export const KNOWN_WORDS = 2048;

export const knownNumber = (word: string): number => mixed(word) & (KNOWN_WORDS - 1);

/** Those of an instruction also speak for actions by themselves, and have numbers for that, from 1 on. */
export const SPEAKING_WORDS = 1024;
export const speakingNumber = (word: string): number => 1 + ((mixed(word) >>> 0) % (SPEAKING_WORDS - 1));

/** A number that looks random, and is the same for the same word. */
function mixed(word: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < word.length; index++)
    hash = Math.imul(hash ^ word.charCodeAt(index), 0x01000193);
  return hash ^ (hash >>> 15);
}
