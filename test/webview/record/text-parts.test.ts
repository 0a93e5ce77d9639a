import { expect, test } from 'vitest';
import { textParts } from '../../../webview/record/text-parts.ts';

test('a long text is sent in parts that cut neither a character nor a line break', () => {
  expect(textParts('')).toEqual([]);
  expect(textParts('one\r\ntwo\rthree')).toEqual(['one\ntwo\nthree']);
  const text = `${'a'.repeat(1999)}😀${'b'.repeat(2500)}`;
  const parts = textParts(text);
  expect(parts.map(({ length }) => length)).toEqual([1999, 2000, 502]);
  expect(parts.join('')).toBe(text);
  expect(textParts(`${'a'.repeat(1999)}\r\nb`)).toEqual([`${'a'.repeat(1999)}\n`, 'b']);
});
