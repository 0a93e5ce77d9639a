// A command that a set-up step repeats until its condition holds.

import { expect, test } from 'vitest';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { runUntil, type UntilConditions } from '../../runtime/environments/run-until.ts';

/** The number of runs until the condition holds; run number n has the code n and says so. */
async function runsUntil(conditions: UntilConditions): Promise<number> {
  const clock = new VirtualClock();
  let runs = 0;
  const run = async () => {
    runs += 1;
    return { code: runs, output: `out ${runs}`, errors: `err ${runs}` };
  };
  const done = runUntil('the command', run, conditions, clock);
  await clock.run(200_000);
  await done;
  return runs;
}

test('a command without conditions runs once, and others until one of their conditions holds', async () => {
  expect(await runsUntil({})).toBe(1);
  expect(await runsUntil({ returncode: 3 })).toBe(3);
  expect(await runsUntil({ stdout: 'out 4' })).toBe(4);
  expect(await runsUntil({ stderr: 'err 5' })).toBe(5);
  expect(await runsUntil({ returncode: 9, stdout: 'out 2', stderr: 'none' })).toBe(2);
});

test('a condition that does not hold within two minutes is an error of the task, with the command', async () => {
  const clock = new VirtualClock();
  const run = async () => ({ code: 0, output: '', errors: '' });
  const refused = expect(runUntil('ls /none', run, { stdout: 'x' }, clock)).rejects.toMatchObject({
    failure: { boundary: 'task', message: expect.stringMatching(/^ls \/none did not reach .*120 s/) },
  });
  await clock.run(121_000);
  await refused;
});
