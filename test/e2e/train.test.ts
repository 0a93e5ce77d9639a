// A training as a user starts it: a few seconds through the built program, and then what was learned is examined and tried.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const workspace = mkdtempSync(join(tmpdir(), 'dartboard-train-'));
afterAll(() => rmSync(workspace, { recursive: true }));

const run = (...args: readonly string[]) =>
  spawnSync(process.execPath, [MAIN, ...args], { cwd: workspace, encoding: 'utf8' });

describe('twelve seconds', () => {
  let trained: ReturnType<typeof run>;
  let folder: string;
  beforeAll(() => {
    trained = run('train', '--minutes', '0.2', '--seed', 'a test');
    const runs = join(workspace, '.dartboard/runs');
    folder = join(runs, readFileSync(join(runs, 'latest'), 'utf8').trim());
  }, 120_000);

  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

  test('are told line by line, and end with success, files and what to do next', () => {
    expect(trained.stderr).toBe('');
    expect(trained.status).toBe(0);
    expect(trained.stdout).toMatch(/^Dartboard learns to use a desktop: tier 1, 23 tasks, seed a test\n/);
    expect(trained.stdout).toMatch(/Trained for 0:12, from random weights\./);
    expect(trained.stdout).toMatch(/test worlds +\d+ of 460 · \d+ % \(\d+–\d+ %\)/);
    expect(trained.stdout).toContain('settings-night-light');
    expect(trained.stdout).toContain('weights.safetensors');
    expect(trained.stdout).toContain('eval --split unseen');
    expect(trained.stdout).not.toContain('\x1b');
  });

  test('leave a folder in which nothing is half written', () => {
    expect(readdirSync(folder).sort()).toEqual([
      'curve.svg',
      'log.jsonl',
      'recipe.json',
      'summary.json',
      'weights.safetensors',
    ]);
    const summary = JSON.parse(read('summary.json'));
    expect(summary).toMatchObject({
      tiers: [1],
      seed: 'a test',
      seconds: { asked: 12 },
      test: { trials: 460 },
    });
    expect(summary.test.low).toBeLessThanOrEqual(summary.test.rate);
    expect(summary.curve.test.length).toBeGreaterThanOrEqual(2);
    expect(read('curve.svg')).toContain('</svg>');
    expect(JSON.parse(read('recipe.json'))).toMatchObject({
      minutes: 0.2,
      seed: 'a test',
      mode: 'screenshot_a11y_tree',
    });
  });

  test('are written down second by second, and played as well as explored', () => {
    const records = read('log.jsonl')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(new Set(records.map(({ kind }) => kind))).toEqual(new Set(['measured', 'progress']));
    const last = records.findLast(({ kind }) => kind === 'progress');
    expect(last['explore/deeds']).toBeGreaterThan(0);
    expect(last['rollout/steps']).toBeGreaterThan(0);
    expect(last['trainer/updates']).toBeGreaterThan(0);
  });

  test('can be examined again: the same weights solve as much', () => {
    const summary = JSON.parse(read('summary.json'));
    const { status, stdout, stderr } = run('eval', '--json');
    expect(stderr).toBe('');
    expect(status).toBe(0);
    const told = JSON.parse(stdout);
    expect(told).toMatchObject({ split: 'test', mode: 'screenshot_a11y_tree', trials: 460 });
    // Choices that are equally likely are drawn, so a few episodes may go another way.
    expect(Math.abs(told.successes - summary.test.successes)).toBeLessThanOrEqual(9);
    expect(told.tasks).toHaveLength(23);
  });

  test('and on other tasks, in words', () => {
    const { status, stdout } = run(
      'eval',
      '--weights',
      folder,
      '--split',
      'unseen',
      '--tier',
      '1,2',
      '--instances',
      '3',
    );
    expect(status).toBe(0);
    expect(stdout).toMatch(/\d of 9 · \d+ % \(\d+–\d+ %\) {2}on unseen kinds of tasks/);
    expect(stdout).toContain('mail-unstar');
  });

  test('can be watched at a task, step by step, and on a page', () => {
    const { status, stdout, stderr } = run('run', 'Turn night light on.', '--steps', '4');
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(stdout).toContain('on the desktop of settings-night-light');
    expect(stdout).toMatch(/^ {3}1 {2}\S.* \d+ %/m);
    const file = /The screens: (\S+)/.exec(stdout)?.[1] ?? '';
    expect(readFileSync(join(workspace, file), 'utf8')).toContain('<h1>Turn night light on.</h1>');
  });

  test('no other training is written over them', () => {
    const { status, stderr } = run('train', '--minutes', '0.2', '--out', folder);
    expect(stderr).toContain('holds a training already');
    expect(status).toBe(1);
  });
});

test('Ctrl-C ends a long training early, and what was learned is kept', async () => {
  const folder = join(workspace, 'early');
  const program = spawn(process.execPath, [MAIN, 'train', '--minutes', '60', '--out', folder], {
    cwd: workspace,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void program.kill('SIGKILL'));
  let [said, wrong] = ['', ''];
  program.stdout.on('data', data => {
    said += data;
  });
  program.stderr.on('data', data => {
    wrong += data;
  });
  // Once it has measured for the first time, it has begun.
  const curve = () => readdirSync(workspace).includes('early') && readdirSync(folder).includes('curve.svg');
  while (!curve()) await new Promise(resolve => setTimeout(resolve, 100));
  await new Promise(resolve => setTimeout(resolve, 3000));
  // As a terminal does it: the whole group of processes is told.
  process.kill(-(program.pid ?? 0), 'SIGINT');
  const [status] = await once(program, 'exit');
  expect(wrong).toBe('');
  expect(status).toBe(0);
  expect(said).toMatch(/Stopped after 0:\d\d of 60:00; what was learned is kept\./);
  expect(said).toContain('--weights early');
  expect(readdirSync(folder)).toContain('summary.json');
  expect(run('eval', '--weights', 'early', '--instances', '1').status).toBe(0);
}, 120_000);
