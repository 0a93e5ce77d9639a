// JSON with positions: the values of JSON.parse, and errors with line and column.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JsonTextError, parseJsonText } from '../../runtime/config/json-text.ts';

function refused(text: string): string {
  try {
    parseJsonText(text);
  } catch (error) {
    if (error instanceof JsonTextError)
      return `${error.position.line}:${error.position.column} ${error.message}`;
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

test('reads the values that JSON.parse reads, with any white space', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.nat(3), (value, indent) => {
      const text = JSON.stringify(value, undefined, indent);
      expect(parseJsonText(text).value).toEqual(JSON.parse(text));
    }),
  );
});

test('rejects the texts that JSON.parse rejects, and duplicate keys', () => {
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
      if (why.includes('is a duplicate')) return;
      expect(why === 'accepted', text).toBe(accepts(() => JSON.parse(text)));
    }),
    { numRuns: 1000 },
  );
});

describe('an error has a position', () => {
  test.each([
    ['{\n  "minutes": 5,\n}', '2:15 A trailing comma is not allowed. Remove it.'],
    ['{\n  "minutes" 5\n}', "2:13 Expected ':', found '5'."],
    ['{\n  "minutes": five\n}', "2:14 Expected a value, found 'f'."],
    ["{ 'minutes': 5 }", "1:3 Expected a key in double quotes, found '''."],
    ['{ "a": 1 "b": 2 }', "1:10 Expected ',' or '}', found '\"'."],
    ['{ "a": 1,\n // why\n "b": 2 }', '2:2 JSON has no comments. Remove it.'],
    ['{ "a": [1, 2', "1:13 Expected ',' or ']', found the end of the file."],
    ['', '1:1 Expected a value, found the end of the file.'],
    [
      '{ "a": "x\ny" }',
      '1:8 This string is not closed, or contains a line break or an invalid escape. Close it, or escape the character.',
    ],
    ['{} {}', "1:4 Expected the end of the file, found '{'."],
    ['{ "a": 1,\n  "a": 2 }', "2:3 The key 'a' is a duplicate. Remove one of the two."],
  ])('%j', (text, message) => {
    expect(refused(text)).toBe(message);
  });
});

test('the position of a path is that of its key or its value', () => {
  const { positionOf } = parseJsonText('{\n  "a": {\n    "b": [1,\n      2]\n  }\n}');
  expect(positionOf(['a', 'b'])).toEqual({ line: 3, column: 5 });
  expect(positionOf(['a', 'b', 1])).toEqual({ line: 4, column: 7 });
  expect(positionOf(['a', 'missing', 'more'])).toEqual({ line: 2, column: 3 });
  expect(positionOf(['nothing'])).toEqual({ line: 1, column: 1 });
});

test('long keys around many values take memory in proportion to the text', () => {
  const [levels, items] = [90, 50_000];
  const key = 'k'.repeat(5000);
  const text = `${`{"${key}":`.repeat(levels)}[${Array.from({ length: items }, () => '1').join()}]${'}'.repeat(levels)}`;
  const { positionOf } = parseJsonText(text);
  const path = Array.from({ length: levels }, () => key);
  expect(positionOf([...path, items - 1])).toEqual({ line: 1, column: text.length - levels - 1 });
});
