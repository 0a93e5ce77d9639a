// Ctrl-C, a closed terminal and SIGTERM each end a training. Its checkpoint remains.

import { spawn } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { PATIENCE } from '../patience.ts';
import { temporaryFolder } from '../temporary.ts';
import { CommandLine, MAIN } from './command-line.ts';
import { below, called, processes } from './training.ts';

const workspace = temporaryFolder('terminal');
writeFileSync(
  join(workspace, 'dartboard.json'),
  JSON.stringify({ evaluation: { instances: 1, lastInstances: 1 } }),
);
const commandLine = new CommandLine(workspace);
const { run, runs } = commandLine;

test('Ctrl-C ends a long training early, and what was learned is kept', async () => {
  const { program, said, ended } = commandLine.begin('start', '--minutes', '60', '--seed', 'early');
  onTestFinished(() => void program.kill('SIGKILL'));
  const hasBegun = () => said.stdout.includes('solved') && commandLine.updatesOf('early') > 0;
  await vi.waitUntil(() => program.exitCode !== null || hasBegun(), PATIENCE);
  // A terminal sends the signal to the whole process group.
  process.kill(-(program.pid ?? 0), 'SIGINT');
  const { status, stdout, stderr } = await ended;
  expect(stderr).toBe('');
  expect(status).toBe(0);
  expect(stdout).toMatch(/Stopped after \d+:\d\d of 60:00 with a checkpoint\./);
  expect(stdout).not.toContain('problem');
  expect(stdout).toMatch(/resume \S+-early/);
  expect(commandLine.latest).toMatch(/-early$/);
  expect(readdirSync(join(runs, commandLine.latest))).toContain('curve.svg');
  expect((await commandLine.listed())[0]).toMatchObject({
    run: commandLine.latest,
    status: 'ended',
    canResume: true,
  });
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
    await vi.waitUntil(() => commandLine.updatesOf(seed) > 0, PATIENCE);
    programs = new Set(below(terminal.pid ?? 0).map(({ pid }) => pid));
    expect(programs.size).toBeGreaterThan(3);
    terminal.kill('SIGKILL');
    return left;
  }
  const expectEnded = async (seed: string) => {
    expect((await commandLine.listed())[0]).toMatchObject({
      run: commandLine.latest,
      status: 'ended',
      canResume: true,
    });
    expect(commandLine.latest).toMatch(new RegExp(`-${seed}$`));
    expect(readdirSync(join(runs, commandLine.latest, 'checkpoints'))).not.toEqual([]);
  };

  test('ends it as Ctrl-C does', async () => {
    const left = await closed('closed', command => `exec ${command}`);
    await vi.waitUntil(() => left().length === 0, PATIENCE);
    await expectEnded('closed');
  });

  test('does not end it under nohup, and SIGTERM does', async () => {
    const left = await closed('nohup', command => `exec nohup ${command} > nohup.log 2>&1`);
    const before = commandLine.updatesOf('nohup');
    await vi.waitUntil(() => commandLine.updatesOf('nohup') > before, PATIENCE);
    const { pid } = called(left(), 'main') ?? expect.fail('It is gone.');
    process.kill(pid, 'SIGTERM');
    await vi.waitUntil(() => left().length === 0, PATIENCE);
    await expectEnded('nohup');
  });
});
