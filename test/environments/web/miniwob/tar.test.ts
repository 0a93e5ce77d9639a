import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tarFiles } from '../../../../runtime/environments/web/miniwob/tar.ts';
import { paxLine, tarOf } from './tar-archive.ts';

async function* cut(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(bytes: Uint8Array, size = 1000): Promise<readonly (readonly [string, string])[]> {
  const files: [string, string][] = [];
  for await (const file of tarFiles(cut(bytes, size)))
    files.push([file.name, Buffer.from(file.bytes).toString()]);
  return files;
}

test('any files come out as they went in, however the stream is cut', async () => {
  const entry = fc.record({ name: fc.stringMatching(/^[a-z]{1,20}$/), text: fc.string({ maxLength: 2000 }) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(entry, { maxLength: 5 }),
      fc.integer({ min: 1, max: 3000 }),
      async (entries, size) => {
        expect(await read(tarOf(entries), size)).toEqual(entries.map(({ name, text }) => [name, text]));
      },
    ),
    { numRuns: 50 },
  );
});

test('long names come from headers of their own; folders and links are skipped', async () => {
  const long = `a/${'b'.repeat(150)}`;
  const archive = tarOf([
    { name: 'pax_global_header', text: paxLine('comment', 'f00'), type: 'g' },
    { name: 'a/', type: '5' },
    { name: 'PaxHeader', text: paxLine('mtime', '1') + paxLine('path', long), type: 'x' },
    { name: 'short', text: 'one' },
    { name: '././@LongLink', text: `${long}c\0`, type: 'L' },
    { name: 'short', text: 'two' },
    { name: 'link', type: '2' },
    { name: 'last', text: 'three' },
  ]);
  expect(await read(archive)).toEqual([
    [long, 'one'],
    [`${long}c`, 'two'],
    ['last', 'three'],
  ]);
});

test('an archive that is cut off or changed is damaged', async () => {
  const archive = tarOf([{ name: 'page.html', text: 'x'.repeat(2000) }]);
  await expect(read(archive.subarray(0, 1500))).rejects.toThrow(/damaged: it ends within page.html/);
  await expect(read(archive.subarray(0, 2560))).rejects.toThrow(/damaged: it ends without its end mark/);
  const changed = Buffer.from(archive);
  changed.write('q', 0);
  await expect(read(changed)).rejects.toThrow(/damaged: the checksum of a header/);
});
