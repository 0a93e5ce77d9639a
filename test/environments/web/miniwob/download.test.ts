import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../../runtime/core/system-clock.ts';
import {
  downloadMiniwob,
  keptName,
  MINIWOB_SOURCE,
} from '../../../../runtime/environments/web/miniwob/download.ts';
import { temporaryFolder } from '../../../temporary.ts';
import { archiveOf } from './tar-archive.ts';

const FILES = {
  LICENSE: 'MIT',
  'html/core/core.js': 'var core = {};',
  'html/miniwob/click-test.html': '<script>core.startEpisode()</script>',
};
/** Without a pattern, so that it does not compress. */
const noise = (bytes: number): string =>
  Array.from({ length: bytes / 64 }, (_, index) =>
    createHash('sha256').update(`${index}`).digest('hex'),
  ).join('');
const ENTRIES = [
  { name: 'project-1.0/', type: '5' },
  { name: 'project-1.0/README.md', text: noise(400_000) },
  { name: 'project-1.0/LICENSE', text: FILES.LICENSE },
  { name: 'project-1.0/miniwob/html/core/core.js', text: FILES['html/core/core.js'] },
  { name: 'project-1.0/miniwob/html/miniwob/click-test.html', text: FILES['html/miniwob/click-test.html'] },
  { name: 'project-1.0/miniwob/html/flight/wrapper.html', text: 'not needed' },
];
const sha = (text: string): string => createHash('sha256').update(text).digest('hex');
const DIGEST = sha(
  Object.entries(FILES)
    .map(([name, text]) => `${sha(text)} ${name}\n`)
    .join(''),
);

let answer: (request: IncomingMessage, response: ServerResponse) => void;
const server = createServer((request, response) => answer(request, response));
let url = '';
beforeEach(async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the test server has no port');
  url = `http://127.0.0.1:${address.port}/archive.tar.gz`;
});
afterEach(() => new Promise<unknown>(resolve => server.close(resolve).closeAllConnections()));

const get = (folder: string, digest = DIGEST): Promise<void> =>
  downloadMiniwob({
    source: { url, digest },
    folder,
    clock: systemClock,
    signal: new AbortController().signal,
  });
const newFolder = (): string => join(temporaryFolder('download'), 'miniwob');
const filesIn = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name))
      .map(path => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]),
  );

test('the folder has the pages and the licence, and nothing stays beside it', async () => {
  answer = (_, response) => response.end(archiveOf(ENTRIES));
  const folder = newFolder();
  await get(folder);
  expect(filesIn(folder)).toEqual(FILES);
  expect(readdirSync(join(folder, '..'))).toEqual(['miniwob']);
});

test('a redirect is followed', async () => {
  answer = (request, response) =>
    request.url === '/archive.tar.gz'
      ? response.writeHead(302, { location: '/elsewhere' }).end()
      : response.end(archiveOf(ENTRIES));
  const folder = newFolder();
  await get(folder);
  expect(filesIn(folder)).toEqual(FILES);
});

describe('a download that was interrupted', () => {
  const archive = archiveOf(ENTRIES);
  const half = Math.floor(archive.length / 2);

  /** Sends half of the archive, then cuts the connection. */
  const interrupt = async (folder: string): Promise<void> => {
    answer = (_, response) => {
      response.writeHead(200, { etag: '"one"', 'content-length': archive.length });
      response.write(archive.subarray(0, half), () => response.destroy());
    };
    await expect(get(folder)).rejects.toThrow(/cannot be downloaded.*it continues where it stopped/s);
    expect(existsSync(folder)).toBe(false);
  };

  test('continues where it stopped', async () => {
    const folder = newFolder();
    await interrupt(folder);
    const have = readFileSync(`${folder}.part/archive.tar.gz`).length;
    expect(have).toBeGreaterThan(0);
    const ranges: unknown[] = [];
    answer = (request, response) => {
      ranges.push(request.headers.range, request.headers['if-range']);
      response.writeHead(206, { etag: '"one"' }).end(archive.subarray(have));
    };
    await get(folder);
    expect(ranges).toEqual([`bytes=${have}-`, '"one"']);
    expect(filesIn(folder)).toEqual(FILES);
  });

  test('starts again if the archive is another one by now', async () => {
    const folder = newFolder();
    await interrupt(folder);
    answer = (_, response) => response.writeHead(200, { etag: '"two"' }).end(archive);
    await get(folder);
    expect(filesIn(folder)).toEqual(FILES);
  });

  test('is unpacked if only that was missing', async () => {
    const folder = newFolder();
    mkdirSync(`${folder}.part`, { recursive: true });
    writeFileSync(`${folder}.part/archive.tar.gz`, archive);
    writeFileSync(`${folder}.part/archive.tar.gz.etag`, '"one"');
    answer = (_, response) => response.writeHead(416).end();
    await get(folder);
    expect(filesIn(folder)).toEqual(FILES);
  });
});

describe('an archive that is not used leaves nothing behind', () => {
  test.each([
    ['its files are others', ENTRIES.slice(0, -3), /The digest of its files is \w+ instead of/],
    ['a name leads out of the folder', [{ name: 'project/../../evil', text: 'x' }], /the unsafe name/],
  ])('%s', async (_, entries, message) => {
    answer = (_request, response) => response.end(archiveOf(entries));
    const folder = newFolder();
    await expect(get(folder)).rejects.toThrow(message);
    expect(readdirSync(join(folder, '..'))).toEqual([]);
  });

  test('it is no archive', async () => {
    answer = (_, response) => response.end('<html>Sign in</html>');
    const folder = newFolder();
    await expect(get(folder)).rejects.toThrow(/is not used: .*header/);
    expect(readdirSync(join(folder, '..'))).toEqual([]);
  });
});

test('an answer without an archive names the status', async () => {
  answer = (_, response) => response.writeHead(404).end();
  await expect(get(newFolder())).rejects.toThrow(/the server answered 404\. Check the network/);
});

test('an existing folder is not touched', async () => {
  const folder = temporaryFolder('existing');
  await expect(get(folder)).rejects.toThrow(/exists\. Remove it, or choose another folder with --to/);
});

test('an aborted download rejects with the reason', async () => {
  const stop = new AbortController();
  answer = () => stop.abort(new Error('stopped'));
  const source = { url, digest: DIGEST };
  const options = { source, folder: newFolder(), clock: systemClock, signal: stop.signal };
  await expect(downloadMiniwob(options)).rejects.toThrow('stopped');
});

test.each([
  ['p/LICENSE', 'LICENSE'],
  ['p/miniwob/html/core/core.js', 'html/core/core.js'],
  ['p/miniwob/html/flight/AA/wrapper.html', undefined],
  ['p/miniwob/envs.py', undefined],
  ['pax_global_header', undefined],
])('the file %s is kept as %s', (name, kept) => {
  expect(keptName(name)).toBe(kept);
});

test.each(['p/../x', 'p/miniwob/html/../../x', 'p//etc/passwd', 'p/a\\b', 'p/C:', 'p/./x'])(
  'the name %s is refused',
  name => {
    expect(() => keptName(name)).toThrow(/unsafe name/);
  },
);

test('the source is fetched over https from a fixed tag', () => {
  expect(MINIWOB_SOURCE.url).toMatch(/^https:.*\/tags\/v1\.0\.tar\.gz$/);
});
