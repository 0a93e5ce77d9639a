// Names of runs, and the search for their weights.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findWeights, LATEST, runName, WEIGHTS_FILE } from '../../../runtime/run/folders/run-folder.ts';

let runs: string;
beforeEach(async () => {
  runs = await mkdtemp(join(tmpdir(), 'dartboard-runs-'));
});
afterEach(() => rm(runs, { recursive: true }));

async function trained(name: string): Promise<string> {
  await mkdir(join(runs, name));
  const file = join(runs, name, WEIGHTS_FILE);
  await writeFile(file, name);
  await writeFile(join(runs, LATEST), `${name}\n`);
  return file;
}

test('run names sort by time, contain the seed and are valid on every system', () => {
  const time = new Date(2026, 10, 5, 9, 4, 7);
  expect(runName(time, 'dartboard')).toBe('2026-11-05-090407-dartboard');
  expect(runName(time, 'a/b: c?')).toBe('2026-11-05-090407-a-b-c-');
  expect(runName(time, 'x'.repeat(100))).toHaveLength(18 + 40);
});

test('weights are found by file, folder or run name, and by default in the latest run', async () => {
  const one = await trained('run-one');
  const two = await trained('run-two');
  await mkdir(join(runs, 'run-three'));
  expect(await findWeights(undefined, runs)).toBe(two);
  expect(await findWeights('run-one', runs)).toBe(one);
  expect(await findWeights(join(runs, 'run-two'), runs)).toBe(two);
  expect(await findWeights(two, runs)).toBe(two);
});

test('without weights the error names the command that trains', async () => {
  await expect(findWeights(undefined, runs)).rejects.toThrow("Run 'dartboard train' first");
  await trained('run-one');
  await rm(join(runs, 'run-one'), { recursive: true });
  await expect(findWeights(undefined, runs)).rejects.toThrow("Run 'dartboard train' first");
});

test('an error about missing weights lists the latest runs', async () => {
  await expect(findWeights('nothing', runs)).rejects.toThrow("'nothing' has no weights");
  await trained('run-one');
  await expect(findWeights('nothing', runs)).rejects.toThrow('run-one');
});
