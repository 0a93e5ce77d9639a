// How texts are cut into words, and words into characters.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ALPHABET,
  KNOWN_WORDS,
  knownNumber,
  LETTERS,
  plain,
  SPEAKING_WORDS,
  speakingNumber,
  spell,
  wordsOf,
} from '../../../runtime/agents/compact/word-tokenizer.ts';

const spelled = (word: string): readonly number[] => {
  const row = new Int32Array(LETTERS + 2);
  spell(word, row, 1);
  expect([row[0], row.at(-1)]).toEqual([0, 0]);
  return [...row.slice(1, -1)];
};

describe('words', () => {
  test('are runs of letters and digits; each sign is a word', () => {
    expect(wordsOf('Move plan2.txt, now!').map(({ text, isSign }) => [text, isSign])).toEqual([
      ['Move', false],
      ['plan2', false],
      ['.', true],
      ['txt', false],
      [',', true],
      ['now', false],
      ['!', true],
    ]);
  });

  test('have ordered positions without overlap, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), text => {
        let end = 0;
        for (const word of wordsOf(text)) {
          expect(text.slice(word.start, word.end)).toBe(word.text);
          expect(word.start).toBeGreaterThanOrEqual(end);
          ({ end } = word);
        }
      }),
    );
  });

  test('cover the text except blanks and quotation marks', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), text => {
        expect(
          wordsOf(text)
            .map(word => word.text)
            .join(''),
        ).toBe(text.replace(/[\s"“”]/gu, ''));
      }),
    );
  });

  test('keep their accents in any normal form', () => {
    expect(wordsOf('Jose\u0301 Caf\u00e9').map(({ text }) => text)).toEqual(['Jose\u0301', 'Caf\u00e9']);
  });

  test('are marked as quoted; quotation marks are no words', () => {
    const quoted = (text: string) => wordsOf(text).filter(word => word.quoted);
    expect(quoted('Type "good day" here').map(({ text }) => text)).toEqual(['good', 'day']);
    expect(quoted('Type “good day” here').map(({ text }) => text)).toEqual(['good', 'day']);
    expect(quoted('Type good day here')).toEqual([]);
  });
});

describe('plain', () => {
  test('ignores case, accents and leading zeros', () => {
    expect(plain('ÉLAN')).toBe('elan');
    expect(plain('e\u0301lan')).toBe('elan');
    expect(plain('007')).toBe('7');
  });

  test('keeps all other differences', () => {
    expect(['0', '00', '70', 'a0', '0a'].map(plain)).toEqual(['0', '0', '70', 'a0', '0a']);
  });
});

describe('spelling', () => {
  test('gives each common character its own number, and 0 to none', () => {
    const [first, second, none] = spelled('aba');
    expect(spelled('aba').slice(0, 4)).toEqual([first, second, first, 0]);
    expect(none).toBe(first);
    const common = [...'abcdefghijklmnopqrstuvwxyz0123456789!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'];
    const numbers = common.map(character => spelled(character)[0]);
    expect(new Set(numbers).size).toBe(common.length);
    expect(numbers).not.toContain(0);
    expect(numbers).not.toContain(spelled('成')[0]);
  });

  test('gives one number to all other characters', () => {
    expect(spelled('成')).toEqual(spelled('功'));
  });

  test('keeps the beginning and the end of a long word', () => {
    const long = 'abcdefghijklmnopqrstuvwxyz';
    expect(spelled(long)).toEqual(spelled('abcdefghwxyz'));
    expect(spelled('abcdefghIJwxyz')).toEqual(spelled('abcdefgh__wxyz'));
    expect(spelled('abcdefghijklm')).not.toEqual(spelled('abcdefghijklx'));
  });

  test('overwrites earlier numbers', () => {
    const row = new Int32Array(LETTERS).fill(5);
    spell('a', row, 0);
    expect([...row.slice(1)]).toEqual(Array(LETTERS - 1).fill(0));
  });

  test('stays within its tables for any word', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), word => {
        const row = new Int32Array(LETTERS);
        spell(word, row, 0);
        const [known, speaking] = [knownNumber(word), speakingNumber(word)];
        return (
          row.every(number => number >= 0 && number < ALPHABET) &&
          known >= 0 &&
          known < KNOWN_WORDS &&
          speaking > 0 &&
          speaking < SPEAKING_WORDS
        );
      }),
    );
  });

  test('gives different words mostly different hashed numbers', () => {
    const words = Array.from({ length: 400 }, (_, index) => `word${index}`);
    expect(new Set(words.map(knownNumber)).size).toBeGreaterThan(330);
    expect(new Set(words.map(speakingNumber)).size).toBeGreaterThan(300);
  });
});
