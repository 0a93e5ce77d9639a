import { expect, test } from 'vitest';
import { KEYS, key } from '../../../../runtime/core/key.ts';
import { keysymOf, keysymOfCharacter } from '../../../../runtime/environments/docker/rfb/keysyms.ts';

test('every key has a unique keysym', () => {
  const keysyms = KEYS.map(keysymOf);
  expect(keysyms.every(keysym => Number.isInteger(keysym) && keysym > 0)).toBe(true);
  expect(new Set(keysyms).size).toBe(KEYS.length);
});

test.each([
  ['enter', 0xff0d],
  ['f1', 0xffbe],
  ['f12', 0xffc9],
  ['a', 0x61],
  ['A', 0x41],
  ['~', 0x7e],
])('the key %s has the keysym %s', (name, keysym) => {
  expect(keysymOf(key(name))).toBe(keysym);
});

test.each([
  ['\n', 0xff0d],
  ['\t', 0xff09],
  [' ', 0x20],
  ['ü', 0xfc],
  ['€', 0x0100_20ac],
  ['漢', 0x0100_6f22],
  ['😀', 0x0101_f600],
])('the character %j has the keysym of X', (character, keysym) => {
  expect(keysymOfCharacter(character)).toBe(keysym);
});
