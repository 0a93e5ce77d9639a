// The lists of the parts of `npm test`: a pattern that names no file would move its tests to another part, or to none.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { HOSTS_TESTS, LONG_TESTS, REAL_TESTS, SYSTEM_TESTS } from '../vitest.config.ts';

const TESTS = fileURLToPath(new URL('.', import.meta.url));
const FILES = readdirSync(TESTS, { recursive: true, encoding: 'utf8' }).map(
  file => `test/${file.replaceAll('\\', '/')}`,
);

/** Of `a{b,c{d,e}}`: ab, acd, ace. The innermost braces first. */
function expanded(pattern: string): readonly string[] {
  const [braces, inner = ''] = /\{([^{}]*)\}/.exec(pattern) ?? [];
  if (braces === undefined) return [pattern];
  return inner.split(',').flatMap(each => expanded(pattern.replace(braces, each)));
}

const matching = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .replace(/[.+^$()|[\]\\]/g, '\\$&')
      .replaceAll('**/', '(?:.+/)?')
      .replaceAll('*', '[^/]*')}$`,
  );

test('a brace within braces is expanded, and a star matches one part of a path', () => {
  expect(new Set(expanded('a{b,c{d,e}}'))).toEqual(new Set(['ab', 'acd', 'ace']));
  expect(matching('test/**/*.test.ts').test('test/a/b.test.ts')).toBe(true);
  expect(matching('test/*.test.ts').test('test/a/b.test.ts')).toBe(false);
});

test.each([...new Set([...SYSTEM_TESTS, ...LONG_TESTS, ...REAL_TESTS, ...HOSTS_TESTS].flatMap(expanded))])(
  '%s names a file',
  pattern => {
    expect(
      FILES.some(file => matching(pattern).test(file)),
      join(TESTS, pattern),
    ).toBe(true);
  },
);
