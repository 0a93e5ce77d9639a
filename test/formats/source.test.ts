// Folders, single files and archives as sources: what lies outside them, and what would exhaust the memory, is never read.

import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_EXPANSION } from '../../runtime/formats/limits.ts';
import { openFolder } from '../../runtime/formats/source/folder.ts';
import { whyUnsafe } from '../../runtime/formats/source/names.ts';
import { openSource } from '../../runtime/formats/source/open.ts';
import { SourceError, type SourceFiles } from '../../runtime/formats/source/source.ts';
import { linesOf } from '../../runtime/formats/source/text-lines.ts';
import { temporaryFolder } from '../temporary.ts';
import { type ArchiveInput, archive } from './archives.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

function written(files: Readonly<Record<string, string | Uint8Array>>): string {
  const root = temporaryFolder('source');
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  return root;
}

async function openedArchive(inputs: readonly ArchiveInput[]): Promise<SourceFiles> {
  return openSource(join(written({ 'a.zip': archive(inputs) }), 'a.zip'));
}

async function collected<T>(all: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const each of all) found.push(each);
  return found;
}

test('a file that is called .zip and is none is reported as a damaged archive', async () => {
  const root = written({ 'a.zip': 'hello', 'b.rar': 'hello' });
  await expect(openSource(join(root, 'a.zip'))).rejects.toThrow(
    "a.zip' is no zip archive, or it is cut off.",
  );
  await expect(openSource(join(root, 'b.rar'))).rejects.toThrow('no .json, .jsonl or .zip file');
});

describe('a folder', () => {
  test('lists its files, and the ones that may be trajectories', async () => {
    const source = await openSource(written({ 'b/traj.jsonl': '', 'a.png': '', 'c.JSON': '' }));
    expect(source.names).toEqual(['a.png', 'b/traj.jsonl', 'c.JSON']);
    expect(source.candidates).toEqual(['b/traj.jsonl', 'c.JSON']);
    await source.close();
  });

  test('has other files beside one that is deleted or replaced', async () => {
    const root = written({
      'gone.json': '[]',
      'folder.json': '[]',
      'kept.jsonl': 'one',
      'lost/a.json': '[]',
    });
    const source = await openSource(root);
    for (const name of ['gone.json', 'folder.json', 'lost']) rmSync(join(root, name), { recursive: true });
    mkdirSync(join(root, 'folder.json'));
    writeFileSync(join(root, 'lost'), '');
    for (const [name, why] of [
      ['gone.json', /^Cannot read the file 'gone\.json': it does not exist any more\. Repair it, or leave/],
      ['folder.json', /it is a folder/],
      ['lost/a.json', /a folder above it does not exist any more/],
    ] as const) {
      await expect(source.read(name, 10_000)).rejects.toThrow(why);
      await expect(source.read(name, 10_000)).rejects.toThrow(SourceError);
      await expect(collected(source.lines(name, 10_000))).rejects.toThrow(why);
    }
    expect(await collected(source.lines('kept.jsonl', 100))).toHaveLength(1);
  });

  test('has other files beside a folder that this user may not list', async () => {
    const root = written({ 'a.json': '[]', 'secret/b.json': '[]' });
    // The system lets root list every folder.
    const source = await openFolder(root, async folder => {
      if (folder === join(root, 'secret')) throw Object.assign(new Error('denied'), { code: 'EACCES' });
      return readdir(folder, { withFileTypes: true });
    });
    expect(source.names).toEqual(['a.json']);
    expect(source.refused).toEqual([
      { file: 'secret', why: expect.stringMatching(/^The folder cannot be listed: this user has no perm/) },
    ]);
  });

  test.skipIf(process.platform === 'win32')('follows no symbolic link', async () => {
    const secret = written({ 'secret.json': 'secret' });
    const root = written({ 'a.json': '[]' });
    symlinkSync(join(secret, 'secret.json'), join(root, 'link.json'));
    symlinkSync(secret, join(root, 'folder'));
    const source = await openSource(root);
    expect(source.names).toEqual(['a.json']);
    expect(source.refused.map(({ file }) => file).sort()).toEqual(['folder', 'link.json']);
    await expect(source.read('link.json', 100)).rejects.toThrow(SourceError);
    await expect(source.read('../x', 100)).rejects.toThrow(SourceError);
  });

  test('names the size of a file that is too large', async () => {
    const source = await openSource(written({ 'a.json': '12345' }));
    await expect(source.read('a.json', 4)).rejects.toThrow(
      "The file 'a.json' has 5 bytes, the limit is 4. Split it, or leave it out of the source.",
    );
    expect(textOf(await source.read('a.json', 5))).toBe('12345');
  });
});

test('a single file is the only candidate, with the pictures around it', async () => {
  const root = written({ 'a.json': '', 'b.json': '', 'x.png': '', 'images/y.png': '', 'far/away/z.png': '' });
  const source = await openSource(join(root, 'a.json'));
  expect(source.candidates).toEqual(['a.json']);
  expect(source.names).toEqual(['a.json', 'b.json', 'images/y.png', 'x.png']);
});

test.skipIf(process.platform === 'win32')('a single file may be a link, which the user named', async () => {
  const root = written({ 'a.json': '[]', 'x.png': '' });
  const link = join(written({}), 'latest.json');
  symlinkSync(join(root, 'a.json'), link);
  const source = await openSource(link);
  expect([source.candidates, source.refused]).toEqual([['a.json'], []]);
  expect(source.names).toEqual(['a.json', 'x.png']);
  expect(textOf(await source.read('a.json', 100))).toBe('[]');
});

test.each([
  ['missing', () => '/no/such/folder', /does not exist\. Give a folder/],
  ['of another kind', () => join(written({ 'a.tar.gz': 'x' }), 'a.tar.gz'), /Unpack other archives/],
  [
    'cut off',
    () => join(written({ 'a.zip': archive([{ name: 'a', content: utf8('a') }]).slice(0, -4) }), 'a.zip'),
    /cut off/,
  ],
])('a path that is %s is refused with the next step', async (_, path, message) => {
  await expect(openSource(path())).rejects.toThrow(message);
});

describe('an archive', () => {
  test('gives back what is in it, stored or compressed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(
          fc.record({
            name: fc.stringMatching(/^[a-z]{1,8}(\/[a-z]{1,8}){0,3}\.json$/),
            content: fc.uint8Array({ maxLength: 300 }),
            isStored: fc.boolean(),
          }),
          { selector: ({ name }) => name, maxLength: 6 },
        ),
        async inputs => {
          const source = await openedArchive(inputs);
          expect(source.names).toEqual(inputs.map(({ name }) => name).sort());
          for (const { name, content } of inputs)
            expect(Buffer.from(await source.read(name, 300))).toEqual(Buffer.from(content));
          await source.close();
        },
      ),
      { numRuns: 30 },
    );
  });

  test.each([
    '../x.json',
    'a/../../x.json',
    '/etc/x.json',
    'C:\\x.json',
    'a\\..\\x.json',
    'a//x.json',
    './x.json',
    'a\0.json',
  ])('never opens the name %j', async name => {
    const source = await openedArchive([
      { name, content: utf8('x') },
      { name: 'fine.json', content: utf8('y') },
    ]);
    expect(source.names).toEqual(['fine.json']);
    expect(source.refused).toEqual([{ file: name, why: expect.stringMatching(/\. .+\.$/) }]);
    await expect(source.read(name, 100)).rejects.toThrow(SourceError);
    await source.close();
  });

  test('a safe name stays below its folder', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(fc.constantFrom('..', '.', 'a', '', '/', '\\', 'C:')).map(parts => parts.join('/')),
        ),
        name => {
          if (whyUnsafe(name) === undefined) expect(join('/root', name)).toMatch(/^\/root\/.+/);
        },
      ),
    );
  });

  test.each<readonly [string, Partial<ArchiveInput>, RegExp]>([
    ['a symbolic link', { isLink: true }, /symbolic link/],
    ['an encrypted file', { isEncrypted: true }, /encrypted/],
    ['an unknown method', { method: 99 }, /method 99/],
    ['sizes that disagree', { isStored: true, claimedBytes: 9 }, /sizes disagree/],
  ])('refuses %s with the reason', async (_, changes, why) => {
    const source = await openedArchive([{ name: 'a.json', content: utf8('abc'), ...changes }]);
    expect(source).toMatchObject({
      names: [],
      refused: [{ file: 'a.json', why: expect.stringMatching(why) }],
    });
    await source.close();
  });

  test('refuses an entry that expands like a bomb', async () => {
    const source = await openedArchive([{ name: 'a.json', content: new Uint8Array(8 << 20) }]);
    expect(source.names).toEqual([]);
    expect(source.refused[0]?.why).toMatch(
      new RegExp(`^It expands \\d+ times, the limit is ${MAX_EXPANSION}\\.`),
    );
    await source.close();
  });

  test('inflates no more than the entry claims', async () => {
    const source = await openedArchive([
      { name: 'a.json', content: new Uint8Array(1 << 20), claimedBytes: 1000 },
    ]);
    await expect(source.read('a.json', 1 << 20)).rejects.toThrow(/is damaged/);
    await source.close();
  });

  test('refuses entries that share their bytes', async () => {
    const content = new Uint8Array(Buffer.from('x'.repeat(5000)));
    const shared = Array.from({ length: 50 }, (_, index) => ({
      name: `${index}.json`,
      content,
      isStored: true,
      at: 0,
    }));
    await expect(openedArchive([{ name: 'a.json', content, isStored: true }, ...shared])).rejects.toThrow(
      /overlap/,
    );
  });

  test('of damaged bytes is an error for the user, or has files that can be read or are damaged', async () => {
    const whole = archive([
      { name: 'a.json', content: utf8('{"a": 1}'.repeat(20)) },
      { name: 'b/c.json', content: utf8('[]'), isStored: true },
    ]);
    const root = written({});
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), fc.nat(3), async (at, byte, extra) => {
        const damaged = Uint8Array.from(whole);
        for (let each = at; each <= at + extra; each++) damaged[each] = byte;
        writeFileSync(join(root, 'a.zip'), damaged);
        try {
          const source = await openSource(join(root, 'a.zip'));
          for (const name of source.names)
            await source
              .read(name, 1000)
              .catch((error: unknown) => expect(error).toBeInstanceOf(SourceError));
          await source.close();
        } catch (error) {
          expect(error).toBeInstanceOf(SourceError);
        }
      }),
      { numRuns: 300 },
    );
  });
});

test('lines are the same wherever the stream is cut', async () => {
  const texts = fc.array(
    fc
      .oneof(fc.string({ maxLength: 12 }), fc.constant(''))
      .map(each => each.replaceAll(/[\r\n]/g, '').trim()),
  );
  await fc.assert(
    fc.asyncProperty(texts, fc.integer({ min: 1, max: 9 }), async (all, size) => {
      const bytes = utf8(all.join('\n'));
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.slice(index * size, (index + 1) * size),
      );
      const found = await collected(linesOf(chunks, 1000));
      expect(found).toEqual(
        all.flatMap((text, index) => (text === '' ? [] : [{ kind: 'text', number: index + 1, text }])),
      );
    }),
  );
});

test('a line beyond the limit is reported by its number, and the next one is read', async () => {
  const found = await collected(linesOf([utf8('ab'), utf8('cdef\nxy\nlong'), utf8('er')], 4));
  expect(found).toEqual([
    { kind: 'too-long', number: 1 },
    { kind: 'text', number: 2, text: 'xy' },
    { kind: 'too-long', number: 3 },
  ]);
});
