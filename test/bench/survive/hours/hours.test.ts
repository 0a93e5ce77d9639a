// The benchmark of hours: the time of desktops, growth, and the resources of real processes.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { figuresOf, hoursOf, type LongRun } from '../../../../runtime/bench/survive/hours/hours.ts';
import { growthOf, resourcesBelow } from '../../../../runtime/bench/survive/hours/resources.ts';
import { PATIENCE } from '../../../patience.ts';

const held = (megabytes: number) => ({
  memory: { host: megabytes },
  megabytes,
  descriptors: 50,
  threads: 20,
  processes: 4,
  containers: 0,
});

test('the hours of a desktop are its actions at two seconds each', () => {
  expect(hoursOf({ steps: 21_600, desktops: 2 })).toBe(6);
});

test('growth is from the second to the last quarter, and ignores the start and single samples', () => {
  const flat = [10, 90, 100, 100, 100, 100, 100, 100, 100, 100, 999, 100];
  expect(growthOf(flat)).toBe(0);
  expect(growthOf(Array.from({ length: 400 }, (_, index) => index))).toBe(200);
  expect(growthOf([1, 2, 3])).toBeNaN();
});

test('each run has its hours and the growth of what it holds', () => {
  const samples = Array.from({ length: 40 }, (_, index) => ({ seconds: index, ...held(100 + index) }));
  const run: LongRun = { kind: 'web', desktops: 2, steps: 3600, samples };
  expect(figuresOf([run])).toEqual({
    ...{ hours_web: 1, megabytes_growth_web: 20, descriptors_growth_web: 0 },
    ...{ threads_growth_web: 0, processes_growth_web: 0 },
  });
});

test.skipIf(!existsSync('/proc/self/fd'))(
  'the resources of a child with threads and files are counted',
  async () => {
    const opens = "const fs = require('node:fs'); for (let n = 0; n < 100; n++) fs.openSync('/dev/null');";
    const threads =
      "const { Worker } = require('node:worker_threads'); for (let n = 0; n < 3; n++) new Worker('setInterval(() => {}, 1000)', { eval: true });";
    const before = await resourcesBelow(process.pid);
    const child = spawn(process.execPath, ['-e', `${opens}${threads}`], { stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    await expect
      .poll(async () => (await resourcesBelow(process.pid)).descriptors, PATIENCE)
      .toBeGreaterThanOrEqual(before.descriptors + 100);
    await expect
      .poll(async () => (await resourcesBelow(child.pid ?? 0)).threads, PATIENCE)
      .toBeGreaterThanOrEqual(4);
    const after = await resourcesBelow(child.pid ?? 0);
    expect(after.processes).toBe(1);
    expect(after.megabytes).toBeGreaterThan(10);
  },
);
