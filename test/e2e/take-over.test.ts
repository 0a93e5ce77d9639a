// A daemon waits for a folder that another process uses. Real processes: only the timers of a real
// process show whether it stays alive. Needs the bundle that npm test builds.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type TestContext, test } from 'vitest';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { TrajectoryStore } from '../../runtime/data/store.ts';
import { RUNS } from '../../runtime/run/folders/run-folder.ts';
import { INDEX_ENTRY } from '../data/open-stores.ts';
import { temporaryFolder } from '../temporary.ts';
import { CommandLine } from './command-line.ts';

async function taken(onTestFinished: TestContext['onTestFinished']) {
  const folder = temporaryFolder('taken');
  const root = join(folder, RUNS);
  mkdirSync(root, { recursive: true });
  const store = await TrajectoryStore.open({
    ...{ root, indexEntry: INDEX_ENTRY, clock: systemClock },
    notice: () => undefined,
  });
  const { program, said, ended } = new CommandLine(folder).begin('serve');
  onTestFinished(() => void program.kill('SIGKILL'));
  const says = (text: string) => expect.poll(() => said.stdout).toContain(text);
  return { store, program, ended, says };
}

// One of them waits most of its time.
test.concurrent('the daemon takes over a folder that another process releases', async ({
  onTestFinished,
}) => {
  const { store, program, ended, says } = await taken(onTestFinished);
  await says('Waiting for another Dartboard process');
  await store.close();
  await says('Dartboard serves the runs of');
  program.kill('SIGTERM');
  expect(await ended).toMatchObject({ status: 0, stderr: '' });
});

test.concurrent('a folder that stays in use is an error with the process that has it', async ({
  onTestFinished,
}) => {
  const { store, ended } = await taken(onTestFinished);
  onTestFinished(() => store.close());
  const { status, stderr } = await ended;
  expect(status).toBe(1);
  expect(stderr).toContain(`${process.pid}`);
  expect(stderr).toMatch(/this folder/i);
});
