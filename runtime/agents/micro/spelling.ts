// What the model sees of a token beside its number: the word that it belongs to, its line and its place. Equal words are equal for the
// network whatever they are, so that it can match names that it has never seen.

import { textHash } from '../../core/text-hash.ts';
import { plain } from '../compact/word-tokenizer.ts';
import { tokenize } from './tokenizer.ts';
import { END, PIECES } from './vocabulary.ts';

/** A row of tokens as flat arrays; one entry for each token. */
export interface SpelledTokens {
  readonly ids: readonly number[];
  /** The plain spelling of the token's word; '' for a token that is no part of a word. */
  readonly words: readonly string[];
  /** The number of the line, from 0. */
  readonly lines: readonly number[];
  /** The position in the line, from 0. */
  readonly places: readonly number[];
}

/** Tokens of nothing but a word or a part of it. Other tokens, such as `"\n`, have meanings of their own. */
const WORDY = /^ ?[\p{L}\p{N}]+$/u;
const WORDS = /[\p{L}\p{N}]+/gu;

/** At the start of a line it numbers an element of a list, and is no word of a text. */
const NUMBER = /^\d+$/;

/** By token: the piece, or undefined if it is no part of a word. */
const PARTS: readonly (string | undefined)[] = PIECES.map(piece => (WORDY.test(piece) ? piece : undefined));

/** The tokens of a whole text: each belongs to a whole word. */
export function spellText(text: string): SpelledTokens {
  const tokens = tokenize(text);
  const spans = [...text.matchAll(WORDS)].map(({ 0: word, index }) => ({
    word: plain(word),
    end: index + word.length,
  }));
  const [words, lines, places]: [string[], number[], number[]] = [[], [], []];
  let [line, place, span] = [0, 0, 0];
  for (const { id, end } of tokens) {
    while (span < spans.length && (spans[span]?.end ?? 0) < end) span++;
    const isListNumber = place === 0 && NUMBER.test(PIECES[id] ?? '');
    words.push(PARTS[id] === undefined || isListNumber ? '' : (spans[span]?.word ?? ''));
    lines.push(line);
    places.push(place);
    place += 1;
    // The break ends its line, so that the tokens `"\n` belong to what they close.
    if (PIECES[id]?.includes('\n') === true) {
      line += 1;
      place = 0;
    }
  }
  return { ids: tokens.map(({ id }) => id), words, lines, places };
}

/** The tokens of a reply, one after another: the word of a token is as long as the reply is then. */
export class ReplySpelling {
  #word = '';
  #place = 0;

  add(id: number): { readonly word: string; readonly place: number } {
    const part = PARTS[id];
    const place = this.#place;
    this.#place += 1;
    if (part === undefined || id === END) this.#word = '';
    else this.#word = part.startsWith(' ') ? part.slice(1) : this.#word + part;
    return { word: this.#word === '' ? '' : plain(this.#word), place };
  }
}

/** Never 0: 0 means no key. */
export const keyOf = (text: string): number => textHash(text) | 1;

/** By token: equal for spellings that differ only in a space or a capital. */
const KEYS = Int32Array.from(PIECES, (piece, id) =>
  WORDY.test(piece) ? keyOf(piece.trim().toLowerCase()) : keyOf(`#${id}`),
);

/** The key of a token, for copies that continue where an equal token stands. */
export const tokenKey = (id: number): number => KEYS[id] ?? 0;

/** The key of two tokens in a row. */
export const pairKey = (before: number, id: number): number =>
  (Math.imul(tokenKey(before) ^ 0x9e3779b9, 0x01000193) ^ tokenKey(id)) | 1;
