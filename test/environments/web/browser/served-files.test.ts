import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { servedFile } from '../../../../runtime/environments/web/browser/served-files.ts';
import { temporaryFolder } from '../../../temporary.ts';

const SECRET = 'outside of the folder';

function site(): string {
  const parent = temporaryFolder('site');
  const folder = join(parent, 'pages');
  mkdirSync(join(folder, 'sub'), { recursive: true });
  writeFileSync(join(parent, 'secret.txt'), SECRET);
  writeFileSync(join(folder, 'index.html'), 'start');
  writeFileSync(join(folder, 'sub', 'index.html'), 'sub');
  writeFileSync(join(folder, 'a b.JSON'), '{}');
  writeFileSync(join(folder, 'data.bin'), 'bytes');
  writeFileSync(join(folder, '..draft.html'), 'draft');
  symlinkSync(join(parent, 'secret.txt'), join(folder, 'link.txt'));
  symlinkSync(parent, join(folder, 'up'));
  return folder;
}

const read = async (folder: string, path: string) => {
  const { status, type, body } = await servedFile(folder, path);
  return { status, type, text: Buffer.from(body).toString() };
};

describe('a served folder', () => {
  test('returns its files with their types', async () => {
    const folder = site();
    expect(await read(folder, '/')).toEqual({ status: 200, type: 'text/html; charset=utf-8', text: 'start' });
    expect(await read(folder, '/sub/')).toMatchObject({ status: 200, text: 'sub' });
    expect(await read(folder, '/a%20b.JSON')).toMatchObject({
      type: 'application/json; charset=utf-8',
      text: '{}',
    });
    expect(await read(folder, '/data.bin')).toMatchObject({
      type: 'application/octet-stream',
      text: 'bytes',
    });
    expect(await read(folder, '/..draft.html')).toMatchObject({ status: 200, text: 'draft' });
  });

  test.each(['/no.html', '/sub', '/%', '/%00', '/index.html/', '/index.html%00.txt'])(
    'has no file %s',
    async path => {
      expect(await read(site(), path)).toMatchObject({ status: 404 });
    },
  );

  test('a folder that does not exist has no files', async () => {
    expect(await read(join(site(), 'none'), '/index.html')).toMatchObject({ status: 404 });
  });

  test('never returns a file outside, by any path or link', async () => {
    const folder = site();
    for (const path of [
      '/../secret.txt',
      '/%2e%2e/secret.txt',
      '/..%2fsecret.txt',
      '/link.txt',
      '/up/secret.txt',
      '/..%5csecret.txt',
    ])
      expect(await read(folder, path)).toMatchObject({ status: 404 });
    const part = fc.constantFrom(
      '..',
      '.',
      '',
      'sub',
      'up',
      '%2e%2e',
      '%2f',
      '..%2f',
      '%5c',
      'secret.txt',
      'pages',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 6 }), async parts => {
        expect((await read(folder, `/${parts.join('/')}`)).text).not.toBe(SECRET);
      }),
    );
  });
});
