// How the texts of a screen are read, and how long ones are cut into lines.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { linesOf, parseText } from '../../runtime/agent/screen-text.ts';
import { SLOTS_OF_WORDS } from '../../runtime/agent/token-numbers.ts';
import { plain, wordsOf } from '../../runtime/agent/word-tokenizer.ts';

describe('a text that is read', () => {
  test('has its words in plain spelling, each where it stands, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), text => {
        const { words, spans, line } = parseText(text);
        expect(spans.map(({ start, end }) => plain(text.slice(start, end)))).toEqual(words);
        for (const [index, { start, end }] of spans.entries()) {
          expect(end).toBeGreaterThan(start);
          expect(start).toBeGreaterThanOrEqual(spans[index - 1]?.end ?? 0);
        }
        expect(line).toBe(` ${words.join(' ')} `);
      }),
    );
  });

  test('has no signs, unless there is nothing else', () => {
    expect(parseText('Due: 2026-03-05, 9:30 (Café)').words).toEqual([
      'due',
      '2026',
      '3',
      '5',
      '9',
      '30',
      'cafe',
    ]);
    expect(parseText('+').words).toEqual(['+']);
    expect(parseText('+/-').words).toEqual(['+', '/', '-']);
    expect(parseText(' "" ').words).toEqual([]);
  });

  test('is read alike again', () => {
    expect(parseText('Good day')).toEqual(parseText('Good day'));
    expect(parseText('Good day')).not.toEqual(parseText('good night'));
  });
});

/** A sentence of words, with a sign between two of them at times. */
const sentence = (most: number) =>
  fc
    .array(
      fc.tuple(
        fc.constantFrom('milk', 'Ada', '12', '3.50', 'é', 'a-b', '(2', 'l)', '9:30'),
        fc.constantFrom(' ', ', ', ' — '),
      ),
      { minLength: 1, maxLength: most },
    )
    .map(words => words.flat().slice(0, -1).join(''));

const ends = fc.constantFrom('. ', '! ', '? ', '; ', '\n', '.\n\n', ' ---\n');
const prose = (most: number) =>
  fc
    .array(fc.tuple(sentence(most), ends), { minLength: 1, maxLength: 6 })
    .map(parts => parts.flat().join(''));

/** All words of a text that are no signs, however many. */
const allWords = (text: string): readonly string[] =>
  wordsOf(text)
    .filter(({ isSign }) => !isSign)
    .map(word => plain(word.text));

const isWordy = (line: string) => allWords(line).length > 0;

describe('the lines of a long text', () => {
  test('end where it has line breaks, and where sentences end', () => {
    expect(linesOf('Buy milk. Call Ada! Who? Me; you\n\nThen go')).toEqual([
      'Buy milk',
      'Call Ada',
      'Who',
      'Me',
      'you',
      'Then go',
    ]);
  });

  test('do not end within numbers, names of files and times', () => {
    expect(linesOf('It costs 3.50 at 9:30, see plan.txt')).toEqual(['It costs 3.50 at 9:30, see plan.txt']);
  });

  test('have no signs at their ends, unless there is nothing else', () => {
    expect(linesOf('— (Ada Abel), 12 %.\n* milk;\n---')).toEqual(['Ada Abel), 12', 'milk', '---']);
    expect(linesOf('+49 30 1234567')).toEqual(['49 30 1234567']);
  });

  test('are none of a text without words', () => {
    for (const text of ['', ' \n ', '""']) expect(linesOf(text)).toEqual([]);
  });

  test('are as many as it takes where a sentence is longer than a token', () => {
    const words = Array.from({ length: 2 * SLOTS_OF_WORDS + 1 }, (_, index) => `w${index}`);
    expect(linesOf(words.join(' ')).map(line => line.split(' ').length)).toEqual([
      SLOTS_OF_WORDS,
      SLOTS_OF_WORDS,
      1,
    ]);
  });

  test('have all words in order, each whole, and never more than a token holds', () => {
    fc.assert(
      fc.property(prose(9), text => {
        const lines = linesOf(text);
        for (const line of lines) expect(parseText(line).words.length).toBeLessThanOrEqual(SLOTS_OF_WORDS);
        expect(lines.filter(isWordy).flatMap(allWords)).toEqual(allWords(text));
      }),
    );
  });

  test('have all words though a sentence goes on for very long', () => {
    const text = Array.from({ length: 95 }, (_, index) => `w${index}`).join(' ');
    expect(linesOf(text).flatMap(allWords)).toEqual(allWords(text));
  });

  test('are pieces of it as they stand there, one behind another, from a word to a word', () => {
    fc.assert(
      fc.property(prose(9), text => {
        let from = 0;
        for (const line of linesOf(text)) {
          const at = text.indexOf(line, from);
          expect(at, line).toBeGreaterThanOrEqual(from);
          from = at + line.length;
          expect(line).not.toContain('\n');
          if (isWordy(line)) expect(line).toMatch(/^[\p{L}\p{N}](.*[\p{L}\p{N}\p{M}])?$/su);
        }
      }),
    );
  });
});
