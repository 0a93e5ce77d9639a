import { expect, test } from 'vitest';
import { bearerToken, isToken, newToken } from '../../runtime/core/token.ts';

test('tokens differ, and an address may contain them', () => {
  const tokens = Array.from({ length: 100 }, newToken);
  expect(new Set(tokens).size).toBe(100);
  for (const token of tokens) expect(token).toMatch(/^[A-Za-z0-9_-]{32}$/);
});

test('only the same text is the token', () => {
  const token = newToken();
  expect(isToken(token, token)).toBe(true);
  for (const wrong of ['', token.slice(1), `${token}x`, ` ${token}`, token.toUpperCase()])
    expect(isToken(wrong, token), wrong).toBe(wrong === token);
});

test.each([
  ['Bearer abc', 'abc'],
  ['bearer  abc', 'abc'],
  ['Bearer abc def', undefined],
  ['Bearer ', undefined],
  ['Basic abc', undefined],
  ['abc', undefined],
  [undefined, undefined],
])('the token in the header %j is %j', (header, token) => {
  expect(bearerToken(header)).toBe(token);
});
