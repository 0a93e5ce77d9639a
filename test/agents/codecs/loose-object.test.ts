// Objects in the text of a model: everything that is JSON, and what models write instead.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isLooseList,
  isLooseObject,
  type LooseValue,
  looseValue,
  objectsIn,
} from '../../../runtime/agents/codecs/loose-object.ts';

/** As JSON.parse would return it. */
const plain = (value: LooseValue | undefined): unknown => {
  if (isLooseList(value)) return value.map(plain);
  return isLooseObject(value)
    ? Object.fromEntries([...value].map(([name, field]) => [name, plain(field)]))
    : value;
};

const jsonObject = fc.dictionary(
  fc.string().filter(name => name !== '__proto__'),
  fc.jsonValue({ maxDepth: 3 }),
  { maxKeys: 5 },
);

test('law: a JSON object reads as JSON.parse reads it, alone and within text', () => {
  fc.assert(
    fc.property(
      jsonObject,
      fc.constantFrom(undefined, 2),
      fc.constantFrom('', 'I do this: ', '```json\n'),
      (object, indent, before) => {
        const written = JSON.stringify(object, null, indent);
        const expected: unknown = JSON.parse(written);
        expect(plain(looseValue(written))).toEqual(expected);
        expect(objectsIn(`${before}${written}\n\`\`\` Done.`).map(found => plain(found.object))).toEqual([
          expected,
        ]);
      },
    ),
    { numRuns: 2000 },
  );
});

test('law: any text gives a list, and each object begins at its position', () => {
  const part = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '"',
    "'",
    ':',
    ',',
    'a',
    '"a"',
    '1',
    '\\',
    '\\u00',
    ' ',
    'None',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), parts => {
      const text = parts.join('');
      for (const { start } of objectsIn(text)) expect(text[start]).toBe('{');
    }),
    { numRuns: 2000 },
  );
});

describe('reads', () => {
  test.each<[string, string, unknown]>([
    ['Python literals', "{'a': True, 'b': None, 'c': (1, 2)}", { a: true, b: null, c: [1, 2] }],
    ['names without quotes', '{action: "click"}', { action: 'click' }],
    ['commas at the end', '{"a": [1, 2,],}', { a: [1, 2] }],
    ['line breaks in a string', '{"text": "a\nb"}', { text: 'a\nb' }],
    ['quotes in a string', '{"text": "say "hi" now"}', { text: 'say "hi" now' }],
    ['a Windows path without escapes', '{"text": "C:\\Users"}', { text: 'C:\\Users' }],
    ['a missing brace at the end', '{"a": {"b": "c"}', { a: { b: 'c' } }],
    [
      'numbers that JSON writes otherwise as texts',
      '{"a": 1.50, "b": 12345678901234567890, "c": 1.5}',
      { a: '1.50', b: '12345678901234567890', c: 1.5 },
    ],
    ['a number of the field __proto__', '{"a": 1, "__proto__": 2}', { a: 1, ['__proto__']: 2 }],
  ])('%s', (_, text, expected) => {
    expect(objectsIn(text).map(({ object }) => plain(object))).toEqual([expected]);
  });

  test.each([
    ['a string that is cut off', '{"action": "type", "text": "hel'],
    ['a number that may be cut off', '{"action": "scroll", "pixels": -5'],
    ['a number with zeros that may be cut off', '{"action": "type", "text": 1.50'],
    ['a list that is cut off', '{"coordinate": [10, 2'],
    ['a set', '{1, 2}'],
    ['a placeholder', 'Hello {name}'],
    ['objects within objects without end', '{"a":'.repeat(200)],
  ])('no object from %s', (_, text) => {
    expect(objectsIn(text)).toEqual([]);
  });
});
