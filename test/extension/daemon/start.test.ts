// Each way in which a program can fail to start, and how the caller learns of it.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startDaemon } from '../../../extension/daemon/start.ts';

function temporaryPaths() {
  const folder = mkdtempSync(join(tmpdir(), 'dartboard-start-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'file');
  writeFileSync(file, '');
  return { folder, file, log: join(folder, 'logs/daemon.log') };
}

/** The reason of the exit, and whether the callback came after `startDaemon` had returned. */
function exitOf(program: { file: string; args?: readonly string[]; cwd: string }, log: string) {
  let hasReturned = false;
  const exit = new Promise<{ reason: string; isAsync: boolean }>(resolve =>
    startDaemon({ args: [], env: {}, shell: undefined, ...program }, log, reason =>
      resolve({ reason, isAsync: hasReturned }),
    ),
  );
  hasReturned = true;
  return exit;
}

test('reports the last line of output, or else the exit code', async () => {
  const { folder, log } = temporaryPaths();
  const args = ['-e', "console.error('There is no room.\\n'); process.exit(3)"];
  expect(await exitOf({ file: process.execPath, args, cwd: folder }, log)).toEqual({
    ...{ reason: 'There is no room.', isAsync: true },
  });
  const silent = await exitOf({ file: process.execPath, args: ['-e', 'process.exit(3)'], cwd: folder }, log);
  expect(silent.reason).toContain('code 3');
});

test('reports the message of a crash, not its stack and not the version of Node', async () => {
  const { folder, log } = temporaryPaths();
  const reasonOf = async (...args: readonly string[]) =>
    (await exitOf({ file: process.execPath, args, cwd: folder }, log)).reason;
  expect(await reasonOf('-e', "throw new Error('boom')")).toBe('Error: boom');
  const withFields = "throw Object.assign(new TypeError('boom'), { path: 'here' })";
  expect(await reasonOf('-e', withFields)).toBe('TypeError: boom');
  const missing = join(folder, 'main.js');
  expect(await reasonOf(missing)).toBe(`Error: Cannot find module '${missing}'`);
  const caught = "console.error(new Error('boom').stack); process.exitCode = 1";
  expect(await reasonOf('-e', caught)).toBe('Error: boom');
});

test.skipIf(process.platform === 'win32')('reports a signal, not an earlier line of output', async () => {
  const { folder, log } = temporaryPaths();
  const args = ['-e', "console.log('Ctrl-C stops.'); process.kill(process.pid, 'SIGKILL')"];
  const { reason } = await exitOf({ file: process.execPath, args, cwd: folder }, log);
  expect(reason).toBe(`The Dartboard daemon exited with SIGKILL. See '${log}'.`);
});

test('reports asynchronously that a program cannot start, even if spawn throws', async () => {
  const { folder, file, log } = temporaryPaths();
  for (const program of [join(folder, 'none'), join(file, 'below-a-file'), 'no\0name'])
    expect(await exitOf({ file: program, cwd: folder }, log), program).toEqual({
      reason: expect.stringMatching(/cannot be started with .*[^.]\. Check the setting 'dartboard.node'\.$/),
      isAsync: true,
    });
});

test('reports a folder that does not exist, not the program', async () => {
  const { folder, log } = temporaryPaths();
  const cwd = join(folder, 'deleted');
  expect(await exitOf({ file: process.execPath, cwd }, log)).toEqual({
    reason: `The Dartboard daemon cannot be started in '${cwd}': the folder does not exist. Create it again, or open another folder.`,
    isAsync: true,
  });
});

test('reports that the log cannot be written, and survives a deleted log', async () => {
  const { folder, file, log } = temporaryPaths();
  const noLog = join(file, 'logs/daemon.log');
  const { reason } = await exitOf({ file: process.execPath, cwd: folder }, noLog);
  expect(reason).toContain(`The log '${noLog}' of the Dartboard daemon cannot be written: `);
  expect(reason).toContain('ENOTDIR');
  expect(reason).not.toContain('dartboard.node');
  const args = ['-e', `require('node:fs').rmSync(${JSON.stringify(log)}); process.exit(4)`];
  expect((await exitOf({ file: process.execPath, args, cwd: folder }, log)).reason).toContain('code 4');
});
