// A training as a user starts it: a few seconds through the built program, and then what was learned is examined, tried and gone on
// with.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { runState, runSummary } from '../../runtime/protocol/daemon/state.ts';
import { PATIENCE } from '../patience.ts';
import { temporaryFolder } from '../temporary.ts';
import { below, called, processes } from './training.ts';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const workspace = temporaryFolder('train');
/** Few instances, because evaluations take most of the time of a short run. */
const EVALUATION = { instances: 1, lastInstances: 4 };
const TASKS = 23;
const TRIALS = TASKS * EVALUATION.lastInstances;
writeFileSync(join(workspace, 'dartboard.json'), JSON.stringify({ evaluation: EVALUATION }));

/** Not waited for in one go: the tests' own program would hear of nothing meanwhile. */
function begin(...args: readonly string[]) {
  const program = spawn(process.execPath, [MAIN, ...args], {
    cwd: workspace,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    program[stream].setEncoding('utf8').on('data', text => {
      said[stream] += text;
    });
  const ended = once(program, 'close').then(([status]) => ({ ...said, status }));
  return { program, said, ended };
}

const run = (...args: readonly string[]) => begin(...args).ended;

const RUNS = join(workspace, '.dartboard/runs');
const latest = (): string => readFileSync(join(RUNS, 'latest'), 'utf8').trim();
const listed = async () => runSummary.array().parse(JSON.parse((await run('runs', '--json')).stdout));

describe('six seconds', () => {
  let trained: Awaited<ReturnType<typeof run>>;
  let name: string;
  beforeAll(async () => {
    trained = await run('train', '--minutes', '0.1', '--seed', 'a test');
    expect(trained).toMatchObject({ status: 0, stderr: '' });
    name = latest();
  });

  const read = (file: string): string => readFileSync(join(RUNS, name, file), 'utf8');

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
    const files = readdirSync(join(RUNS, name)).filter(file => file !== 'masks.jsonl');
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
    expect(await listed()).toMatchObject([
      { run: name, status: 'ended', of: 6, about: { seed: 'a test', tiers: [1] }, last: { trials: TRIALS } },
    ]);
  });

  test('have a picture that shows what was measured', async () => {
    const [{ last } = {}] = await listed();
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
    const [{ last } = {}] = await listed();
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
    ['its folder', () => join(RUNS, name)],
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
    expect(await listed()).toMatchObject([{ run: name, status: 'ended', of: 9 }]);
    expect(latest()).toBe(name);
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

/** Of the newest run, as its state file has them. Its report has a line every 30 s only. */
function updatesOf(seed: string): number {
  if (!existsSync(join(RUNS, 'latest')) || !latest().endsWith(`-${seed}`)) return 0;
  const file = join(RUNS, latest(), 'state.json');
  return existsSync(file) ? runState.parse(JSON.parse(readFileSync(file, 'utf8'))).trainer.updates : 0;
}

test('Ctrl-C ends a long training early, and what was learned is kept', async () => {
  const { program, said, ended } = begin('start', '--minutes', '60', '--seed', 'early');
  onTestFinished(() => void program.kill('SIGKILL'));
  const hasBegun = () => said.stdout.includes('solved') && updatesOf('early') > 0;
  await vi.waitUntil(() => program.exitCode !== null || hasBegun(), PATIENCE);
  // A terminal sends the signal to the whole process group.
  process.kill(-(program.pid ?? 0), 'SIGINT');
  const { status, stdout, stderr } = await ended;
  expect(stderr).toBe('');
  expect(status).toBe(0);
  expect(stdout).toMatch(/Stopped after \d+:\d\d of 60:00 with a checkpoint\./);
  expect(stdout).not.toContain('problem');
  expect(stdout).toMatch(/resume \S+-early/);
  expect(latest()).toMatch(/-early$/);
  expect(readdirSync(join(RUNS, latest()))).toContain('curve.svg');
  expect((await listed())[0]).toMatchObject({ run: latest(), status: 'ended', canResume: true });
  expect((await run('eval', '--instances', '1')).status).toBe(0);
});

// Elsewhere `script`, which makes the terminal, has other options.
describe.skipIf(process.platform !== 'linux')('a terminal that is closed', () => {
  /** A training that runs in it has learned something, and the terminal is gone; the processes of the training that are left. */
  async function closed(seed: string, line: (command: string) => string) {
    const command = [process.execPath, MAIN, 'start', '--minutes', '60', '--seed', seed].join(' ');
    const log = join(workspace, `${seed}.terminal`);
    const terminal = spawn('script', ['--quiet', '--flush', '--command', line(command), log], {
      cwd: workspace,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    let programs = new Set([terminal.pid]);
    const left = () => processes().filter(({ pid }) => programs.has(pid));
    onTestFinished(() => {
      for (const { pid } of left()) process.kill(pid, 'SIGKILL');
    });
    await vi.waitUntil(() => updatesOf(seed) > 0, PATIENCE);
    programs = new Set(below(terminal.pid ?? 0).map(({ pid }) => pid));
    expect(programs.size).toBeGreaterThan(3);
    terminal.kill('SIGKILL');
    return left;
  }
  const expectEnded = async (seed: string) => {
    expect((await listed())[0]).toMatchObject({ run: latest(), status: 'ended', canResume: true });
    expect(latest()).toMatch(new RegExp(`-${seed}$`));
    expect(readdirSync(join(RUNS, latest(), 'checkpoints'))).not.toEqual([]);
  };

  test('ends it as Ctrl-C does', async () => {
    const left = await closed('closed', command => `exec ${command}`);
    await vi.waitUntil(() => left().length === 0, PATIENCE);
    await expectEnded('closed');
  });

  test('does not end it under nohup, and SIGTERM does', async () => {
    const left = await closed('nohup', command => `exec nohup ${command} > nohup.log 2>&1`);
    const before = updatesOf('nohup');
    await vi.waitUntil(() => updatesOf('nohup') > before, PATIENCE);
    const { pid } = called(left(), 'main') ?? expect.fail('It is gone.');
    process.kill(pid, 'SIGTERM');
    await vi.waitUntil(() => left().length === 0, PATIENCE);
    await expectEnded('nohup');
  });
});
