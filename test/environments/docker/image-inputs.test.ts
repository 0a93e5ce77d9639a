// The names of images: what they are built from, and nothing else, decides them.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  contextOf,
  type ImageInputs,
  imageTag,
  inputsFolder,
  readInputs,
} from '../../../runtime/environments/docker/image-inputs.ts';
import { tarOf } from '../../../runtime/environments/docker/tar.ts';

const inputs = await readInputs(inputsFolder());

const changed = (path: string): ImageInputs =>
  inputs.map(file =>
    file.path === path ? { ...file, data: Buffer.concat([file.data, Buffer.of(32)]) } : file,
  );

test('the folder has all that the two images need, and its scripts are programs', () => {
  expect(inputs.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['small/Dockerfile', 'large/Dockerfile', 'elements/module.c', 'elements/hub.c']),
  );
  const programs = inputs.filter(({ isProgram }) => isProgram).map(({ path }) => path);
  expect(programs).toEqual(['elements/build.sh', 'files/usr/lib/dartboard/start', 'warden/build.sh']);
});

test('the same inputs give the same name', async () => {
  const again = await readInputs(inputsFolder());
  expect(imageTag('small', again)).toBe(imageTag('small', inputs));
  expect(imageTag('small', inputs)).toMatch(/^dartboard-small:[0-9a-f]{12}$/);
  expect(imageTag('large', inputs)).toMatch(/^dartboard-large:[0-9a-f]{12}$/);
});

test.each(inputs.map(({ path }) => path))('one byte of %s gives other names to what it goes into', path => {
  const other = changed(path);
  expect(imageTag('large', other)).not.toBe(imageTag('large', inputs));
  if (path.startsWith('large/')) expect(imageTag('small', other)).toBe(imageTag('small', inputs));
  else expect(imageTag('small', other)).not.toBe(imageTag('small', inputs));
});

const isCheckout = spawnSync('git', ['rev-parse', '--is-inside-work-tree']).status === 0;

test.skipIf(!isCheckout)(
  'a checkout has the same line ends on every system, and so gives the same names',
  () => {
    const paths = inputs.map(({ path }) => join(inputsFolder(), path));
    const told = spawnSync('git', ['check-attr', 'eol', '--', ...paths], { encoding: 'utf8' }).stdout.trim();
    for (const line of told.split('\n')) expect(line).toMatch(/: eol: lf$/);
  },
);

test('the large image is built on the small one of the same inputs', () => {
  expect(contextOf('large', inputs).includes(`ARG SMALL=${imageTag('small', inputs)}\n`)).toBe(true);
  expect(contextOf('large', inputs).includes('ARG SMALL=dartboard-small:dev')).toBe(false);
});

test('a tar is read by tar: paths, bytes, and which of them are programs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dartboard-tar-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const long = `${'folder/'.repeat(20)}file.txt`;
  const file = join(folder, 'a.tar');
  writeFileSync(
    file,
    tarOf([
      { path: 'run', data: Buffer.from('#!/bin/sh\n'), isProgram: true },
      { path: long, data: Buffer.alloc(1025, 'x'), isProgram: false },
      { path: 'empty', data: Buffer.alloc(0), isProgram: false },
    ]),
  );
  const { stdout, stderr } = spawnSync('tar', ['-tvf', file], { encoding: 'utf8' });
  expect(stderr).toBe('');
  const rows = stdout.trim().split('\n');
  expect(rows.map(row => row.split(/\s+/).at(-1))).toEqual(['run', long, 'empty']);
  expect(rows.map(row => row.slice(0, 10))).toEqual(['-rwxr-xr-x', '-rw-r--r--', '-rw-r--r--']);
  expect(rows[1]).toMatch(/\s1025\s/);
});

test('a path that no tar can hold is refused by name', () => {
  expect(() => tarOf([{ path: 'x'.repeat(101), data: Buffer.alloc(0), isProgram: false }])).toThrow(
    /xxx.*too long/,
  );
});
