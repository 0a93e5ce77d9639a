// How the texts of a screen are read, and how long ones are cut into lines.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { linesOf, parseText } from '../../../runtime/agents/compact/screen-text.ts';
import { SLOTS_OF_WORDS } from '../../../runtime/agents/compact/token-numbers.ts';
import { plain, wordsOf } from '../../../runtime/agents/compact/word-tokenizer.ts';

describe('a parsed text', () => {
  test('has its words in plain spelling with their positions, for any text', () => {
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

  test('has no signs, unless it has only signs', () => {
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

  test('is the same when parsed again', () => {
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
  test('end at line breaks and at the ends of sentences', () => {
    expect(linesOf('Buy milk. Call Ada! Who? Me; you\n\nThen go')).toEqual([
      'Buy milk',
      'Call Ada',
      'Who',
      'Me',
      'you',
      'Then go',
    ]);
  });

  test('do not end within numbers, file names and times', () => {
    expect(linesOf('It costs 3.50 at 9:30, see plan.txt')).toEqual(['It costs 3.50 at 9:30, see plan.txt']);
  });

  test('have no signs at their ends, unless they have only signs', () => {
    expect(linesOf('— (Ada Abel), 12 %.\n* milk;\n---')).toEqual(['Ada Abel), 12', 'milk', '---']);
    expect(linesOf('+49 30 1234567')).toEqual(['49 30 1234567']);
  });

  test('are empty for a text without words', () => {
    for (const text of ['', ' \n ', '""']) expect(linesOf(text)).toEqual([]);
  });

  test('split a sentence that is longer than a token', () => {
    const words = Array.from({ length: 2 * SLOTS_OF_WORDS + 1 }, (_, index) => `w${index}`);
    expect(linesOf(words.join(' ')).map(line => line.split(' ').length)).toEqual([
      SLOTS_OF_WORDS,
      SLOTS_OF_WORDS,
      1,
    ]);
  });

  test('have all words in order, and never more than a token holds', () => {
    fc.assert(
      fc.property(prose(9), text => {
        const lines = linesOf(text);
        for (const line of lines) expect(parseText(line).words.length).toBeLessThanOrEqual(SLOTS_OF_WORDS);
        expect(lines.filter(isWordy).flatMap(allWords)).toEqual(allWords(text));
      }),
    );
  });

  test('have all words of a very long sentence', () => {
    const text = Array.from({ length: 95 }, (_, index) => `w${index}`).join(' ');
    expect(linesOf(text).flatMap(allWords)).toEqual(allWords(text));
  });

  test('are consecutive parts of the text, from word to word', () => {
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
