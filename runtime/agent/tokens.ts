// What is shown to a policy as a row of tokens: one for the whole, one for each word of the instruction, each element, each
// patch, each thing done lately, each line of a long text and each text remembered. Numbers only from here on; feeds.ts puts many
// rows into one batch.

import type { Box } from '../core/screen.ts';
import { elementSquareBytes, type Observation, SQUARE_AREA } from './observation.ts';
import { type ParsedInstruction, parseInstruction, type WordToken } from './parsed-instruction.ts';
import { linesOf, type ParsedText, parseText, type TextSpan } from './screen-text.ts';
import * as number from './token-numbers.ts';
import { TokenRow } from './token-row.ts';
import type { Word } from './word-tokenizer.ts';

/** As numbers only, which is all that is learned from. */
export interface TokenFeatures {
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
  /** Those of words that say what to do: neither quoted nor a number nor a sign. */
  readonly speaking: readonly number[];
  /** Pairs of tokens that share words, with how much that says: from, to, weight. */
  readonly related: Float32Array;
  /** One square for each token from `firstSquare` on: the elements and the patches. */
  readonly firstSquare: number;
  readonly squares: Uint8Array;
  readonly pointable: Uint8Array;
  readonly copyable: Uint8Array;
  /** Which words of each token can be copied without the others. */
  readonly sayable: Uint8Array;
}

/** For whoever acts on what is chosen. */
export interface Tokens extends TokenFeatures {
  /** For each token what it points at and what it copies. */
  readonly meanings: readonly Meaning[];
}

export interface Meaning {
  readonly at?: { readonly kind: 'element' | 'patch'; readonly index: number; readonly box: Box } | undefined;
  /** The text that copying all of it writes. */
  readonly text?: string;
  /** Where in it the words are that can be copied without the others; the first of them is this one of the token's words. */
  readonly spans?: { readonly first: number; readonly each: readonly TextSpan[] };
  /** Where a word of the instruction stands in it. */
  readonly word?: Word | undefined;
}

/** Of more lines than these, those of texts in front are kept, from their beginnings. */
const MOST_LINES = 24;
/** Of what is remembered, what was seen last: a screen full of text is many lines, and each token is compared with each other. */
const MOST_REMEMBERED = 32;

export function tokensOf(seen: Observation): Tokens {
  const asked = parseInstruction(seen.instruction);
  const names = seen.elements.map(({ name }) => parseText(name));
  const values = seen.elements.map(({ value }) => (value === '' ? NOTHING_READ : parseText(value)));
  const lines = linesIn(seen, names, values);
  const memories = seen.memory
    .flatMap(({ text, age }) => pieces(text).map(piece => ({ text: piece, age })))
    .slice(0, MOST_REMEMBERED);
  const { elements, patches, recent } = seen;
  const words = asked.tokens.length;
  const row = new TokenRow(
    1 + words + elements.length + patches.length + recent.length + lines.length + memories.length,
  );
  row.add({ sort: number.WHOLE });
  row.set(number.CHANGED, recent[0]?.changed === false ? 0 : 1);
  for (const [index, token] of asked.tokens.entries()) addWord(row, token, 1 + index);
  let mostCovered = 0;

  for (const [index, { role, name, value, states, box }] of elements.entries()) {
    const at = { kind: 'element', index: seen.firstElement + index, box } as const;
    const [nameRead, valueRead] = [names[index] ?? NOTHING_READ, values[index] ?? NOTHING_READ];
    row.add({
      sort: number.ROLE_NUMBERS.get(role) ?? number.FIRST_ROLE,
      name: nameRead.words,
      value: valueRead.words,
      meaning:
        value === ''
          ? copying(name, nameRead, 0, number.SLOTS_OF_WORDS, at)
          : copying(value, valueRead, number.NAME_WORDS, number.VALUE_WORDS, at),
      pointable: true,
      related: true,
    });
    row.put(box, seen.size);
    for (const state of states) row.set(number.FIRST_STATE + number.STATES.indexOf(state), 1);
    if (value === '') row.set(number.EMPTY, 1);
    mostCovered = Math.max(mostCovered, compare(row, asked, nameRead, valueRead));
  }
  // Whether all that is named is to be seen in one place: of what is not there, nothing can be done.
  row.set(number.COVERS, mostCovered, 0);

  for (const [index, box] of patches.entries()) {
    row.add({ sort: number.PATCH, meaning: { at: { kind: 'patch', index, box } }, pointable: true });
    row.put(box, seen.size);
  }

  for (const [index, { kind, text, changed }] of recent.entries()) {
    const place = number.FIRST_PAST_PLACE + index;
    row.add({ sort: number.FIRST_PAST + kind, place, name: parseText(text).words, related: true });
    if (changed) row.set(number.CHANGED, 1);
  }

  for (const { text, place, box } of lines) {
    addText(row, asked, { sort: number.LINE, place: number.FIRST_LINE + place, text });
    row.put(box, seen.size);
  }

  for (const { text, age } of memories) {
    const place = number.FIRST_AGE + Math.min(age, number.OLDEST);
    addText(row, asked, { sort: number.MEMORY, place, text });
  }

  // Without glimpses, the squares do not begin where the elements do.
  const skipped = elementSquareBytes(seen) === 0 ? elements.length : 0;
  return row.finished(words, 1 + words + skipped, seen.squares);
}

/** How many tokens a number of squares is for. */
export const squaresOf = ({ squares }: Pick<TokenFeatures, 'squares'>): number =>
  squares.length / SQUARE_AREA;

function addWord(row: TokenRow, { name, meaning, features, is }: WordToken, place: number): void {
  row.add({ sort: number.WORD, place, name: [name], meaning, related: is !== 'sign' });
  for (const feature of features) row.set(feature, 1);
  if (is === 'speaking') row.speaks(name);
  else if (is === 'name') row.isName(name);
}

/** How much of what a token says the instruction says, and the other way round: the share of its names that the token has. */
function compare(row: TokenRow, asked: ParsedInstruction, name: ParsedText, value: ParsedText): number {
  if (name.words.length > 0 && asked.line.includes(name.line)) row.set(number.NAMED, 1);
  if (value.words.length > 0 && asked.line.includes(value.line)) row.set(number.VALUED, 1);
  if (name.words.length > 0) row.set(number.SHARE, countOf(name.words, asked.words) / name.words.length);
  if (asked.names.size === 0) return 0;
  let had = 0;
  for (const each of asked.names) if (name.words.includes(each) || value.words.includes(each)) had += 1;
  const covered = had / asked.names.size;
  row.set(number.COVERS, covered);
  return covered;
}

function countOf(words: readonly string[], among: ReadonlySet<string>): number {
  let count = 0;
  for (const word of words) if (among.has(word)) count += 1;
  return count;
}

/** What a token means that copies a text whole, or the words of it that have slots, the first of them in `firstSlot`. */
function copying(
  text: string,
  { spans }: ParsedText,
  firstSlot: number,
  slots: number,
  at?: Meaning['at'],
): Meaning {
  if (text === '') return { at };
  const each = spans.length > slots ? spans.slice(0, slots) : spans;
  return { at, text, spans: { first: firstSlot, each } };
}

/** A text that can be copied, whole or in part. */
function addText(
  row: TokenRow,
  asked: ParsedInstruction,
  { sort, place, text }: { readonly sort: number; readonly place: number; readonly text: string },
): void {
  const it = parseText(text);
  const meaning = copying(text, it, 0, number.SLOTS_OF_WORDS);
  row.add({ sort, place, name: it.words, meaning, related: true });
  compare(row, asked, it, NOTHING_READ);
}

const NOTHING_READ = parseText('');

/** The lines of texts of which an element's own token does not hold all words. */
function linesIn(
  { elements }: Observation,
  names: readonly ParsedText[],
  values: readonly ParsedText[],
): readonly { text: string; place: number; box: Box }[] {
  const kept: { text: string; place: number; box: Box }[][] = [];
  let room = MOST_LINES;
  for (let index = elements.length - 1; index >= 0; index--) {
    const { name = '', value = '', box } = elements[index] ?? {};
    const [text, words, held] =
      value === ''
        ? [name, names[index]?.words, number.SLOTS_OF_WORDS]
        : [value, values[index]?.words, number.VALUE_WORDS];
    if (box === undefined || words === undefined || words.length <= held) continue;
    const lines = linesOf(text).slice(0, room);
    room -= lines.length;
    kept.unshift(lines.map((line, at) => ({ text: line, place: Math.min(at, number.LAST_LINE), box })));
  }
  return kept.flat();
}

/** A text as it is where one token holds it, else its lines. */
const pieces = (text: string): readonly string[] =>
  parseText(text).words.length <= number.SLOTS_OF_WORDS ? [text] : linesOf(text);
