// The texts of a row of tokens: the lines of long ones, what is remembered, and which words can be copied without the others.

import { describe, expect, test } from 'vitest';
import { linesOf } from '../../../runtime/agents/compact/screen-text.ts';
import { tokenAt } from '../../../runtime/agents/compact/token-at.ts';
import type { Tokens } from '../../../runtime/agents/compact/token-features.ts';
import {
  FIRST_AGE,
  FIRST_LINE,
  LAST_LINE,
  LINE,
  MEMORY,
  NAME_WORDS,
  OLDEST,
  SLOTS_OF_WORDS,
  VALUE_WORDS,
} from '../../../runtime/agents/compact/token-numbers.ts';
import { plain } from '../../../runtime/agents/compact/word-tokenizer.ts';
import { element, pocketRows, tokens } from './screens.ts';

const LETTER = 'Dear Ada,\nthe train leaves at 9:30. Bring the red book!\nYours, Hugo';
const LINES = ['Dear Ada', 'the train leaves at 9:30', 'Bring the red book', 'Yours, Hugo'];
const sheet = (value: string, name = 'Text') =>
  element({ role: 'textarea', name, value, box: [20, 20, 200, 100] });
const numbered = (count: number, name = 'w') =>
  Array.from({ length: count }, (_, index) => `${name}${index}`).join(' ');

const ofSort = ({ sorts }: Tokens, sort: number): readonly number[] =>
  [...sorts.keys()].filter(token => sorts[token] === sort);
const textsOf = (row: Tokens, sort: number) => ofSort(row, sort).map(token => row.meanings[token]?.text);
const placesOf = (row: Tokens, sort: number) => ofSort(row, sort).map(token => row.places[token]);

/** The words of a token that can be copied without the others. */
const said = ({ sayable, spelled, lexicon }: Tokens, token: number): readonly (string | undefined)[] =>
  Array.from({ length: SLOTS_OF_WORDS }, (_, slot) => token * SLOTS_OF_WORDS + slot)
    .filter(at => sayable[at] === 1)
    .map(at => lexicon[(spelled[at] ?? 0) - 1]);

describe('a long text', () => {
  const row = tokens('Answer it', [sheet(LETTER), element({ name: 'Send' })]);
  const lines = ofSort(row, LINE);

  test('has a token for each line, which copies that line', () => {
    expect(textsOf(row, LINE)).toEqual(LINES);
    expect(LINES).toEqual(linesOf(LETTER));
  });

  test('keeps the token of its element, which copies all of it', () => {
    expect(row.meanings[3]).toMatchObject({ at: { kind: 'element', index: 0 }, text: LETTER });
    expect(row.count).toBe(1 + 2 + 2 + LINES.length);
  });

  test('has lines that are copyable but not pointable', () => {
    for (const token of lines) {
      expect([row.copyable[token], row.pointable[token]]).toEqual([1, 0]);
      expect(row.meanings[token]?.at).toBeUndefined();
    }
    expect(tokenAt(row, { x: 100, y: 60 })).toBe(3);
  });

  test('gives each line a place by its number; the last lines share one', () => {
    expect(placesOf(row, LINE)).toEqual([0, 1, 2, 3].map(at => FIRST_LINE + at));
    const longer = tokens('', [sheet(numbered(12).replaceAll(' ', '\n'))]);
    expect(placesOf(longer, LINE)).toEqual(
      Array.from({ length: 12 }, (_, at) => FIRST_LINE + Math.min(at, LAST_LINE)),
    );
  });

  test('numbers its lines independently of other texts', () => {
    const two = tokens('', [sheet(LETTER), sheet('One two three.\nFour five.')]);
    expect(placesOf(two, LINE)).toEqual([0, 1, 2, 3, 0, 1].map(at => FIRST_LINE + at));
  });

  test('is a value or name that exceeds the token of its element', () => {
    const linesWith = (given: Parameters<typeof element>[0]) => textsOf(tokens('', [element(given)]), LINE);
    expect(linesWith({ name: 'Note', value: numbered(VALUE_WORDS) })).toEqual([]);
    expect(linesWith({ name: 'Note', value: numbered(VALUE_WORDS + 1) })).toEqual([
      numbered(VALUE_WORDS + 1),
    ]);
    expect(linesWith({ name: numbered(SLOTS_OF_WORDS) })).toEqual([]);
    expect(linesWith({ name: numbered(SLOTS_OF_WORDS + 1) })).toEqual([
      numbered(SLOTS_OF_WORDS),
      `w${SLOTS_OF_WORDS}`,
    ]);
    // Where there is a value, the name is not what is copied.
    expect(linesWith({ name: numbered(SLOTS_OF_WORDS + 1), value: 'Ada' })).toEqual([]);
  });

  test('with too many lines keeps the first lines of front texts, in order', () => {
    const sheets = [0, 1, 2].map(at => sheet(numbered(20, `s${at}w`).replaceAll(' ', '\n')));
    const [, middle = [], front = []] = sheets.map(({ value }) => linesOf(value));
    const kept = textsOf(tokens('', sheets), LINE);
    expect(kept.length).toBeGreaterThan(20);
    expect(kept).toEqual([...middle.slice(0, kept.length - front.length), ...front]);
  });
});

test('a row of short texts has no lines', () => {
  const row = tokens('Go', [element({ name: 'Save as' }), sheet('Ada Abel')], {
    memory: [{ text: 'Total 12', age: 1 }],
  });
  expect(ofSort(row, LINE)).toEqual([]);
});

describe('a remembered text', () => {
  const remembered = (text: string, age = 1) => tokens('', [], { memory: [{ text, age }] });

  test('is one token if it is short', () => {
    const row = remembered('Total: 12.50 EUR!', 3);
    expect(textsOf(row, MEMORY)).toEqual(['Total: 12.50 EUR!']);
    expect(placesOf(row, MEMORY)).toEqual([FIRST_AGE + 3]);
  });

  test('is one token per line, of the same age, if it is long', () => {
    const row = remembered(LETTER, 2);
    expect(textsOf(row, MEMORY)).toEqual(LINES);
    expect(placesOf(row, MEMORY)).toEqual(LINES.map(() => FIRST_AGE + 2));
    expect(ofSort(row, LINE)).toEqual([]);
    expect(placesOf(remembered(LETTER, 50), MEMORY)).toEqual(LINES.map(() => FIRST_AGE + OLDEST));
  });

  test('does not displace visible texts; the latest texts are kept', () => {
    const lines = (name: string) => Array.from({ length: 300 }, (_, index) => `${name}${index}`).join('\n');
    const row = tokens('Go', [], {
      memory: [{ text: 'Total 12', age: 1 }, ...['a', 'b'].map(name => ({ text: lines(name), age: 2 }))],
    });
    const texts = textsOf(row, MEMORY);
    expect(texts.slice(0, 3)).toEqual(['Total 12', 'a0', 'a1']);
    expect(texts.length).toBeLessThan(50);
  });

  test('is copyable but not pointable', () => {
    const row = remembered(LETTER);
    for (const token of ofSort(row, MEMORY))
      expect([row.copyable[token], row.pointable[token]]).toEqual([1, 0]);
  });
});

describe('separately copyable words', () => {
  test('are those of the value, else those of the name', () => {
    const row = tokens('', [
      element({ name: 'Save as, now' }),
      element({ name: 'Phone number', value: '+49 30 123' }),
      element(),
      element({ name: '+' }),
    ]);
    expect([1, 2, 3, 4].map(token => said(row, token))).toEqual([
      ['save', 'as', 'now'],
      ['49', '30', '123'],
      [],
      ['+'],
    ]);
    expect(row.meanings[1]?.spans?.first).toBe(0);
    expect(row.meanings[2]?.spans?.first).toBe(NAME_WORDS);
  });

  test('are those that the token holds', () => {
    const row = tokens('', [
      element({ name: numbered(30) }),
      element({ name: numbered(30), value: numbered(30, 'v') }),
    ]);
    expect(said(row, 1).join(' ')).toBe(numbered(SLOTS_OF_WORDS));
    expect(said(row, 2).join(' ')).toBe(numbered(VALUE_WORDS, 'v'));
  });

  test('are all those of a line or a memory', () => {
    const row = tokens('', [sheet(LETTER)], { memory: [{ text: 'Total 12', age: 1 }] });
    const spoken = [...ofSort(row, LINE), ...ofSort(row, MEMORY)].map(token => said(row, token).join(' '));
    expect(spoken).toEqual([
      'dear ada',
      'the train leaves at 9 30',
      'bring the red book',
      'yours hugo',
      'total 12',
    ]);
  });

  test('do not exist for the first token, the instruction and recent actions', () => {
    const row = tokens('Open the plan', [], { recent: [{ kind: 0, text: 'plan', changed: true }] });
    expect([...row.sayable]).toEqual(Array(row.count * SLOTS_OF_WORDS).fill(0));
  });

  test('are spelled in the marked slots, on every screen', () => {
    const rows = [...pocketRows(6), tokens('Go', [sheet(LETTER)], { memory: [{ text: LETTER, age: 1 }] })];
    for (const row of rows) {
      expect(row.sayable).toHaveLength(row.count * SLOTS_OF_WORDS);
      for (const [token, { text = '', spans }] of row.meanings.entries()) {
        const places = spans?.each.map((_, index) => spans.first + index) ?? [];
        const marked = row.sayable.slice(token * SLOTS_OF_WORDS, (token + 1) * SLOTS_OF_WORDS);
        expect([...marked]).toEqual(
          Array.from({ length: SLOTS_OF_WORDS }, (_, slot) => Number(places.includes(slot))),
        );
        const words = spans?.each.map(({ start, end }) => plain(text.slice(start, end))) ?? [];
        expect(said(row, token)).toEqual(words);
      }
    }
  });
});
