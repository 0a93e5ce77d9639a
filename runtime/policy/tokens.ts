// What is shown to a policy as a row of tokens: one for the whole, one for each word of the instruction, each element, each
// patch, each thing done lately, each line of a long text and each text remembered. Numbers only from here on; feeds.ts puts many
// rows into one batch.

import type { Box } from '../contracts/screen.ts';
import { Row } from './row.ts';
import { glimpsedIn, type Seen, SQUARE_AREA } from './seen.ts';
import { linesOf, type Read, read, type Span } from './texts.ts';
import * as number from './token-numbers.ts';
import { plain, type Word, wordsOf } from './words.ts';

/** As numbers only, which is all that is learned from. */
export interface Numbered {
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
export interface Tokens extends Numbered {
  /** For each token what it points at and what it copies. */
  readonly meanings: readonly Meaning[];
}

export interface Meaning {
  readonly at?: { readonly kind: 'element' | 'patch'; readonly index: number; readonly box: Box } | undefined;
  /** The text that copying all of it writes. */
  readonly text?: string;
  /** Where in it the words are that can be copied without the others; the first of them is this one of the token's words. */
  readonly spans?: { readonly first: number; readonly each: readonly Span[] };
  /** Where a word of the instruction stands in it. */
  readonly word?: Word | undefined;
}

/** Of more lines than these, those of texts in front are kept, from their beginnings. */
const MOST_LINES = 24;

export function tokensOf(seen: Seen): Tokens {
  const instruction = wordsOf(seen.instruction).slice(0, number.MOST_WORDS);
  const lines = linesIn(seen);
  const memories = seen.memory.flatMap(({ text, age }) => pieces(text).map(piece => ({ text: piece, age })));
  const counts = [1, instruction, seen.elements, seen.patches, seen.recent, lines, memories].map(each =>
    typeof each === 'number' ? each : each.length,
  );
  const row = new Row(counts.reduce((sum, each) => sum + each, 0));
  row.add({ sort: number.WHOLE });
  row.set(number.CHANGED, seen.recent[0]?.changed === false ? 0 : 1);
  const asked = addInstruction(row, instruction, read(seen.instruction));
  let mostCovered = 0;

  for (const [index, element] of seen.elements.entries()) {
    const { role, name, value, states, box } = element;
    const [nameRead, valueRead] = [read(name), read(value)];
    const text = value === '' ? name : value;
    const copied =
      value === ''
        ? { text, read: nameRead, firstSlot: 0, slots: number.SLOTS_OF_WORDS }
        : { text, read: valueRead, firstSlot: number.NAME_WORDS, slots: number.VALUE_WORDS };
    row.add({
      sort: number.ROLE_NUMBERS.get(role) ?? number.FIRST_ROLE,
      name: nameRead.words,
      value: valueRead.words,
      meaning: { at: { kind: 'element', index: seen.firstElement + index, box } },
      copied: text === '' ? undefined : copied,
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

  for (const [index, box] of seen.patches.entries()) {
    row.add({ sort: number.PATCH, meaning: { at: { kind: 'patch', index, box } }, pointable: true });
    row.put(box, seen.size);
  }

  for (const [index, { kind, text, changed }] of seen.recent.entries()) {
    const place = number.FIRST_PAST_PLACE + index;
    row.add({ sort: number.FIRST_PAST + kind, place, name: read(text).words, related: true });
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
  const skipped = glimpsedIn(seen) === 0 ? seen.elements.length : 0;
  return row.finished(instruction.length, 1 + instruction.length + skipped, seen.squares);
}

/** How many tokens a number of squares is for. */
export const squaresOf = ({ squares }: Pick<Numbered, 'squares'>): number => squares.length / SQUARE_AREA;

/** What an instruction asks for: its words, and those of them that are names. */
interface Asked {
  readonly line: string;
  readonly words: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
}

function addInstruction(row: Row, instruction: readonly Word[], { words, line }: Read): Asked {
  const names = new Set<string>();
  for (const [index, word] of instruction.entries()) {
    const name = plain(word.text);
    const { quoted, isSign } = word;
    row.add({
      sort: number.WORD,
      place: 1 + index,
      name: [name],
      meaning: { text: word.text, word },
      related: !isSign,
    });
    const capital = /^\p{Lu}/u.test(word.text);
    const isNamed = capital && word.text.length > 1 && !beginsSentence(instruction, index);
    const digits = /^\d+$/.test(word.text);
    if (quoted) {
      row.set(number.QUOTED, 1);
      if (instruction[index - 1]?.quoted !== true) row.set(number.OPENS, 1);
      if (instruction[index + 1]?.quoted !== true) row.set(number.CLOSES, 1);
    }
    if (isSign) row.set(number.SIGN, 1);
    if (capital) row.set(number.CAPITAL, 1);
    if (digits) row.set(number.DIGITS, 1);
    if (isSign) continue;
    if (!quoted && !digits && !isNamed) row.speaks(name);
    else {
      row.isName(name);
      names.add(name);
    }
  }
  return { line, words: new Set(words), names };
}

/** There, a capital says nothing. */
const beginsSentence = (instruction: readonly Word[], index: number): boolean =>
  index === 0 || /^[.!?:]$/.test(instruction[index - 1]?.text ?? '');

/** How much of what a token says the instruction says, and the other way round: the share of its names that the token has. */
function compare(row: Row, asked: Asked, name: Read, value: Read): number {
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

/** A text that can be copied, whole or in part. */
function addText(
  row: Row,
  asked: Asked,
  { sort, place, text }: { readonly sort: number; readonly place: number; readonly text: string },
): void {
  const it = read(text);
  row.add({
    sort,
    place,
    name: it.words,
    copied: { text, read: it, firstSlot: 0, slots: number.SLOTS_OF_WORDS },
    related: true,
  });
  compare(row, asked, it, NOTHING_READ);
}

const NOTHING_READ = read('');

/** The lines of texts of which an element's own token does not hold all words. */
function linesIn({ elements }: Seen): readonly { text: string; place: number; box: Box }[] {
  const kept: { text: string; place: number; box: Box }[][] = [];
  let room = MOST_LINES;
  for (const { name, value, box } of elements.toReversed()) {
    const [text, held] = value === '' ? [name, number.SLOTS_OF_WORDS] : [value, number.VALUE_WORDS];
    if (read(text).words.length <= held) continue;
    const lines = linesOf(text).slice(0, room);
    room -= lines.length;
    kept.unshift(lines.map((line, index) => ({ text: line, place: Math.min(index, number.LAST_LINE), box })));
  }
  return kept.flat();
}

/** A text as it is where one token holds it, else its lines. */
const pieces = (text: string): readonly string[] =>
  read(text).words.length <= number.SLOTS_OF_WORDS ? [text] : linesOf(text);
