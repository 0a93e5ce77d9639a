// Successes that are collected before training are there when it begins: the first group of an instance that fails is compared with one.
// Needs the bundles that `npm test` builds first.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { PATIENCE } from '../patience.ts';
import { temporaryFolder } from '../temporary.ts';
import { CommandLine } from './command-line.ts';

const TASKS = ['files-find-rename', 'mail-reply'];

/** Small groups, so that they come back soon, and nothing but playing. */
const CONFIG = {
  suite: { tasks: TASKS },
  environments: { desktops: 4 },
  exploring: { firstSeconds: 0, searching: 0, otherwise: 0, hindsight: false },
  data: { rollouts: 2, trajectoriesPerBatch: 2, stepsPerBatch: 16 },
  evaluation: { everySeconds: 3600, instances: 1, lastInstances: 1, desktops: 1 },
};

test('a collected success replaces a failure of a later run', async () => {
  const commandLine = new CommandLine(temporaryFolder('collect'));
  const { folder, run, runs } = commandLine;
  const args = ['collect', '--oracle', '--tasks', TASKS.join(), '--instances', '32'];
  const collected = await run(...args);
  expect(collected.stderr).toBe('');
  expect(collected.status).toBe(0);
  expect(collected.stdout).toMatch(/^Scripted solutions: 64 instances of 2 tasks, 64 attempts\.\n/);
  expect(collected.stdout).toMatch(/\n +total +64 +64 +64 +64\n/);

  writeFileSync(join(folder, 'dartboard.json'), JSON.stringify(CONFIG));
  const training = commandLine.begin('train', '--minutes', '10');
  onTestFinished(() => void training.program.kill('SIGKILL'));
  const decided = (): string => {
    const latest = readdirSync(runs).find(name => name.endsWith('-dartboard'));
    try {
      return latest === undefined ? '' : readFileSync(join(runs, latest, 'decisions.jsonl'), 'utf8');
    } catch {
      return '';
    }
  };
  await vi.waitUntil(() => decided().includes('"injected":true'), PATIENCE);

  // While it trains, its daemon collects, and what it collects is there for the run at once.
  const others = ['collect', '--oracle', '--tasks', 'settings-night-light', '--instances', '2'];
  const beside = await run(...others);
  expect(beside.stderr).toBe('');
  expect(beside.status).toBe(0);
  expect(beside.stdout).toMatch(/\n +total +2 +2 +2 +2\n/);
  training.program.kill('SIGINT');
  await training.ended;
});
