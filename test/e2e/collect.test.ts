// Successes that are collected before training are there when it begins: the first group of an instance that fails is compared with one.
// Needs the bundles that `npm test` builds first.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { PATIENCE } from '../patience.ts';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const TASKS = ['files-find-rename', 'mail-reply'];

/** Small groups, so that they come back soon, and nothing but playing. */
const CONFIG = {
  suite: { tasks: TASKS },
  environments: { desktops: 4 },
  exploring: { firstSeconds: 0, searching: 0, otherwise: 0, hindsight: false },
  data: { rollouts: 2, trajectoriesPerBatch: 2, stepsPerBatch: 16 },
  evaluation: { everySeconds: 3600, instances: 1, lastInstances: 1, desktops: 1 },
};

/** Not waited for in one go: the tests' own program would hear of nothing meanwhile. */
async function run(cwd: string, ...args: readonly string[]) {
  const program = spawn(process.execPath, [MAIN, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    program[stream].setEncoding('utf8').on('data', text => {
      said[stream] += text;
    });
  const [status] = await once(program, 'close');
  return { ...said, status };
}

function workspace(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dartboard-collect-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('a collected success replaces a failure of a later run', async () => {
  const folder = workspace();
  const args = ['collect', '--oracle', '--tasks', TASKS.join(), '--instances', '32'];
  const collected = await run(folder, ...args);
  expect(collected.stderr).toBe('');
  expect(collected.status).toBe(0);
  expect(collected.stdout).toMatch(/^Scripted solutions: 64 instances of 2 tasks, 64 attempts\.\n/);
  expect(collected.stdout).toMatch(/\n +total +64 +64 +64 +64\n/);

  writeFileSync(join(folder, 'dartboard.json'), JSON.stringify(CONFIG));
  const training = spawn(process.execPath, [MAIN, 'train', '--minutes', '10'], {
    cwd: folder,
    stdio: 'ignore',
  });
  const ended = once(training, 'close');
  onTestFinished(() => void training.kill('SIGKILL'));
  const runs = join(folder, '.dartboard/runs');
  const decided = (): string => {
    const run = readdirSync(runs).find(name => name.endsWith('-dartboard'));
    try {
      return run === undefined ? '' : readFileSync(join(runs, run, 'decisions.jsonl'), 'utf8');
    } catch {
      return '';
    }
  };
  await vi.waitUntil(() => decided().includes('"injected":true'), PATIENCE);

  // While it trains, its daemon collects, and what it collects is there for the run at once.
  const others = ['collect', '--oracle', '--tasks', 'settings-night-light', '--instances', '2'];
  const beside = await run(folder, ...others);
  expect(beside.stderr).toBe('');
  expect(beside.status).toBe(0);
  expect(beside.stdout).toMatch(/\n +total +2 +2 +2 +2\n/);
  training.kill('SIGINT');
  await ended;
});
