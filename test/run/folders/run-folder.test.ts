// Names of runs, and the search for their weights.

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { COMPACT } from '../../../runtime/agents/compact/network.ts';
import { BASE } from '../../../runtime/core/agent.ts';
import { baseWeights } from '../../../runtime/run/folders/base-weights.ts';
import { decodePolicy } from '../../../runtime/run/folders/policy-file.ts';
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

test('until a run has weights, the base weights are found; by their name always', async () => {
  expect(await findWeights(undefined, runs)).toBe(baseWeights());
  await trained('run-one');
  expect(await findWeights(BASE, runs)).toBe(baseWeights());
  await rm(join(runs, 'run-one'), { recursive: true });
  expect(await findWeights(undefined, runs)).toBe(baseWeights());
  // A run of that name comes first.
  const own = await trained(BASE);
  expect(await findWeights(BASE, runs)).toBe(own);
});

test('the base weights are a policy that may act on all tasks', async () => {
  const policy = decodePolicy(await readFile(baseWeights()), BASE);
  expect(policy).toMatchObject({
    shape: COMPACT,
    mode: 'screenshot_a11y_tree',
    tasks: [],
    by: { run: BASE },
  });
});

test('an error about missing weights lists the latest runs', async () => {
  await expect(findWeights('nothing', runs)).rejects.toThrow("'nothing' has no weights");
  await trained('run-one');
  await expect(findWeights('nothing', runs)).rejects.toThrow('run-one');
});
