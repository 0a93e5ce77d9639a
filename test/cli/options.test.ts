import { InvalidArgumentError } from 'commander';
import { expect, test } from 'vitest';
import {
  parseMinutes,
  parseSeed,
  parseTaskIds,
  parseTemperature,
  parseTiers,
  wholeNumber,
} from '../../runtime/cli/options.ts';

test('tiers come alone or as a list, each once and in order', () => {
  expect(parseTiers('1')).toEqual([1]);
  expect(parseTiers('2,1')).toEqual([1, 2]);
  expect(parseTiers('3, 3,4')).toEqual([3, 4]);
});

test('a valid value is parsed', () => {
  expect(parseMinutes('0.2')).toBe(0.2);
  expect(parseTemperature('1.5')).toBe(1.5);
  expect(wholeNumber(0, 65_535)('0')).toBe(0);
  expect(wholeNumber(1, 100)('100')).toBe(100);
  expect(parseSeed('any text')).toBe('any text');
  expect(parseTaskIds('mail-star, notes-new,mail-star')).toEqual(['mail-star', 'notes-new']);
});

test.each([
  ['tier 5', () => parseTiers('5')],
  ['an empty tier', () => parseTiers('1,')],
  ['no minutes', () => parseMinutes('0')],
  ['negative minutes', () => parseMinutes('-1')],
  ['minutes in words', () => parseMinutes('soon')],
  ['endless minutes', () => parseMinutes('Infinity')],
  ['empty minutes', () => parseMinutes('')],
  ['a number below the range', () => wholeNumber(1, 100)('0')],
  ['a number above the range', () => wholeNumber(1, 100)('101')],
  ['a fraction', () => wholeNumber(1, 100)('2.5')],
  ['temperature 0', () => parseTemperature('0')],
  ['an empty seed', () => parseSeed('')],
  ['a seed with a control character', () => parseSeed('a\u0007')],
  ['no task ids', () => parseTaskIds(',')],
])('%s is rejected with what the option accepts', (_, parse) => {
  expect(parse).toThrow(InvalidArgumentError);
  expect(parse).toThrow('Give ');
});
