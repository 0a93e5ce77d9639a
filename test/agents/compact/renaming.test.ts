// Names as they might have been.

import { describe, expect, test } from 'vitest';
import { pseudoWord, renaming } from '../../../runtime/agents/compact/renaming.ts';
import { plain } from '../../../runtime/agents/compact/word-tokenizer.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import { element, tokens } from './screens.ts';

const ROW = tokens('Call Ada Abel at 030 from "shopping list"', [element({ name: 'Ada Abel' })]);
const named = ROW.names.map(number => ROW.lexicon[number]);

test('names are replaced, other words are unchanged', () => {
  const words = renaming(seeded('names'), 1)(ROW);
  expect(words).toHaveLength(ROW.lexicon.length);
  for (const [index, word] of ROW.lexicon.entries()) {
    if (named.includes(word)) expect(words[index]).not.toBe(word);
    else expect(words[index]).toBe(word);
  }
  expect(named).toContain('ada');
});

test('numbers keep their number of digits, and words stay words', () => {
  const random = seeded('numbers');
  for (let time = 0; time < 50; time++) {
    const words = renaming(random, 1)(ROW);
    for (const number of ROW.names) {
      const [before = '', after = ''] = [ROW.lexicon[number], words[number]];
      if (/^\d+$/.test(before)) expect(after).toMatch(new RegExp(`^\\d{${before.length}}$`));
      else expect(after).toMatch(/^[a-z]{2,}$/);
    }
  }
});

test('happens in the given share of rows, others are unchanged', () => {
  const renamed = (share: number) => {
    const change = renaming(seeded('share'), share);
    return Array.from({ length: 600 }, () => change(ROW)).filter(words => words !== ROW.lexicon).length / 600;
  };
  expect(renamed(0)).toBe(0);
  expect(renamed(1)).toBe(1);
  expect(Math.abs(renamed(0.3) - 0.3)).toBeLessThan(0.06);
});

test('does not change the row, nor a row without names', () => {
  const copy = structuredClone(ROW.lexicon);
  renaming(seeded('pure'), 1)(ROW);
  expect(ROW.lexicon).toEqual(copy);
  const nameless = tokens('go on', [element({ name: 'Next' })]);
  expect(renaming(seeded('pure'), 1)(nameless)).toBe(nameless.lexicon);
});

test('gives other names each time, and the same names for the same seed', () => {
  const change = renaming(seeded('again'), 1);
  const [first, second] = [change(ROW), change(ROW)];
  expect(second).not.toEqual(first);
  const again = renaming(seeded('again'), 1);
  expect([again(ROW), again(ROW)]).toEqual([first, second]);
});

describe('a pseudo word', () => {
  test('alternates vowels and consonants, with the given length', () => {
    const random = seeded('words');
    for (let length = 2; length < 12; length++) {
      const word = pseudoWord(random, length);
      expect(word).toHaveLength(length);
      expect(word).toMatch(/^[aeiou]?([^aeiou][aeiou])*[^aeiou]?$/);
      expect(plain(word)).toBe(word);
    }
  });

  test('rarely repeats', () => {
    const random = seeded('many');
    expect(new Set(Array.from({ length: 300 }, () => pseudoWord(random))).size).toBeGreaterThan(270);
  });
});
