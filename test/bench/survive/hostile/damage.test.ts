import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  damagedBytes,
  damagedJson,
  damagedJsonText,
  jsonText,
} from '../../../../runtime/bench/survive/hostile/damage.ts';
import { seeded } from '../../../../runtime/core/rng.ts';

const seeds = Array.from({ length: 400 }, (_, index) => seeded(`damage ${index}`));

test('damage is a function of the seed, and does not change what it damages', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.jsonValue(), fc.nat(), (bytes, value, seed) => {
      const [copy, text] = [bytes.slice(), JSON.stringify(value)];
      expect(damagedBytes(bytes, seeded(seed))).toEqual(damagedBytes(bytes, seeded(seed)));
      expect(damagedJsonText(value, seeded(seed))).toEqual(damagedJsonText(value, seeded(seed)));
      expect([bytes, JSON.stringify(value)]).toEqual([copy, text]);
    }),
  );
});

test('bytes are cut, lengthened and changed', () => {
  const bytes = new Uint8Array(100).fill(7);
  const lengths = seeds.map(random => damagedBytes(bytes, random).length);
  expect(Math.min(...lengths)).toBeLessThan(50);
  expect(Math.max(...lengths)).toBeGreaterThan(200);
  expect(lengths).toContain(100);
});

test('values get wrong types, keys with a meaning, numbers beyond JSON, and deep nesting', () => {
  const value = { name: 'x', list: [1, 2, { deep: true }] };
  const texts = seeds.map(random => jsonText(damagedJson(value, random), random));
  for (const part of [
    '"__proto__"',
    'NaN',
    '1e999',
    '[[[[[[[[',
    '9007199254740992',
    '\\ud800',
    '"toString":1',
    '../../',
  ])
    expect(texts.filter(text => text.includes(part)).length, part).toBeGreaterThan(0);
  // Most of it stays JSON, so that it gets past the parser.
  const parsed = texts.filter(text => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  });
  expect(parsed.length).toBeGreaterThan(texts.length / 2);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});
