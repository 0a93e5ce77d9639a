// The memory of a piece of work is that of all its processes.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { withPeak } from '../../runtime/bench/memory.ts';

const HEAVY = 400;

/** A process below one below this one, as the workers of a host are. */
async function heavyGrandchild(): Promise<string> {
  const grandchild = `const heavy = Buffer.alloc(${HEAVY} * 2 ** 20, 1); console.log(heavy.length); setInterval(() => {}, 1e6);`;
  const child = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(grandchild)}], { stdio: 'inherit' });`;
  const program = spawn(process.execPath, ['-e', child], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void process.kill(-(program.pid ?? 0), 'SIGKILL'));
  const [said] = await once(program.stdout, 'data');
  return String(said).trim();
}

test('a process below one below it counts; where nobody tells it, nothing is known', async () => {
  const { megabytes: alone } = await withPeak(async () => undefined);
  const { result, megabytes } = await withPeak(heavyGrandchild);
  expect(result).toBe(String(HEAVY * 2 ** 20));
  if (process.platform !== 'linux') expect([alone, megabytes]).toEqual([undefined, undefined]);
  else expect(megabytes).toBeGreaterThan((alone ?? Number.POSITIVE_INFINITY) + HEAVY / 2);
});
