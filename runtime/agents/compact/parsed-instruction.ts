// Parses an instruction: its words, their features, and which of them are names.

import { at } from '../../core/at.ts';
import { parseText } from './screen-text.ts';
import type { Meaning } from './token-features.ts';
import * as number from './token-numbers.ts';
import { plain, type Word, wordsOf } from './word-tokenizer.ts';

export interface ParsedInstruction {
  /** The words joined with blanks, with a blank at both ends. */
  readonly line: string;
  readonly words: ReadonlySet<string>;
  /** The words that are names. */
  readonly names: ReadonlySet<string>;
  /** The first MAX_WORDS words as tokens, in order. */
  readonly tokens: readonly WordToken[];
}

/** A word of the instruction; `name` is its plain spelling. */
export interface WordToken {
  readonly name: string;
  readonly meaning: Meaning;
  /** Indices of its features. */
  readonly features: readonly number[];
  /** A word about the task, a name, or a sign. */
  readonly is: 'speaking' | 'name' | 'sign';
}

/** Every screen of an episode and every training sample parses the instruction again. */
const CACHE = new Map<string, ParsedInstruction>();
const MAX_CACHED_INSTRUCTIONS = 1000;

export function parseInstruction(instruction: string): ParsedInstruction {
  const cached = CACHE.get(instruction);
  if (cached !== undefined) return cached;
  const all = wordsOf(instruction).slice(0, number.MAX_WORDS);
  const tokens = all.map((word, index) => wordToken(word, index, all));
  const { words, line } = parseText(instruction);
  const names = tokens.filter(({ is }) => is === 'name').map(({ name }) => name);
  const parsed = { line, words: new Set(words), names: new Set(names), tokens };
  if (CACHE.size >= MAX_CACHED_INSTRUCTIONS) CACHE.clear();
  CACHE.set(instruction, parsed);
  return parsed;
}

function wordToken(word: Word, index: number, instruction: readonly Word[]): WordToken {
  const { text, quoted, isSign } = word;
  const capital = /^\p{Lu}/u.test(text);
  const isNamed = (capital && text.length > 1 && !beginsSentence(instruction, index)) || isCode(text);
  const opens = quoted && instruction[index - 1]?.quoted !== true;
  const closes = quoted && instruction[index + 1]?.quoted !== true;
  const isQuoted = quoted && !(opens && closes && WIDGETS.has(plain(text)));
  const digits = /^\d+$/.test(text);
  const features: readonly (readonly [feature: number, has: boolean])[] = [
    [number.QUOTED, quoted],
    [number.OPENS, opens],
    [number.CLOSES, closes],
    [number.SIGN, isSign],
    [number.CAPITAL, capital],
    [number.DIGITS, digits],
  ];
  return {
    name: plain(text),
    meaning: { text, word },
    features: features.filter(([, has]) => has).map(([feature]) => feature),
    is: isSign ? 'sign' : isQuoted || digits || isNamed ? 'name' : 'speaking',
  };
}

/** A kind of element that is quoted alone is no name: 'a "radio" widget'. */
const WIDGETS: ReadonlySet<string> = new Set([...number.ROLE_NUMBERS.keys(), 'text']);

/** Such as kKj or B12, but not 2nd: a word with capitals inside, or of letters and digits. */
const isCode = (text: string): boolean =>
  /\p{Ll}\p{Lu}|\p{L}\p{N}|\p{N}\p{L}/u.test(text) && !/^\d+(st|nd|rd|th)$/.test(text);

/** At the beginning of a sentence, a capital letter does not mark a name. */
const beginsSentence = (instruction: readonly Word[], index: number): boolean =>
  index === 0 || /^[.!?:]$/.test(at(instruction, index - 1).text);
