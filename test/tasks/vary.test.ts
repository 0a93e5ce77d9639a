// Task files that vary: what names in braces become.

import { expect, test } from 'vitest';
import { seeded } from '../../runtime/contracts/world.ts';
import { chosenFrom, filled } from '../../runtime/tasks/vary.ts';

test('a text that is nothing but a name becomes the value itself, and within a text it is written out', () => {
  expect(filled({ alone: '{n}', within: 'n is {n}' }, { n: 7 })).toEqual({ alone: 7, within: 'n is 7' });
});

test('what is put in may have names itself', () => {
  expect(filled('{say}', { say: 'Say {word}.', word: 'moon' })).toBe('Say moon.');
});

test('values that belong together are the fields of one value', () => {
  const chosen = { sum: { word: 'plus', sign: '+', parts: { least: 2 } } };
  expect(filled(['a {sum.word} b', '{sum.sign}', '{sum.parts.least}'], chosen)).toEqual(['a plus b', '+', 2]);
});

test.each(['{other}', 'the {other}', '{sum.other}', '{sum.word.other}', '{toString}'])(
  '%s, which was not chosen, is an error that names it',
  text => {
    expect(() => filled(text, { sum: { word: 'plus' } })).toThrow(
      `{${/\{(.*)\}/.exec(text)?.[1]}} is used, and vary has only sum.`,
    );
  },
);

test('values that refer to one another in a circle are an error', () => {
  expect(() => filled('{a}', { a: '{b}', b: '{a}' })).toThrow('in a circle');
});

test('a name without values is an error', () => {
  expect(() => chosenFrom({ word: [] }, seeded(1))).toThrow('vary.word is empty');
});
