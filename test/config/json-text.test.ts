// JSON with places: the same values as JSON.parse, and every mistake by line and column.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JsonTextError, readJson } from '../../runtime/config/json-text.ts';

function refused(text: string): string {
  try {
    readJson(text);
  } catch (error) {
    if (error instanceof JsonTextError) return `${error.place.line}:${error.place.column} ${error.message}`;
    throw error;
  }
  return 'accepted';
}

const accepts = (read: () => unknown): boolean => {
  try {
    read();
    return true;
  } catch {
    return false;
  }
};

test('reads what JSON.parse reads, however it is spaced', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.nat(3), (value, indent) => {
      const text = JSON.stringify(value, undefined, indent);
      expect(readJson(text).value).toEqual(JSON.parse(text));
    }),
  );
});

test('refuses what JSON.parse refuses, and nothing else but keys that stand twice', () => {
  const broken = fc
    .tuple(
      fc.json({ maxDepth: 3 }),
      fc.nat(),
      fc.constantFrom('', '"', ',', '}', ']', '\\', '0', '.', 'e', '-', ' ', '\n'),
    )
    .map(([text, place, put]) => {
      const at = place % (text.length + 1);
      return text.slice(0, at) + put + text.slice(at + (put === '' ? 1 : 0));
    });
  fc.assert(
    fc.property(fc.oneof(broken, fc.string()), text => {
      const why = refused(text);
      if (why.includes('a second time')) return;
      expect(why === 'accepted', text).toBe(accepts(() => JSON.parse(text)));
    }),
    { numRuns: 1000 },
  );
});

describe('a mistake is said with its place', () => {
  test.each([
    ['{\n  "minutes": 5,\n}', '2:15 There is a comma with nothing behind it; remove it.'],
    ['{\n  "minutes" 5\n}', "2:13 Here stands '5', where ':' should."],
    ['{\n  "minutes": five\n}', "2:14 Here stands 'f', where a value should."],
    ["{ 'minutes': 5 }", "1:3 Here stands ''', where a key in double quotes should."],
    ['{ "a": 1 "b": 2 }', "1:10 Here stands '\"', where ',' or '}' should."],
    ['{ "a": 1,\n // why\n "b": 2 }', '2:2 JSON has no comments; remove it.'],
    ['{ "a": [1, 2', "1:13 The file ends here, where ',' or ']' should stand."],
    ['', '1:1 The file ends here, where a value should stand.'],
    ['{ "a": "x\ny" }', '1:8 This text has no end, or a line break or a lone backslash in it.'],
    ['{} {}', "1:4 Here stands '{', where the end of the file should."],
    ['{ "a": 1,\n  "a": 2 }', "2:3 The key 'a' stands here a second time; remove one of the two."],
  ])('%j', (text, message) => {
    expect(refused(text)).toBe(message);
  });
});

test('every value is found again by its path, at its key or where it begins', () => {
  const { placeOf } = readJson('{\n  "a": {\n    "b": [1,\n      2]\n  }\n}');
  expect(placeOf(['a', 'b'])).toEqual({ line: 3, column: 5 });
  expect(placeOf(['a', 'b', 1])).toEqual({ line: 4, column: 7 });
  expect(placeOf(['a', 'missing', 'more'])).toEqual({ line: 2, column: 3 });
  expect(placeOf(['nothing'])).toEqual({ line: 1, column: 1 });
});
