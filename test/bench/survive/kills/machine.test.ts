// The disturbances of a machine take effect: a clock that jumps in a process, its children and its threads, a disk without space, and processes
// that are suspended. Needs the bundles that `npm test` builds first.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { readProc } from '../../../../runtime/bench/process-tree.ts';
import { RunMachine } from '../../../../runtime/bench/survive/kills/machine.ts';
import { isMissing } from '../../../../runtime/core/errors.ts';
import { PATIENCE } from '../../../patience.ts';
import { temporaryFolder } from '../../../temporary.ts';

const CLOCK = new URL('../../../../dist/bench-clock.js', import.meta.url);

async function openMachine(): Promise<RunMachine> {
  const machine = await RunMachine.open(temporaryFolder('machine'), { diskMb: 16, clockEntry: CLOCK });
  onTestFinished(() => machine.close());
  return machine;
}

function started(program: string, environment: Readonly<Record<string, string>>): ChildProcess {
  const child = spawn(process.execPath, ['-e', program], {
    ...{ env: { ...process.env, ...environment }, detached: true },
  });
  // With its children.
  onTestFinished(() => killGroup(child));
  return child;
}

function killGroup({ pid = 0 }: ChildProcess): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All have ended.
  }
}

/** Prints the time in a thread of a child again and again. The program of the thread is a file, as all programs of a run are. */
function clockOfThread(): string {
  const file = join(temporaryFolder('clock'), 'thread.mjs');
  writeFileSync(file, 'setInterval(() => process._rawDebug(Date.now()), 50);');
  const child = `new (require('node:worker_threads').Worker)(${JSON.stringify(file)})`;
  return `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { stdio: 'inherit' })`;
}

test('a jump of the clock reaches the threads of children', async () => {
  const machine = await openMachine();
  const child = started(clockOfThread(), machine.environment);
  let ahead = Number.NaN;
  const lines = createInterface({ input: child.stderr ?? process.stdin });
  lines.on('line', line => {
    // No negative zero.
    ahead = Math.round((Number(line) - Date.now()) / 3_600_000) + 0;
  });
  await expect.poll(() => ahead, PATIENCE).toBe(0);
  await machine.moveClock(true);
  await expect.poll(() => ahead, PATIENCE).toBe(1);
  await machine.moveClock(false);
  await machine.moveClock(false);
  await expect.poll(() => ahead, PATIENCE).toBe(-1);
});

test('a full disk takes no byte until it is freed', async context => {
  const machine = await openMachine();
  if (!machine.hasDisk) context.skip('No file system can be mounted here.');
  const file = join(machine.root, 'file');
  const why = () => {
    try {
      writeFileSync(file, Buffer.alloc(100_000));
      rmSync(file);
      return '';
    } catch (error) {
      return isMissing(error) ? 'missing' : String(error);
    }
  };
  expect(why()).toBe('');
  const filled = machine.fillDisk();
  await expect.poll(why, PATIENCE).toContain('ENOSPC');
  await filled;
  rmSync(file, { force: true });
  expect(why()).toBe('');
});

test.skipIf(!existsSync('/proc/self/stat'))('suspended processes stand still, and continue', async () => {
  const machine = await openMachine();
  const [first, other] = [1, 2].map(() => started('setInterval(() => {}, 20)', {}));
  const pids = [first?.pid ?? 0, other?.pid ?? 0];
  const states = async () =>
    Promise.all(pids.map(async pid => (await readProc(pid, 'stat')).split(') ')[1]?.charAt(0)));
  const over = machine.suspend(pids[0] ?? 0, async () => [{ pid: pids[1] ?? 0, command: 'node' }], []);
  await expect.poll(states, PATIENCE).toEqual(['T', 'T']);
  await over;
  await expect.poll(async () => (await states()).includes('T'), PATIENCE).toBe(false);
  const ended = [first, other].map(async child => child && once(child, 'exit'));
  for (const pid of pids) process.kill(pid, 'SIGTERM');
  await Promise.all(ended);
});
