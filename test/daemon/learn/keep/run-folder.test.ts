// Folders of trainings: written whole, never over one another, and found again.

import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  findWeights,
  RunFolder,
  runName,
  WEIGHTS_FILE,
} from '../../../../runtime/daemon/learn/keep/run-folder.ts';

let runs: string;
beforeEach(async () => {
  runs = await mkdtemp(join(tmpdir(), 'dartboard-runs-'));
});
afterEach(() => rm(runs, { recursive: true }));

test('runs are named in the order of time, by their seed, and so that every system takes the name', () => {
  const time = new Date(2026, 10, 5, 9, 4, 7);
  expect(runName(time, 'dartboard')).toBe('2026-11-05-090407-dartboard');
  expect(runName(time, 'a/b: c?')).toBe('2026-11-05-090407-a-b-c-');
  expect(runName(time, 'x'.repeat(100))).toHaveLength(18 + 40);
});

test('what is kept is there as a whole, and nothing else is', async () => {
  const folder = await RunFolder.listed('one', runs);
  await folder.keep(WEIGHTS_FILE, Uint8Array.of(1, 2, 3));
  await folder.keep(WEIGHTS_FILE, Uint8Array.of(4));
  await folder.keepJson('recipe.json', { a: 1 });
  await folder.log({ second: 1 });
  await folder.log({ second: 2 });
  expect((await readdir(folder.path)).sort()).toEqual(['log.jsonl', 'recipe.json', WEIGHTS_FILE]);
  expect([...(await readFile(folder.file(WEIGHTS_FILE)))]).toEqual([4]);
  expect(JSON.parse(await readFile(folder.file('recipe.json'), 'utf8'))).toEqual({ a: 1 });
  expect(await readFile(folder.file('log.jsonl'), 'utf8')).toBe('{"second":1}\n{"second":2}\n');
});

test('the latest weights are found without a name, and any by file, folder or name', async () => {
  for (const name of ['run-one', 'run-two'])
    await (await RunFolder.listed(name, runs)).keep(WEIGHTS_FILE, name);
  await RunFolder.listed('run-three', runs);
  const two = join(runs, 'run-two', WEIGHTS_FILE);
  expect(await findWeights(undefined, runs)).toBe(two);
  expect(await findWeights('run-two', runs)).toBe(two);
  expect(await findWeights(join(runs, 'run-two'), runs)).toBe(two);
  expect(await findWeights(two, runs)).toBe(two);
});

test('a folder of its own becomes nobody’s latest', async () => {
  await (await RunFolder.chosen(join(runs, 'elsewhere'))).keep(WEIGHTS_FILE, 'weights');
  await expect(findWeights(undefined, runs)).rejects.toThrow("run 'dartboard train' first");
});

test('weights that are not there are an error that says what is', async () => {
  await expect(findWeights('nothing', runs)).rejects.toThrow("There are no weights at 'nothing'");
  await (await RunFolder.listed('run-one', runs)).keep(WEIGHTS_FILE, 'weights');
  await expect(findWeights('nothing', runs)).rejects.toThrow('run-one');
});

test('no training is written over another', async () => {
  await (await RunFolder.chosen(join(runs, 'a'))).keep(WEIGHTS_FILE, 'weights');
  await expect(RunFolder.chosen(join(runs, 'a'))).rejects.toThrow('holds a training already');
});

test('a folder that cannot be made is named', async () => {
  await mkdir(join(runs, 'b'));
  await writeFile(join(runs, 'b', 'file'), '');
  await expect(RunFolder.chosen(join(runs, 'b', 'file', 'c'))).rejects.toThrow('name another with --out');
});
