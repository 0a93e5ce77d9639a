// Parses texts of a screen into words in plain spelling with their positions, and splits texts that are too long for one token.

import { SLOTS_OF_WORDS } from './token-numbers.ts';
import { plain, wordsOf } from './word-tokenizer.ts';

export interface ParsedText {
  /** In plain spelling; signs only if the text has nothing else, like a calculator key. */
  readonly words: readonly string[];
  /** Position of each word in the text. */
  readonly spans: readonly TextSpan[];
  /** The words joined with blanks, with a blank at both ends. */
  readonly line: string;
}

/** Characters from `start` (inclusive) to `end` (exclusive). */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** Texts recur from screen to screen. With this size about 1 % of lookups miss. */
const CACHE = new Map<string, ParsedText>();
const MAX_CACHED_TEXTS = 8000;
/** Further words of a text are ignored. */
const MAX_WORDS_PER_TEXT = 500;

export function parseText(text: string): ParsedText {
  const cached = CACHE.get(text);
  if (cached !== undefined) return cached;
  const all = wordsOf(text).slice(0, MAX_WORDS_PER_TEXT);
  const proper = all.filter(({ isSign }) => !isSign);
  const found = proper.length > 0 ? proper : all;
  const words = found.map(({ text: word }) => plain(word));
  const spans = found.map(({ start, end }) => ({ start, end }));
  const parsed = { words, spans, line: ` ${words.join(' ')} ` };
  if (CACHE.size >= MAX_CACHED_TEXTS) CACHE.clear();
  CACHE.set(text, parsed);
  return parsed;
}

/** Splits a long text at sentences and line breaks into parts that fit one token. */
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
