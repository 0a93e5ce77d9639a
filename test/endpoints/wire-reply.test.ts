import { expect, test } from 'vitest';
import { parseWireJson } from '../../runtime/endpoints/wire-reply.ts';

test("Python's numbers become null, and texts that contain them stay", () => {
  expect(parseWireJson('{"a": NaN, "b": [-Infinity, Infinity, 1], "c": "NaN \\" Infinity"}')).toEqual({
    ...{ a: null, b: [null, null, 1], c: 'NaN " Infinity' },
  });
});

test.each([
  ['a string without its end', `"${'\\"'.repeat(500_000)}`],
  ['a string that ends within an escape', `"${'\\"'.repeat(500_000)}\\`],
  ['quotes without number', '"'.repeat(1_000_001)],
  ['escaped line breaks', `"${'\\\n'.repeat(500_000)}`],
])('%s is rejected in linear time', (_, text) => {
  expect(() => parseWireJson(text)).toThrow();
});
