// Files by address: mirrored, kept, or from the network.

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { KeptDownloads, mirroredPath } from '../../../runtime/environments/osworld/downloads.ts';
import { temporaryFolder } from '../../temporary.ts';
import { bytesOf } from './memory-machine.ts';

const URL_A = 'https://files.org/sub/a%20b.txt';
const URL_DRIVE = 'https://drive.google.com/uc?export=download&id=1';

test('the network is asked once for an address, also by several at the same time and by a later process', async () => {
  const folder = temporaryFolder('downloads');
  const asked: string[] = [];
  const network = async (url: string) => {
    asked.push(url);
    return bytesOf(url);
  };
  const downloads = new KeptDownloads({ folder: join(folder, 'kept'), network });
  const all = await Promise.all([downloads.fetch(URL_A), downloads.fetch(URL_A), downloads.fetch(URL_DRIVE)]);
  expect(all.map(bytes => new TextDecoder().decode(bytes))).toEqual([URL_A, URL_A, URL_DRIVE]);
  const later = new KeptDownloads({ folder: join(folder, 'kept') });
  expect(new TextDecoder().decode(await later.fetch(URL_A))).toBe(URL_A);
  expect(asked.toSorted()).toEqual([URL_DRIVE, URL_A]);
});

test('a mirror has files by host and path, and others by name', async () => {
  const mirror = temporaryFolder('downloads');
  mkdirSync(join(mirror, 'files.org/sub'), { recursive: true });
  writeFileSync(join(mirror, 'files.org/sub/a b.txt'), 'mirrored');
  writeFileSync(join(mirror, 'one.xlsx'), 'named');
  writeFileSync(join(mirror, 'urls.json'), JSON.stringify({ [URL_DRIVE]: 'one.xlsx' }));
  const downloads = new KeptDownloads({ mirror, folder: join(mirror, 'kept') });
  expect(new TextDecoder().decode(await downloads.fetch(URL_A))).toBe('mirrored');
  expect(new TextDecoder().decode(await downloads.fetch(URL_DRIVE))).toBe('named');
});

test('a mirror may end in a slash, and may be relative', async () => {
  const mirror = temporaryFolder('downloads');
  mkdirSync(join(mirror, 'files.org/sub'), { recursive: true });
  writeFileSync(join(mirror, 'files.org/sub/a b.txt'), 'mirrored');
  const here = relative('.', mirror);
  for (const spelled of [`${mirror}/`, `${mirror}/.`, here, `./${here}/`]) {
    const downloads = new KeptDownloads({ mirror: spelled, folder: join(mirror, 'kept') });
    expect(new TextDecoder().decode(await downloads.fetch(URL_A))).toBe('mirrored');
  }
  expect(await mirroredPath('.', URL_A)).toBe('files.org/sub/a b.txt');
  for (const spelled of [`${mirror}/`, '.'])
    expect(await mirroredPath(spelled, 'https://x/..%2F..%2Fsecret')).toBeUndefined();
});

test('an address with a bare percent sign is mirrored under its own spelling', async () => {
  const mirror = temporaryFolder('downloads');
  mkdirSync(join(mirror, 'files.org'));
  writeFileSync(join(mirror, 'files.org/100%.pdf'), 'mirrored');
  const downloads = new KeptDownloads({ mirror, folder: join(mirror, 'kept') });
  expect(new TextDecoder().decode(await downloads.fetch('https://files.org/100%.pdf'))).toBe('mirrored');
});

test.each([
  ['a folder', 'https://files.org/sub'],
  ['a file in place of a folder', 'https://files.org/sub/file/b'],
  ['a name that no file can have', `https://files.org/${'n'.repeat(300)}`],
])('%s in the mirror is no file of the address', async (_, url) => {
  const mirror = temporaryFolder('downloads');
  mkdirSync(join(mirror, 'files.org/sub'), { recursive: true });
  writeFileSync(join(mirror, 'files.org/sub/file'), 'mirrored');
  const network = async () => bytesOf('from the network');
  const downloads = new KeptDownloads({ mirror, folder: join(mirror, 'kept'), network });
  expect(new TextDecoder().decode(await downloads.fetch(url))).toBe('from the network');
});

test('a mirrored file that cannot be read is an error with the address', async () => {
  const mirror = temporaryFolder('downloads');
  const downloads = new KeptDownloads({ mirror, folder: join(mirror, 'kept') });
  await expect(downloads.fetch('https://files.org/a%00b')).rejects.toMatchObject({
    failure: {
      thing: 'download',
      message: expect.stringContaining('cannot download https://files.org/a%00b: '),
    },
  });
});

test.each(['{', '[]', '{"https://a.org": 7}'])(
  'a list of names with %s is an error that says what to write',
  async content => {
    const mirror = temporaryFolder('downloads');
    writeFileSync(join(mirror, 'urls.json'), content);
    const downloads = new KeptDownloads({ mirror, folder: join(mirror, 'kept') });
    await expect(downloads.fetch(URL_A)).rejects.toThrow(
      /urls\.json does not map addresses to files\. Write/,
    );
  },
);

test('an address cannot lead out of the mirror', async () => {
  const folder = temporaryFolder('downloads');
  mkdirSync(join(folder, 'mirror'));
  writeFileSync(join(folder, 'secret'), 'secret');
  const downloads = new KeptDownloads({ mirror: join(folder, 'mirror'), folder: join(folder, 'kept') });
  await expect(downloads.fetch('https://x/..%2F..%2Fsecret')).rejects.toThrow(/Add it, or allow the network/);
});

test('a failed download is tried again', async () => {
  const folder = temporaryFolder('downloads');
  let tries = 0;
  const network = async () => {
    tries += 1;
    if (tries === 1) throw new Error('no route');
    return bytesOf('late');
  };
  const downloads = new KeptDownloads({ folder, network });
  await expect(downloads.fetch(URL_A)).rejects.toThrow('no route');
  expect(new TextDecoder().decode(await downloads.fetch(URL_A))).toBe('late');
});

test('a download that does not reach the disk is not kept', async () => {
  const folder = temporaryFolder('downloads');
  const handle = await open(new URL(import.meta.url));
  const prototype: FileHandle = Object.getPrototypeOf(handle);
  await handle.close();
  const sync = vi.spyOn(prototype, 'sync').mockRejectedValueOnce(new Error('the disk failed'));
  onTestFinished(() => void sync.mockRestore());
  const downloads = new KeptDownloads({ folder, network: async () => bytesOf('from the network') });
  await expect(downloads.fetch(URL_A)).rejects.toThrow('the disk failed');
  expect(readdirSync(folder)).toEqual([]);
});

test('a download that cannot be kept leaves no part of a file', async () => {
  const folder = temporaryFolder('downloads');
  const name = createHash('sha256').update(URL_A).digest('hex');
  const network = async () => {
    mkdirSync(join(folder, name)); // It takes the place of the file.
    return bytesOf('from the network');
  };
  await expect(new KeptDownloads({ folder, network }).fetch(URL_A)).rejects.toThrow('rename');
  expect(readdirSync(folder)).toEqual([name]);
});
