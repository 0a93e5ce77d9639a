import { expect, test } from 'vitest';
import { parseJson } from '../../runtime/core/json.ts';

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

test('text is parsed like JSON.parse does', () => {
  expect(parseJson('{"a":[1,null,{"b":"[[["}]}')).toEqual({ a: [1, null, { b: '[[[' }] });
  expect(() => parseJson('{')).toThrow(SyntaxError);
});

test('nesting beyond the limit is an error, however deep', () => {
  expect(parseJson(nested(100))).toBeDefined();
  for (const depth of [102, 1_000_000])
    expect(() => parseJson(nested(depth))).toThrow('nested more than 100 levels deep');
});
