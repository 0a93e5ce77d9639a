// A program that does not come is told as one that went: whoever started it waits for nothing else.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startDaemon } from '../../../extension/daemon/start.ts';

function place() {
  const folder = mkdtempSync(join(tmpdir(), 'dartboard-start-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'file');
  writeFileSync(file, '');
  return { folder, file, log: join(folder, 'logs/daemon.log') };
}

/** What is said of it, and whether that was said while it was still being started. */
function went(program: { file: string; args?: readonly string[]; cwd: string }, log: string) {
  let isStarting = true;
  const said = new Promise<{ why: string; isLater: boolean }>(resolve =>
    startDaemon({ args: [], env: {}, shell: undefined, ...program }, log, why =>
      resolve({ why, isLater: !isStarting }),
    ),
  );
  isStarting = false;
  return said;
}

test('the last that it said is why it went', async () => {
  const { folder, log } = place();
  const args = ['-e', "console.error('There is no room.\\n'); process.exit(3)"];
  expect(await went({ file: process.execPath, args, cwd: folder }, log)).toEqual({
    ...{ why: 'There is no room.', isLater: true },
  });
  const silent = await went({ file: process.execPath, args: ['-e', 'process.exit(3)'], cwd: folder }, log);
  expect(silent.why).toBe('It ended with code 3 and said nothing.');
});

test('why it could not be started is told later, whether or not starting it throws', async () => {
  const { folder, file, log } = place();
  for (const program of [join(folder, 'none'), join(file, 'below-a-file'), 'no\0name'])
    expect(await went({ file: program, cwd: folder }, log), program).toEqual({
      ...{ why: expect.stringContaining('cannot be started'), isLater: true },
    });
});

test('so is that its words cannot be kept, and what it said that is gone by then', async () => {
  const { folder, file, log } = place();
  const { why } = await went({ file: process.execPath, cwd: folder }, join(file, 'logs/daemon.log'));
  expect(why).toMatch(/cannot be started: E/);
  const args = ['-e', `require('node:fs').rmSync(${JSON.stringify(log)}); process.exit(4)`];
  expect((await went({ file: process.execPath, args, cwd: folder }, log)).why).toContain('code 4');
});
