// Variations of a finding.

import { describe, expect, test } from 'vitest';
import { seeded } from '../../../runtime/core/rng.ts';
import { variedText } from '../../../runtime/discovery/explore/variation.ts';

const shapeOf = (text: string) => text.replace(/\p{L}+/gu, 'a').replace(/\d+/g, '9');

describe('another text', () => {
  test.each(['trumpet', 'Trumpet lesson 7', 'Mill Lane 12', 'list 3.txt'])(
    'keeps the shape of %j: words for words, numbers for numbers, the same signs',
    text => {
      const random = seeded(text);
      for (let time = 0; time < 20; time++) {
        const other = variedText(text, random);
        expect(shapeOf(other)).toBe(shapeOf(text));
        expect(other.endsWith('.txt')).toBe(text.endsWith('.txt'));
        expect(/^\p{Lu}/u.test(other)).toBe(/^\p{Lu}/u.test(text));
      }
    },
  );

  test('differs from the first', () => {
    const random = seeded('others');
    const others = Array.from({ length: 20 }, () => variedText('Trumpet 7', random));
    expect(new Set(others).size).toBeGreaterThan(15);
  });

  test('has other signs only in a sum, and only with otherSigns', () => {
    const random = seeded('signs');
    const signs = (text: string, otherSigns: boolean) =>
      new Set(Array.from({ length: 60 }, () => variedText(text, random, otherSigns).replace(/[^-+*/]/g, '')));
    expect(signs('12+34=', true)).toEqual(new Set(['+', '-', '*', '/']));
    expect(signs('12+34=', false)).toEqual(new Set(['+']));
    expect(signs('week-end', true)).toEqual(new Set(['-']));
  });
});
