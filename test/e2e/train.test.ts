// A training as a user starts it: a few seconds through the built program, and then what was learned is examined, tried and gone on
// with.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../temporary.ts';
import { CommandLine } from './command-line.ts';

const workspace = temporaryFolder('train');
/** Few instances, because evaluations take most of the time of a short run. */
const EVALUATION = { instances: 1, lastInstances: 4 };
const TASKS = 23;
const TRIALS = TASKS * EVALUATION.lastInstances;
writeFileSync(join(workspace, 'dartboard.json'), JSON.stringify({ evaluation: EVALUATION }));

const commandLine = new CommandLine(workspace);
const { run, runs } = commandLine;

describe('six seconds', () => {
  let trained: Awaited<ReturnType<typeof run>>;
  let name: string;
  beforeAll(async () => {
    trained = await run('train', '--minutes', '0.1', '--seed', 'a test');
    expect(trained).toMatchObject({ status: 0, stderr: '' });
    name = commandLine.latest;
  });

  const read = (file: string): string => readFileSync(join(runs, name, file), 'utf8');

  test('are told line by line, and end with success, files and what to do next', () => {
    expect(trained.stdout).toMatch(
      /^Open the 'url' of '\.dartboard\/daemon\.json' in a browser\.\nRun \S+-a-test: tier 1, 23 tasks,/,
    );
    expect(trained.stdout).toMatch(/Trained for 0:06\./);
    expect(trained.stdout).toMatch(
      new RegExp(`test instances +\\d+ of ${TRIALS} · \\d+ % \\(\\d+–\\d+ %\\)`),
    );
    for (const file of ['weights.safetensors', 'checkpoints', 'curve.svg', 'curve.csv', 'metrics.csv'])
      expect(trained.stdout).toContain(`\n    ${file} `);
    expect(trained.stdout).toContain(`eval --weights ${name} --split unseen`);
    expect(trained.stdout).not.toContain('\x1b');
  });

  test('leave complete files and no lock', async () => {
    // The last batch may be made and not trained: then it has no mask.
    const files = readdirSync(join(runs, name)).filter(file => file !== 'masks.jsonl');
    expect(files.sort()).toEqual([
      'checkpoints',
      'curve.csv',
      'curve.svg',
      'decisions.jsonl',
      'metrics.csv',
      'ring.json',
      'run.json',
      'state.json',
      'tensorboard',
      'trajectories',
      'weights.safetensors',
    ]);
    expect(await commandLine.listed()).toMatchObject([
      { run: name, status: 'ended', of: 6, about: { seed: 'a test', tiers: [1] }, last: { trials: TRIALS } },
    ]);
  });

  test('have a picture that shows what was measured', async () => {
    const [{ last } = {}] = await commandLine.listed();
    expect(read('curve.svg')).toContain(`, ${last?.successes} of ${TRIALS}<`);
    expect(read('curve.svg')).toContain('seed a test');
    const [, ...points] = read('curve.csv').trim().split('\n');
    expect(points.length).toBeGreaterThanOrEqual(4);
  });

  test('were played as well as explored, and learned from', () => {
    const [head = '', ...rows] = read('metrics.csv').trim().split('\n');
    const at = head.split(',');
    const last = (metric: string) => Number(rows.at(-1)?.split(',')[at.indexOf(metric)]);
    for (const metric of ['env/explored_steps', 'rollout/all_steps', 'trainer/updates'])
      expect(last(metric), metric).toBeGreaterThan(0);
  });

  test('can be examined again: the same weights solve as much', async () => {
    const [{ last } = {}] = await commandLine.listed();
    const { status, stdout, stderr } = await run(
      'eval',
      '--json',
      '--instances',
      String(EVALUATION.lastInstances),
    );
    expect(stderr).toBe('');
    expect(status).toBe(0);
    const told = JSON.parse(stdout);
    expect(told).toMatchObject({
      split: 'test',
      mode: 'screenshot_a11y_tree',
      trials: TRIALS,
      seed: 'a test',
    });
    // Choices that are equally likely are drawn, so a few episodes may go another way.
    expect(Math.abs(told.successes - (last?.successes ?? 0))).toBeLessThanOrEqual(5);
    expect(told.tasks).toHaveLength(TASKS);
  });

  test.each([
    ['its name', () => name],
    ['its folder', () => join(runs, name)],
  ])('on other tasks, in words, found by %s', async (_, weights) => {
    const args = ['--split', 'unseen', '--tier', '1,2', '--instances', '1'];
    const { status, stdout } = await run('eval', '--weights', weights(), ...args);
    expect(status).toBe(0);
    expect(stdout).toMatch(/\d of 3 · \d+ % \(\d+–\d+ %\) {2}on unseen kinds of tasks/);
    expect(stdout).toContain('mail-unstar');
  });

  test('can be watched at a task, step by step, and on a page', async () => {
    const { status, stdout, stderr } = await run(
      'run',
      'Turn night light on.',
      '--steps',
      '4',
      '--weights',
      name,
    );
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(stdout).toContain('desktop of task settings-night-light');
    expect(stdout).toMatch(/^ {3}1 {2}\S.* \d+ %/m);
    const file = /All screens: (\S+)/.exec(stdout)?.[1] ?? '';
    expect(readFileSync(join(workspace, file), 'utf8')).toContain('<h1>Turn night light on.</h1>');
  });

  test('are gone on with where they ended', async () => {
    const { status, stdout, stderr } = await run('resume', '--minutes', '0.15');
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(stdout).toContain('Trained for 0:09.');
    expect(await commandLine.listed()).toMatchObject([{ run: name, status: 'ended', of: 9 }]);
    expect(commandLine.latest).toBe(name);
  });

  test('collect successes on their desktops, which lie with their run and wait to be accepted', async () => {
    const asked = ['--tasks', 'settings-infeasible', '--instances', '1', '--rollouts', '4'];
    const { stdout, stderr, status } = await run('collect', ...asked);
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(stdout).toContain(`Weights of ${name} at temperature 1.5: 1 instance of 1 task, 4 attempts.`);
    expect(stdout).toMatch(/\n +total +4 +(\d) +\1 +0\n/);
  });
});
