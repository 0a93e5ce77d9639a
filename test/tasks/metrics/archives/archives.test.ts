import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { tarOf } from '../../../../runtime/bench/osworld/cases/archives-tar.ts';
import { textFile } from '../../../../runtime/bench/osworld/cases/words.ts';
import { zipOf } from '../../../../runtime/bench/osworld/cases/zip.ts';
import { readTar, TarError } from '../../../../runtime/tasks/formats/archive/tar.ts';
import { compareArchive } from '../../../../runtime/tasks/metrics/archives/compare-archive.ts';
import { compareEpub } from '../../../../runtime/tasks/metrics/archives/compare-epub.ts';
import { compareZipFiles } from '../../../../runtime/tasks/metrics/archives/compare-zip-files.ts';
import { MetricError, pass, textOf } from '../../../../runtime/tasks/metrics/metric.ts';

const zip = (name: string, files: Readonly<Record<string, string>>) => ({ name, bytes: zipOf(files) });

describe('compare_archive', () => {
  const compare = compareArchive(name =>
    name === 'compare_text_file' ? (a, b) => pass(textOf(a) === textOf(b)) : undefined,
  );
  const gold = zip('gold.zip', { 'd/a.txt': 'a', 'd/b.txt': 'b', 'other.txt': 'x' });

  test('averages the scores of the files in a folder', async () => {
    const found = zip('found.zip', { 'd/b.txt': 'b', 'd/a.txt': 'changed' });
    expect(await compare(found, gold, { file_path: 'd' })).toBe(0.5);
    expect(await compare(found, gold, {})).toBe(0);
  });

  test('reads other formats by the ending of the name', async () => {
    const bytes = gzipSync(tarOf({ 'd/': '', 'd/a.txt': 'a', 'd/b.txt': 'b' }));
    expect(await compare({ name: 'found.tar.gz', bytes }, gold, { file_path: 'd' })).toBe(1);
    expect(await compare({ name: 'found.zip', bytes }, gold, { file_path: 'd' })).toBe(0);
  });

  test('reads no archive with a file of a negative size', () => {
    const bytes = tarOf({ 'd/a.txt': 'a' });
    const write = (text: string, offset: number) => bytes.set(new TextEncoder().encode(text), offset);
    write('-0000000001', 124);
    write(' '.repeat(8), 148);
    const sum = bytes.subarray(0, 512).reduce((total, byte) => total + byte, 0);
    write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    expect(() => readTar(bytes)).toThrow(TarError);
  });

  test('rejects a folder and a type that the task has wrong', async () => {
    await expect(compare(gold, gold, { file_path: 'e' })).rejects.toThrow(MetricError);
    await expect(compare(gold, gold, { file_type: 'film' })).rejects.toThrow(MetricError);
  });
});

test('compare_zip_files compares names with folders, bytes, and the texts of PDF files', async () => {
  const compare = compareZipFiles(async bytes => new TextDecoder().decode(bytes));
  const gold = zip('a.zip', { 'd/': '', 'd/x.txt': 'x', 'd/y.pdf': 'long text of a page' });
  expect(
    await compare(zip('b.zip', { 'd/': '', 'd/x.txt': 'x', 'd/y.pdf': 'long text of a page.' }), gold, {}),
  ).toBe(1);
  expect(await compare(zip('b.zip', { 'd/': '', 'd/x.txt': 'x', 'd/y.pdf': 'short' }), gold, {})).toBe(0);
  expect(await compare(zip('b.zip', { 'd/x.txt': 'x', 'd/y.pdf': 'long text of a page' }), gold, {})).toBe(0);
  expect(await compare(textFile('b.zip', 'no archive'), gold, {})).toBe(0);
});

test('compare_epub ignores the identifier, and compares pages by their lines', async () => {
  const book = (identifier: string, page: string) =>
    zip('a.epub', {
      'content.opf': `<a>\n<dc:identifier>${identifier}</dc:identifier>\n</a>\n`,
      'p.html': page,
    });
  const page = '<html><body><p>one</p><p>two</p></body></html>';
  const gold = book('1', page);
  expect(await compareEpub(book('2', page.replaceAll('<p>', '\n<p>')), gold, {})).toBe(1);
  // The page has the lines `<html><body>`, one line for each paragraph, and `</body></html>`.
  expect(await compareEpub(book('2', page.replace('two', 'three')), gold, {})).toBeCloseTo((1 + 3 / 4) / 2);
  expect(await compareEpub(zip('a.epub', { 'text/p.html': page }), gold, {})).toBe(0);
});
