// The command that restores a guest: processes that it leaves, its deadline, and its errors.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import { type RevertCommand, runRevert } from '../../../runtime/environments/guest/revert-command.ts';
import { bundled } from '../../bundle-entry.ts';
import { temporaryFolder } from '../../temporary.ts';

const ADDRESS = 'http://127.0.0.1:5000';

const revertBy = (command: string, more: Partial<RevertCommand> = {}): Promise<void> =>
  runRevert({
    ...{ command, address: ADDRESS, clock: systemClock, signal: new AbortController().signal },
    ...more,
  });

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A command that starts a process in the background, and the id of that process. */
function starting(rest: string) {
  const file = join(temporaryFolder('revert'), 'pid');
  const pid = () => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0);
  onTestFinished(() => {
    if (pid() > 0 && isAlive(pid())) process.kill(pid());
  });
  return { command: `sleep 999 & echo $! > '${file}'; ${rest}`, pid };
}

test('a process that the command leaves, such as a virtual machine, runs on without delay', async () => {
  const { command, pid } = starting('exit 0');
  await revertBy(command, { timeoutMs: 20_000 });
  expect(isAlive(pid())).toBe(true);
});

test('a command beyond its deadline ends with all its processes', async () => {
  const { command, pid } = starting('echo halfway >&2; wait');
  await expect(revertBy(command, { timeoutMs: 1000 })).rejects.toThrow(
    /^guest http:\/\/127\.0\.0\.1:5000: the command '.*' did not finish within 1 s\. Its last message: halfway\. Run it by hand with DARTBOARD_GUEST=http:\/\/127\.0\.0\.1:5000\.$/s,
  );
  await expect.poll(() => isAlive(pid())).toBe(false);
});

test('a command ends with all its processes when the guest is not needed any more', async () => {
  const { command, pid } = starting('wait');
  const closing = new AbortController();
  const reverted = revertBy(command, { signal: closing.signal });
  await expect.poll(pid).toBeGreaterThan(0);
  closing.abort(new Error('the desktop is closed'));
  await expect(reverted).rejects.toThrow('the desktop is closed');
  await expect.poll(() => isAlive(pid())).toBe(false);
  await expect(revertBy('exit 0', { signal: closing.signal })).rejects.toThrow('the desktop is closed');
});

test('without a free file descriptor the error names the command, and the process goes on', async () => {
  const entry = await bundled(new URL('revert-no-descriptors.ts', import.meta.url));
  const limited = `ulimit -n 64; exec '${process.execPath}' '${entry.pathname}'`;
  const { stdout } = spawnSync('sh', ['-c', limited], { encoding: 'utf8' });
  expect(stdout).toContain("Cannot open the pipes of the command 'exit 0'. Check the limit of open files");
  expect(stdout).toContain('went on');
});

describe('output', () => {
  test('of any size is no failure', async () => {
    await revertBy('head -c 3000000 /dev/zero; head -c 3000000 /dev/zero >&2');
  });

  test('is in the error of a command that fails, else its exit code', async () => {
    await expect(revertBy('echo no snapshot >&2; exit 3')).rejects.toThrow(/ failed: no snapshot\. Run it/);
    await expect(revertBy('exit 3')).rejects.toThrow(/the command 'exit 3' failed: exit code 3\. Run it/);
  });
});
