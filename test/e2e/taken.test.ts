// A daemon waits for a folder that another process uses. Real processes: only the timers of a real
// process show whether it stays alive. Needs the bundle that npm test builds.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, type TestContext, test } from 'vitest';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { TrajectoryStore } from '../../runtime/data/store.ts';
import { RUNS } from '../../runtime/run/run-folder.ts';
import { INDEX_ENTRY } from '../data/opened.ts';
import { temporaryFolder } from '../temporary.ts';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

async function taken(onTestFinished: TestContext['onTestFinished']) {
  const folder = temporaryFolder('taken');
  const root = join(folder, RUNS);
  mkdirSync(root, { recursive: true });
  const store = await TrajectoryStore.open({
    ...{ root, indexEntry: INDEX_ENTRY, clock: systemClock },
    notice: () => undefined,
  });
  const program = spawn(process.execPath, [MAIN, 'serve'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void program.kill('SIGKILL'));
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    program[stream].setEncoding('utf8').on('data', text => {
      said[stream] += text;
    });
  const says = (text: string) => expect.poll(() => said.stdout).toContain(text);
  return { store, program, said, says };
}

// One of them waits most of its time.
test.concurrent('the daemon takes over a folder that another process releases', async ({
  onTestFinished,
}) => {
  const { store, program, said, says } = await taken(onTestFinished);
  await says('Waiting for another Dartboard process');
  await store.close();
  await says('Dartboard serves the runs of');
  const ended = once(program, 'close');
  program.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(said.stderr).toBe('');
});

test.concurrent('a folder that stays in use is an error with the process that has it', async ({
  onTestFinished,
}) => {
  const { store, program, said } = await taken(onTestFinished);
  onTestFinished(() => store.close());
  expect(await once(program, 'close')).toEqual([1, null]);
  expect(said.stderr).toContain(`${process.pid}`);
  expect(said.stderr).toMatch(/this folder/i);
});
