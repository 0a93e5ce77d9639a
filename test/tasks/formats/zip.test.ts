// ZIP archives of unknown origin.

import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { ArchiveError, readZip } from '../../../runtime/tasks/formats/zip.ts';

const FILES = {
  'a.txt': strToU8('hello '.repeat(50)),
  'sub/b.bin': new Uint8Array([0, 1, 255]),
  'é/': new Uint8Array(),
};

describe.each([0, 6] as const)('an archive, compressed by %d', level => {
  const archive = () => zipSync(FILES, { level });

  test('has its files by path, without folders', () => {
    const files = readZip(archive());
    expect([...files.keys()]).toEqual(['a.txt', 'sub/b.bin']);
    expect(files.get('a.txt')).toEqual(FILES['a.txt']);
    expect(files.get('sub/b.bin')).toEqual(FILES['sub/b.bin']);
  });

  test('is refused when a byte of a file differs, or its end is missing', () => {
    const damaged = archive();
    const at = 30 + 'a.txt'.length + 5;
    damaged[at] = (damaged[at] ?? 0) ^ 0x40;
    expect(() => readZip(damaged)).toThrow(ArchiveError);
    for (const length of [0, 10, archive().length - 1])
      expect(() => readZip(archive().slice(0, length))).toThrow(ArchiveError);
  });

  test('may begin anywhere in its buffer and have a comment', () => {
    const inner = archive();
    const buffer = new Uint8Array(inner.length + 20);
    buffer.set(inner, 7);
    expect(readZip(buffer.subarray(7, 7 + inner.length)).size).toBe(2);
    const withComment = Buffer.concat([inner.subarray(0, -2), Buffer.from([3, 0]), Buffer.from('abc')]);
    expect(readZip(withComment).size).toBe(2);
  });
});

test('an archive that would unpack to too much is refused by its directory', () => {
  const archive = zipSync(FILES, { level: 6 });
  const view = new DataView(archive.buffer);
  const directory = view.getUint32(archive.length - 6, true);
  view.setUint32(directory + 24, 0xfff0_0000, true);
  expect(() => readZip(archive)).toThrow(/The limits are/);
});
