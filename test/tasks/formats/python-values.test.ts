import { expect, test } from 'vitest';
import { readCsv } from '../../../runtime/tasks/formats/csv.ts';
import { DocumentError } from '../../../runtime/tasks/formats/document/document-error.ts';
import { signedTwipsOf } from '../../../runtime/tasks/formats/document/value.ts';
import { translatePattern } from '../../../runtime/tasks/formats/python/pattern.ts';
import { splitLines } from '../../../runtime/tasks/formats/python/text.ts';
import { joinUrl, splitUrl } from '../../../runtime/tasks/formats/python/url.ts';
import { isSame, readFloat, readInt, written } from '../../../runtime/tasks/formats/python/values.ts';
import { parseXml } from '../../../runtime/tasks/formats/xml.ts';
import { readYaml } from '../../../runtime/tasks/formats/yaml.ts';
import { compilePattern } from '../../../runtime/tasks/metrics/pattern.ts';
import { typedColumn } from '../../../runtime/tasks/metrics/spreadsheets/frame-column.ts';

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';

test('values equal as in Python', () => {
  expect(isSame({ a: [true, -0] }, { a: [1, 0] })).toBe(true);
  expect(isSame('1', 1)).toBe(false);
  expect(isSame({ a: 1 }, { a: 1, b: null })).toBe(false);
});

test('numbers are read and written as in Python', () => {
  expect([' 1_000.5\n', '1e3', '.5', 'inf', '1__0', '0x10', ''].map(readFloat)).toEqual([
    1000.5,
    1000,
    0.5,
    Infinity,
    undefined,
    undefined,
    undefined,
  ]);
  expect(['1.', '1_0.5_0e-1_0', '+.5', '-NaN', '.', 'e5', '.e5', '1_.5', '1._5'].map(readFloat)).toEqual([
    ...[1, 1.05e-9, 0.5, Number.NaN],
    ...Array(5).fill(undefined),
  ]);
  expect([' 31 ', 31.7, '31.0'].map(readInt)).toEqual([31, 31, undefined]);
  expect(written([1e-7, 1e21, 'a\n', { b: '\u00a0' }])).toBe("[1e-07, 1e+21, 'a\\n', {'b': '\\xa0'}]");
});

test('a long text of digits is no number, in linear time', () => {
  const digits = `${'1'.repeat(1_000_000)}x`;
  expect(readFloat(digits)).toBeUndefined();
  expect(typedColumn([digits]).kind).toBe('object');
  const indent = parseXml(`<w:ind xmlns:w="${WORD}" w:left="${digits}"/>`).documentElement;
  expect(() => signedTwipsOf(indent ?? undefined, 'left')).toThrow(DocumentError);
});

test('patterns match letters of every language, and $ before a last line feed', () => {
  const matches = (pattern: string, text: string, ...flags: readonly string[]) =>
    compilePattern(translatePattern(pattern, flags) ?? '').test(text);
  expect(matches('^\\w+$', 'été\n')).toBe(true);
  expect(matches('^[\\w.]+$', 'é.é')).toBe(true);
  expect(matches('a.b', 'a\nb')).toBe(false);
  expect(matches('A.b', 'a\nb', 'S', 'I')).toBe(true);
  expect(matches('[]$]x$', '$x')).toBe(true);
  expect(translatePattern('a', ['X'])).toBeUndefined();
});

test('an address without special cases survives splitting and joining', () => {
  for (const url of ['https://a.org/b;c?d=e#f', 'file:///home/a', 'mailto:a@b.org', 'about:blank', '//a/b'])
    expect(joinUrl(splitUrl(url) ?? expect.fail(url))).toBe(url);
  expect(splitUrl('http://[x]/')).toBeUndefined();
});

test('lines end at every line end of Unicode, and fields of CSV keep theirs in quotes', () => {
  expect(splitLines('a\r\nb\u2028c\x0cd\n')).toEqual(['a', 'b', 'c', 'd']);
  expect(readCsv('a,"b\n""c"""\n\n"d"e,f"g')).toEqual([['a', 'b\n"c"'], [], ['de', 'f"g']]);
});

test('YAML is that of PyYAML', () => {
  expect(readYaml('[yes, No, 012, 1:30, 1e3, 1.5e+3, y, ~, 0o7, "no"]')).toEqual([
    true,
    false,
    10,
    90,
    '1e3',
    1500,
    'y',
    null,
    '0o7',
    'no',
  ]);
  expect(() => readYaml('a: !!python/name:os.system x')).toThrow('not YAML');
});
