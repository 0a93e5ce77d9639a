// Template substitution in task files: what names in braces become, and its bounds.

import { expect, test } from 'vitest';
import { seeded } from '../../runtime/core/rng.ts';
import { chosenFrom, filled } from '../../runtime/tasks/vary.ts';

test('a text that is only a name becomes the value itself; inside a longer text it becomes text', () => {
  expect(filled({ alone: '{n}', within: 'n is {n}' }, { n: 7 })).toEqual({ alone: 7, within: 'n is 7' });
});

test('names inside replacements are replaced too', () => {
  expect(filled('{say}', { say: 'Say {word}.', word: 'moon' })).toBe('Say moon.');
});

test('a dotted name reads a field of a value', () => {
  const chosen = { sum: { word: 'plus', sign: '+', parts: { least: 2 } } };
  expect(filled(['a {sum.word} b', '{sum.sign}', '{sum.parts.least}'], chosen)).toEqual(['a plus b', '+', 2]);
});

test.each(['{other}', 'the {other}', '{sum.other}', '{sum.word.other}', '{toString}'])(
  '%s has no value, and the error names it',
  text => {
    expect(() => filled(text, { sum: { word: 'plus' } })).toThrow(
      `{${/\{(.*)\}/.exec(text)?.[1]}} has no value. Add it to vary, which has sum.`,
    );
  },
);

test('a cycle between values is an error', () => {
  expect(() => filled('{a}', { a: '{b}', b: '{a}' })).toThrow('Check for a cycle between values');
});

// Eight levels of 1,000 names each make 10^24 substitutions: the test passes because it ends.
test('values that multiply one another stop at a bound', () => {
  const chosen = Object.fromEntries(
    [0, 1, 2, 3, 4, 5, 6].map(level => [`v${level}`, `{v${level + 1}}`.repeat(1000)]),
  );
  expect(() => filled('{v0}', { ...chosen, v7: 'x' })).toThrow('more than 10000 substitutions');
  expect(() => filled('{long}'.repeat(2000), { long: 'x'.repeat(1000) })).toThrow(
    'exceeds 1000000 characters',
  );
});

test('a name with an empty list of values is an error', () => {
  expect(() => chosenFrom({ word: [] }, seeded(1))).toThrow('vary.word is empty');
});
