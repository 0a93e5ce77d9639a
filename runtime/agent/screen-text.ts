// How the texts of a screen are read: their words in plain spelling, where each of them stands, and the lines of what is too
// long for one token.

import { SLOTS_OF_WORDS } from './token-numbers.ts';
import { plain, wordsOf } from './word-tokenizer.ts';

export interface ParsedText {
  /** Plain; signs only where there is nothing else, as on the keys of a calculator. */
  readonly words: readonly string[];
  /** Where each word stands in the text. */
  readonly spans: readonly TextSpan[];
  /** The words with a blank before, between and after them. */
  readonly line: string;
}

/** The characters from `start` up to, and without, `end`. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** Texts recur from screen to screen, so what was read once is kept for a while: so many that one in a hundred is read anew. */
const CACHE = new Map<string, ParsedText>();
const MAX_CACHED_TEXTS = 8000;
/** Nobody reads a book in one look. */
const MAX_WORDS_PER_TEXT = 500;

export function parseText(text: string): ParsedText {
  const known = CACHE.get(text);
  if (known !== undefined) return known;
  const all = wordsOf(text).slice(0, MAX_WORDS_PER_TEXT);
  const proper = all.filter(({ isSign }) => !isSign);
  const found = proper.length > 0 ? proper : all;
  const words = found.map(({ text: word }) => plain(word));
  const spans = found.map(({ start, end }) => ({ start, end }));
  const made = { words, spans, line: ` ${words.join(' ')} ` };
  if (CACHE.size >= MAX_CACHED_TEXTS) CACHE.clear();
  CACHE.set(text, made);
  return made;
}

/** A long text by its sentences and line breaks, in pieces that one token can hold. */
export function linesOf(text: string): readonly string[] {
  return text.split(/\n+|(?<=[.?!;]) +/).flatMap(sentence => {
    const { spans } = parseText(sentence);
    const count = Math.ceil(spans.length / SLOTS_OF_WORDS);
    return Array.from({ length: count }, (_, index) => {
      const words = spans.slice(index * SLOTS_OF_WORDS, (index + 1) * SLOTS_OF_WORDS);
      return sentence.slice(words[0]?.start, words.at(-1)?.end);
    });
  });
}
