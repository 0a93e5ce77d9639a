// A persistent shell, on a real `sh`.

import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import {
  ContainerShell,
  readFile,
  UnreadableFile,
  writeFile,
} from '../../../runtime/environments/docker/shell.ts';
import { hasShell, type LocalShell, localShell } from './local-shell.ts';

let shell: ContainerShell;
let opened: LocalShell[];
let folder: string;

beforeEach(() => {
  opened = [];
  folder = mkdtempSync(join(tmpdir(), 'dartboard-shell-'));
  shell = new ContainerShell({
    thing: 'desktop-1',
    clock: systemClock,
    secret: () => randomBytes(16).toString('hex'),
    open: () => {
      const stream = localShell();
      opened.push(stream);
      return stream;
    },
  });
});

afterEach(() => {
  shell.close();
  for (const { process } of opened) process.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** A zombie is dead. */
const isAlive = (pid: string): boolean =>
  existsSync(`/proc/${pid}/stat`) && !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');
const resultOf = async (command: string) => {
  const { code, output, errors } = await shell.run(command);
  return { code, output: text(output), errors: text(errors) };
};

describe.runIf(hasShell)('a persistent shell', () => {
  test('separates output, errors and exit code of each command, in one process', async () => {
    expect(await resultOf('echo one; echo two >&2; exit 3')).toEqual({
      code: 3,
      output: 'one\n',
      errors: 'two\n',
    });
    expect(await resultOf('printf %s "$PWD"')).toMatchObject({ output: process.env['HOME'] });
    expect(opened).toHaveLength(1);
  });

  test('concurrent calls run in order', async () => {
    const commands = Array.from(
      { length: 8 },
      (_, index) => `echo ${index} >>${folder}/order; cat ${folder}/order`,
    );
    const answers = await Promise.all(commands.map(resultOf));
    expect(answers.map(({ output }) => output.length)).toEqual([2, 4, 6, 8, 10, 12, 14, 16]);
  });

  test('a command that does not parse, reads input or kills its shell does not affect the next one', async () => {
    expect((await resultOf("echo 'unfinished")).code).not.toBe(0);
    expect(await resultOf('cat')).toMatchObject({ code: 0, output: '' });
    expect((await resultOf('kill -KILL $$')).code).toBe(137);
    expect(await resultOf('echo well')).toMatchObject({ code: 0, output: 'well\n' });
    expect(opened).toHaveLength(1);
  });

  test('a background process does not delay the result', async () => {
    expect(await resultOf('sleep 30 & echo on')).toMatchObject({ code: 0, output: 'on\n' });
  });

  test('a hung command is killed with its children, is a fault of the task, and the next one runs', async () => {
    const hanging = shell.run(`echo $$ >${folder}/pid; sh -c 'sleep 900' | cat`, { timeoutMs: 700 });
    await expect(hanging).rejects.toMatchObject({
      failure: {
        boundary: 'task',
        message: expect.stringMatching(/did not end within 0.7 s and was killed/),
      },
    });
    expect(await resultOf('echo well')).toMatchObject({ code: 0, output: 'well\n' });
    const pid = readFileSync(join(folder, 'pid'), 'utf8').trim();
    // A signal is sent before the process ends: on a busy machine, later.
    const untilDead = { timeout: 60_000 };
    await expect.poll(() => isAlive(pid), untilDead).toBe(false);
    await expect.poll(() => isAlive(String(opened[0]?.process.pid)), untilDead).toBe(false);
  });

  test('a shell that dies during a command rejects it; the next command gets a new shell', async () => {
    await resultOf('true');
    const running = shell.run('sleep 30');
    setTimeout(() => opened[0]?.process.kill('SIGKILL'), 100);
    await expect(running).rejects.toMatchObject({
      failure: {
        boundary: 'environment',
        thing: 'desktop-1',
        message: expect.stringContaining('its shell ended'),
      },
    });
    expect(await resultOf('echo again')).toMatchObject({ code: 0, output: 'again\n' });
  });

  test('close rejects running and later commands', async () => {
    await resultOf('true');
    const running = shell.run('sleep 30');
    setTimeout(() => shell.close(), 50);
    setTimeout(() => opened[0]?.process.kill('SIGKILL'), 100);
    await expect(running).rejects.toMatchObject({ failure: { boundary: 'environment' } });
    await expect(shell.run('true')).rejects.toMatchObject({ failure: { boundary: 'environment' } });
  });
});

describe.runIf(hasShell)('files through a shell', () => {
  test('any bytes are written and read unchanged, and folders are created', async () => {
    for (const size of [0, 1, 59_999, 60_001, 200_000]) {
      const data = randomBytes(size);
      const path = join(folder, "deep/er and 'odd'", `file ${size}`);
      await writeFile(shell, path, data);
      expect(Buffer.compare(readFileSync(path), data)).toBe(0);
      expect(Buffer.compare((await readFile(shell, path)) ?? Buffer.from('none'), data)).toBe(0);
    }
  });

  test('a folder, a pipe or a dangling link is not a file, and does not block', async () => {
    await resultOf(`mkdir ${folder}/folder; mkfifo ${folder}/pipe; ln -s nowhere ${folder}/link`);
    for (const name of ['folder', 'pipe', 'link', 'missing'])
      expect(await readFile(shell, join(folder, name))).toBeUndefined();
  });

  test('a file that is too large is not read, and its size is named', async () => {
    writeFileSync(join(folder, 'large'), '');
    truncateSync(join(folder, 'large'), 67_108_865);
    const read = readFile(shell, join(folder, 'large'));
    await expect(read).rejects.toBeInstanceOf(UnreadableFile);
    await expect(read).rejects.toThrow(/large: it has 67108865 bytes, the limit is 67108864/);
  });

  test('a file that its owner protects is not a missing one', async () => {
    // Nothing is protected against root, who may run this test.
    const withoutRights = { run: (command: string) => shell.run(command.replace('[ -r', '! [ -r')) };
    const path = join(folder, 'mine');
    await writeFile(shell, path, Buffer.from('x'));
    await expect(readFile(withoutRights, path)).rejects.toThrow(/mine: permission denied/);
  });

  test('a failed write names the path', async () => {
    await expect(writeFile(shell, '/proc/none/file', Buffer.from('x'))).rejects.toMatchObject({
      failure: { boundary: 'task', message: expect.stringContaining('cannot write /proc/none/file') },
    });
  });
});
