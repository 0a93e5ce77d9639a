// Turns an observation into a row of tokens: one for the whole, then one for each word of the instruction, element, patch, recent
// action, line of a long text and remembered text. feeds.ts packs rows into a batch.

import type { Box } from '../../core/screen.ts';
import { elementSquareBytes, type Observation, SQUARE_AREA } from './observation.ts';
import { type ParsedInstruction, parseInstruction, type WordToken } from './parsed-instruction.ts';
import { linesOf, type ParsedText, parseText } from './screen-text.ts';
import type { Meaning, TokenFeatures, Tokens } from './token-features.ts';
import * as number from './token-numbers.ts';
import { TokenRow } from './token-row.ts';

/** With more lines, those of front elements are kept, from the beginning of each text. */
const MAX_LINES = 24;
/** With more remembered texts, the latest are kept: attention compares every pair of tokens. */
const MAX_MEMORY_TOKENS = 32;

export function tokensOf(observation: Observation): Tokens {
  const instruction = parseInstruction(observation.instruction);
  const names = observation.elements.map(({ name }) => parseText(name));
  const values = observation.elements.map(({ value }) => (value === '' ? EMPTY_TEXT : parseText(value)));
  const lines = linesIn(observation, names, values);
  const memories = observation.memory
    .flatMap(({ text, age }) => partsOf(text).map(part => ({ text: part, age })))
    .slice(0, MAX_MEMORY_TOKENS);
  const { elements, patches, recent } = observation;
  const words = instruction.tokens.length;
  const row = new TokenRow(
    1 + words + elements.length + patches.length + recent.length + lines.length + memories.length,
  );
  row.add({ sort: number.WHOLE });
  row.set(number.CHANGED, recent[0]?.changed === false ? 0 : 1);
  for (const [index, token] of instruction.tokens.entries()) addWord(row, token, 1 + index);
  let maxCoverage = 0;

  for (const [index, { role, name, value, states, box }] of elements.entries()) {
    const at = { kind: 'element', index: observation.firstElement + index, box } as const;
    const [nameRead, valueRead] = [names[index] ?? EMPTY_TEXT, values[index] ?? EMPTY_TEXT];
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
    row.setBox(box, observation.size);
    for (const state of states) row.set(number.FIRST_STATE + number.STATES.indexOf(state), 1);
    if (value === '') row.set(number.EMPTY, 1);
    maxCoverage = Math.max(maxCoverage, compare(row, instruction, nameRead, valueRead));
  }
  // The first token gets the best coverage of any element: below 1, no single element has all names of the instruction.
  row.set(number.COVERS, maxCoverage, 0);

  for (const [index, box] of patches.entries()) {
    row.add({ sort: number.PATCH, meaning: { at: { kind: 'patch', index, box } }, pointable: true });
    row.setBox(box, observation.size);
  }

  for (const [index, { kind, text, changed }] of recent.entries()) {
    const place = number.FIRST_PAST_PLACE + index;
    row.add({ sort: number.FIRST_PAST + kind, place, name: parseText(text).words, related: true });
    if (changed) row.set(number.CHANGED, 1);
  }

  for (const { text, place, box } of lines) {
    addText(row, instruction, { sort: number.LINE, place: number.FIRST_LINE + place, text });
    row.setBox(box, observation.size);
  }

  for (const { text, age } of memories) {
    const place = number.FIRST_AGE + Math.min(age, number.OLDEST);
    addText(row, instruction, { sort: number.MEMORY, place, text });
  }

  // Without element squares, the first square belongs to the first patch.
  const skipped = elementSquareBytes(observation) === 0 ? elements.length : 0;
  return row.finish(words, 1 + words + skipped, observation.squares);
}

/** Number of squares. */
export const squaresOf = ({ squares }: Pick<TokenFeatures, 'squares'>): number =>
  squares.length / SQUARE_AREA;

function addWord(row: TokenRow, { name, meaning, features, is }: WordToken, place: number): void {
  row.add({ sort: number.WORD, place, name: [name], meaning, related: is !== 'sign' });
  for (const feature of features) row.set(feature, 1);
  if (is === 'speaking') row.addTaskWord(name);
  else if (is === 'name') row.addName(name);
}

/** Sets the features that compare a token with the instruction. Returns the fraction of the instruction's names in the token. */
function compare(row: TokenRow, instruction: ParsedInstruction, name: ParsedText, value: ParsedText): number {
  if (name.words.length > 0 && instruction.line.includes(name.line)) row.set(number.NAMED, 1);
  if (value.words.length > 0 && instruction.line.includes(value.line)) row.set(number.VALUED, 1);
  if (name.words.length > 0)
    row.set(number.SHARE, countOf(name.words, instruction.words) / name.words.length);
  if (instruction.names.size === 0) return 0;
  let matches = 0;
  for (const each of instruction.names)
    if (name.words.includes(each) || value.words.includes(each)) matches += 1;
  const covered = matches / instruction.names.size;
  row.set(number.COVERS, covered);
  return covered;
}

function countOf(words: readonly string[], among: ReadonlySet<string>): number {
  let count = 0;
  for (const word of words) if (among.has(word)) count += 1;
  return count;
}

/** Meaning of a token that copies a text: whole, or the words that have slots, starting at `firstSlot`. */
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

/** Adds a token for a text that can be copied, whole or in part. */
function addText(
  row: TokenRow,
  instruction: ParsedInstruction,
  { sort, place, text }: { readonly sort: number; readonly place: number; readonly text: string },
): void {
  const parsed = parseText(text);
  const meaning = copying(text, parsed, 0, number.SLOTS_OF_WORDS);
  row.add({ sort, place, name: parsed.words, meaning, related: true });
  compare(row, instruction, parsed, EMPTY_TEXT);
}

const EMPTY_TEXT = parseText('');

/** Lines of texts that have more words than an element's own token holds. */
function linesIn(
  { elements }: Observation,
  names: readonly ParsedText[],
  values: readonly ParsedText[],
): readonly { text: string; place: number; box: Box }[] {
  const kept: { text: string; place: number; box: Box }[][] = [];
  let room = MAX_LINES;
  for (let index = elements.length - 1; index >= 0; index--) {
    const { name = '', value = '', box } = elements[index] ?? {};
    const [text, words, slots] =
      value === ''
        ? [name, names[index]?.words, number.SLOTS_OF_WORDS]
        : [value, values[index]?.words, number.VALUE_WORDS];
    if (box === undefined || words === undefined || words.length <= slots) continue;
    const lines = linesOf(text).slice(0, room);
    room -= lines.length;
    kept.unshift(lines.map((line, at) => ({ text: line, place: Math.min(at, number.LAST_LINE), box })));
  }
  return kept.flat();
}

/** The text if one token holds it, else its lines. */
const partsOf = (text: string): readonly string[] =>
  parseText(text).words.length <= number.SLOTS_OF_WORDS ? [text] : linesOf(text);
