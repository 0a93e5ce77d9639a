// The page with the screens of an attempt.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { writeFilm } from '../../runtime/cli/attempt-result.ts';
import { temporaryFolder } from '../temporary.ts';

const attempts = () => join(temporaryFolder('workspace'), '.dartboard/attempts');

test('attempts that end at the same time have a page each', async () => {
  const folder = attempts();
  const films = Array.from({ length: 5 }, (_, number) => `film ${number}`);
  const files = await Promise.all(films.map(film => writeFilm(folder, film)));
  expect(files.map(file => readFileSync(join(folder, basename(file)), 'utf8'))).toEqual(films);
  expect(readdirSync(folder)).toHaveLength(films.length + 1);
});

test('a page stays out of version control', async () => {
  const folder = attempts();
  await writeFilm(folder, 'film');
  expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('*\n');
});

// Windows has no such modes.
test.skipIf(process.platform === 'win32')('only its owner can read a page', async () => {
  const folder = attempts();
  const file = await writeFilm(folder, 'film');
  for (const path of [folder, join(folder, basename(file))]) expect(statSync(path).mode & 0o077).toBe(0);
});
