// What an instruction asks for: its words, what each of them is like, and which of them name something.

import { parseText } from './screen-text.ts';
import * as number from './token-numbers.ts';
import type { Meaning } from './tokens.ts';
import { plain, type Word, wordsOf } from './word-tokenizer.ts';

export interface ParsedInstruction {
  /** Its words with a blank before, between and after them. */
  readonly line: string;
  readonly words: ReadonlySet<string>;
  /** Those of them that are names. */
  readonly names: ReadonlySet<string>;
  /** What each of the first words is as a token, in their order. */
  readonly tokens: readonly WordToken[];
}

/** A word of the instruction, in plain spelling. */
export interface WordToken {
  readonly name: string;
  readonly meaning: Meaning;
  /** The features that it has. */
  readonly features: readonly number[];
  /** Whether it says what to do, names something, or is a sign. */
  readonly is: 'speaking' | 'name' | 'sign';
}

/** An instruction is read with each of an episode's screens, and whenever one of them is learned from. */
const ASKED = new Map<string, ParsedInstruction>();
const MOST_ASKED = 1000;

export function parseInstruction(instruction: string): ParsedInstruction {
  const known = ASKED.get(instruction);
  if (known !== undefined) return known;
  const all = wordsOf(instruction).slice(0, number.MAX_WORDS);
  const tokens = all.map((word, index) => wordToken(word, index, all));
  const { words, line } = parseText(instruction);
  const names = tokens.filter(({ is }) => is === 'name').map(({ name }) => name);
  const asked = { line, words: new Set(words), names: new Set(names), tokens };
  if (ASKED.size >= MOST_ASKED) ASKED.clear();
  ASKED.set(instruction, asked);
  return asked;
}

function wordToken(word: Word, index: number, instruction: readonly Word[]): WordToken {
  const { text, quoted, isSign } = word;
  const capital = /^\p{Lu}/u.test(text);
  const isNamed = capital && text.length > 1 && !beginsSentence(instruction, index);
  const digits = /^\d+$/.test(text);
  const features: readonly (readonly [feature: number, has: boolean])[] = [
    [number.QUOTED, quoted],
    [number.OPENS, quoted && instruction[index - 1]?.quoted !== true],
    [number.CLOSES, quoted && instruction[index + 1]?.quoted !== true],
    [number.SIGN, isSign],
    [number.CAPITAL, capital],
    [number.DIGITS, digits],
  ];
  return {
    name: plain(text),
    meaning: { text, word },
    features: features.filter(([, has]) => has).map(([feature]) => feature),
    is: isSign ? 'sign' : quoted || digits || isNamed ? 'name' : 'speaking',
  };
}

/** There, a capital says nothing. */
const beginsSentence = (instruction: readonly Word[], index: number): boolean =>
  index === 0 || /^[.!?:]$/.test(instruction[index - 1]?.text ?? '');
