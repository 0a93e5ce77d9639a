// The tag of an image depends on its inputs and on nothing else. Builds of images, and their storage in a folder.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { DockerHost } from '../../../runtime/environments/docker/host.ts';
import { saveImage } from '../../../runtime/environments/docker/image-files.ts';
import {
  ensureImage,
  type ImageInputs,
  imageTag,
  inputsFolder,
  readInputs,
} from '../../../runtime/environments/docker/images.ts';
import { temporaryFolder } from '../../temporary.ts';

const inputs = await readInputs(inputsFolder());

const changed = (path: string): ImageInputs => ({
  ...inputs,
  files: inputs.files.map(file =>
    file.path === path ? { ...file, data: Buffer.concat([file.data, Buffer.of(32)]) } : file,
  ),
});

test('the folder has the inputs of both images', () => {
  expect(inputs.files.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['small/Dockerfile', 'large/Dockerfile', 'elements/module.c', 'elements/hub.c']),
  );
});

test('the same inputs give the same tag', async () => {
  const again = await readInputs(inputsFolder());
  expect(imageTag('small', again)).toBe(imageTag('small', inputs));
  expect(imageTag('small', inputs)).toMatch(/^dartboard-small:[0-9a-f]{12}$/);
  expect(imageTag('large', inputs)).toMatch(/^dartboard-large:[0-9a-f]{12}$/);
});

test.each(inputs.files.map(({ path }) => path))('a change of %s changes the tags of its images', path => {
  const other = changed(path);
  expect(imageTag('large', other)).not.toBe(imageTag('large', inputs));
  if (path.startsWith('large/')) expect(imageTag('small', other)).toBe(imageTag('small', inputs));
  else expect(imageTag('small', other)).not.toBe(imageTag('small', inputs));
});

const isCheckout = spawnSync('git', ['rev-parse', '--is-inside-work-tree']).status === 0;

test.skipIf(!isCheckout)('a checkout has the same line ends, and so the same tags, on every system', () => {
  const paths = inputs.files.map(({ path }) => join(inputsFolder(), path));
  const output = spawnSync('git', ['check-attr', 'eol', '--', ...paths], { encoding: 'utf8' }).stdout.trim();
  for (const line of output.split('\n')) expect(line).toMatch(/: eol: lf$/);
});

test('the large image is built on the current small one', async () => {
  const builds: unknown[] = [];
  const host: Partial<DockerHost> = {
    name: 'here',
    images: async tag => (tag === imageTag('small', inputs) ? [{ tags: [tag], size: 1 }] : []),
    build: async (_folder, files, options) => {
      builds.push({ files, ...options });
      return Readable.from([]);
    },
  };
  await ensureImage(host as DockerHost, 'large', inputs, { progress: () => undefined });
  expect(builds).toEqual([
    expect.objectContaining({
      files: expect.arrayContaining(['large/Dockerfile']),
      dockerfile: 'large/Dockerfile',
      buildargs: { SMALL: imageTag('small', inputs) },
      tag: imageTag('large', inputs),
    }),
  ]);
});

test('an image that exists is stored in a cache folder that lacks it, once', async () => {
  const cache = temporaryFolder('images');
  const saves: string[] = [];
  const host: Partial<DockerHost> = {
    name: 'here',
    images: async tag => [{ tags: [tag ?? ''], size: 1 }],
    save: async tag => {
      saves.push(tag);
      return Readable.from(['the layers']);
    },
  };
  for (let time = 0; time < 2; time++)
    await ensureImage(host as DockerHost, 'small', inputs, { cache, progress: () => undefined });
  expect(saves).toEqual([imageTag('small', inputs)]);
  expect(readdirSync(cache)).toEqual([
    expect.stringMatching(/^dartboard-small-[0-9a-f]{12}\.tar\.(gz|zst)$/),
  ]);
});

test('a save removes its parts that are older than a day, and no other', async () => {
  const folder = temporaryFolder('images');
  const file = join(folder, 'small.tar');
  // No process here has such a pid: the fresh part is that of another machine.
  const fresh = 'small.tar.part-999999999';
  const others = ['large.tar.part-999999998', 'small.tar.part-aa'];
  const old = ['small.tar.part-999999998', ...others];
  for (const name of [fresh, ...old]) writeFileSync(join(folder, name), 'the first layers');
  // A folder cannot be removed as a file.
  const stuck = 'small.tar.part-999999997';
  mkdirSync(join(folder, stuck));
  for (const name of [...old, stuck]) utimesSync(join(folder, name), 0, 0);
  const host: Partial<DockerHost> = { save: async () => Readable.from(['the layers']) };
  await saveImage(host as DockerHost, 'small', file);
  expect(readdirSync(folder).sort()).toEqual([...others, 'small.tar', stuck, fresh].sort());
  expect(readFileSync(file, 'utf8')).toBe('the layers');
});
