// Memory of this process and its descendants.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import {
  growthPerHour,
  memoryByProcess,
  memoryTotal,
  OWN,
  programName,
  THIS_PROCESS,
  withMemory,
} from '../../runtime/bench/memory.ts';

const HEAVY = 400;

/** A child of a child, like the workers of a host. */
async function heavyGrandchild(): Promise<string> {
  const grandchild = `const heavy = Buffer.alloc(${HEAVY} * 2 ** 20, 1); console.log(heavy.length); setInterval(() => {}, 1e6);`;
  const child = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(grandchild)}], { stdio: 'inherit' });`;
  const program = spawn(process.execPath, ['-e', child], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void process.kill(-(program.pid ?? 0), 'SIGKILL'));
  const [output] = await once(program.stdout, 'data');
  return String(output).trim();
}

test('descendants count; without /proc there is no measurement', async () => {
  const { megabytes: alone } = await withMemory(async () => undefined);
  const { result, megabytes, samples } = await withMemory(heavyGrandchild);
  expect(result).toBe(String(HEAVY * 2 ** 20));
  if (process.platform !== 'linux') expect([alone, megabytes, samples]).toEqual([undefined, undefined, []]);
  else {
    expect(megabytes).toBeGreaterThan((alone ?? Number.POSITIVE_INFINITY) + HEAVY / 2);
    expect(megabytes).toBe(Math.max(...samples.map(memoryTotal)));
    expect(Object.keys(samples.at(-1)?.megabytes ?? {}).sort()).toEqual(['node', THIS_PROCESS].sort());
  }
});

test.each([
  ['/usr/bin/node\0/app/dist/worker.js\0--port\0', 'worker'],
  [
    '/usr/lib/chromium/chromium-headless-shell --type=renderer --lang=en-US --id=7',
    'chromium-headless-shell renderer',
  ],
  ['/opt/Google Chrome/chrome\0--headless=new\0', 'chrome'],
  ['', undefined],
])('processes of one program and kind have one name: %j', (commandLine, name) => {
  expect(programName(commandLine)).toBe(name);
});

test.skipIf(process.platform !== 'linux')('the pages of files can be left out', async () => {
  const heavy = Buffer.alloc(HEAVY * 2 ** 20, 1);
  const measured = async (kinds?: readonly string[]) =>
    (await memoryByProcess(process.pid, kinds))[THIS_PROCESS] ?? 0;
  // The heap may shrink or grow in between.
  const [before, own, after] = [await measured(), await measured(OWN), await measured()];
  expect(own).toBeGreaterThan(heavy.length / 2 ** 20);
  expect(own).toBeLessThan(Math.max(before, after));
});

test('a failure of the measured work is passed on', async () => {
  await expect(withMemory(() => Promise.reject(new Error('no room')))).rejects.toThrow('no room');
});

const line = (from: number, anHour: number, seconds: readonly number[]) =>
  seconds.map(each => ({
    seconds: each,
    megabytes: { one: from / 2, other: from / 2 + (anHour * each) / 3600 },
  }));

test('growth is the slope of the least-squares line', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 1, max: 2000, noNaN: true }),
      fc.double({ min: -500, max: 500, noNaN: true }),
      fc.uniqueArray(fc.integer({ min: 0, max: 7200 }), { minLength: 2, maxLength: 40 }),
      (from, anHour, seconds) => {
        expect(growthPerHour(line(from, anHour, seconds))).toBeCloseTo(anHour, 4);
      },
    ),
  );
  expect(growthPerHour(line(100, 0, [0, 2, 4]))).toBe(0);
  expect(growthPerHour(line(100, 5, [3]))).toBeNaN();
});
