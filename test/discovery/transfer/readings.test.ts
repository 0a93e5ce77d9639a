// Counterparts of parts of texts.

import { describe, expect, test } from 'vitest';
import { counterparts, dayIn, marksOf } from '../../../runtime/discovery/transfer/readings.ts';

const standsFor = (part: string, known: string, other: string) => {
  const start = known.indexOf(part);
  return counterparts(known, start, start + part.length, other);
};

describe('the counterpart of a part of a text', () => {
  test('lies between the same words', () => {
    const known = 'Forward the mail "Walnut" from Rosa Quist to Hugo Abel.';
    const other = 'Forward the mail "Summer party" from Ada Novak to Greta Olsen.';
    expect(standsFor('Walnut', known, other)[0]).toBe('Summer party');
    expect(standsFor('Rosa Quist', known, other)[0]).toBe('Ada Novak');
    expect(standsFor('Hugo Abel', known, other)[0]).toBe('Greta Olsen');
  });

  test('is a reading of the same kind in other words', () => {
    const known = 'We meet on 20 March at 16:15. (Not on 5 March.)';
    const other = 'Instead of 3 March it will be 28 March. We begin at 09:30.';
    expect(standsFor('16:15', known, other)[0]).toBe('09:30');
    expect(standsFor('16', known, other)[0]).toBe('09');
    expect(standsFor('20 March', known, other)).toEqual(expect.arrayContaining(['3 March', '28 March']));
  });

  test('a name is separated from the first word of a sentence', () => {
    const known = 'Rosa Quist wants to know when "Dentist" is.';
    expect(standsFor('Rosa Quist', known, 'Mail Ada Novak the time of "Yoga".')).toContain('Ada Novak');
  });

  test('a number has the same position among numbers', () => {
    expect(standsFor('1641', 'Camera: 170\nGarden: 1641', 'Lamp: 82.5\nViolin: 99')[0]).toBe('99');
  });
});

test('long texts are compared by their readings only: a table of their words would be too large', () => {
  const counterpart = (words: number) => {
    const grey = 'grey '.repeat(words);
    return standsFor('stone', `${grey}stone lies here`, `a ${grey}river lies here`)[0];
  };
  expect(counterpart(900)).toBe('river');
  // The word at the same position.
  expect(counterpart(1000)).toBe('grey');
});

test.each([
  ['2026-03-07', { year: '2026', month: '03', day: '07' }],
  ['7 March', { year: undefined, month: '03', day: '07' }],
  ['12 July 2027', { year: '2027', month: '07', day: '12' }],
  ['7 Walnuts', undefined],
])('the day in %j', (text, day) => {
  expect(dayIn(text)).toEqual(day);
});

test('a day has the same mark in every spelling', () => {
  const marks = (text: string) => marksOf(text).map(({ mark }) => mark);
  expect(marks('2026-03-07')).toEqual(marks('7 March'));
  expect(marks('2026-03-07')).not.toEqual(marks('7 May'));
});
