// The program as a process: its output, its exit code, its end by a signal.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { DAEMON_FILE, daemonAddress } from '../../runtime/protocol/daemon/daemon-file.ts';
import { PATIENCE } from '../patience.ts';
import { temporaryFolder } from '../temporary.ts';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

const run = (...args: readonly string[]) =>
  spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8' });

test('the program prints its help on standard output', () => {
  const { status, stdout, stderr } = run('--help');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain('Usage: dartboard');
});

test('an invalid option is an error on standard error', () => {
  const { status, stdout, stderr } = run('train', '--tier', '7');
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toContain("'7'");
});

test('a failure is a message without a stack trace', () => {
  const { status, stderr } = run('eval', '--weights', MAIN);
  expect(status).toBe(1);
  expect(stderr).toContain(`'${MAIN}' cannot be used`);
  expect(stderr).not.toContain('    at ');
});

test('an instruction is tried with the base weights before any training', () => {
  const cwd = temporaryFolder('empty');
  const { status, stdout } = spawnSync(process.execPath, [MAIN, 'run', 'Mute the sound.'], {
    ...{ cwd, encoding: 'utf8' },
  });
  expect(stdout).toMatch(/weights: .*base\.safetensors/);
  expect(status).toBe(0);
  expect(existsSync(join(cwd, '.dartboard', 'attempts'))).toBe(true);
});

test('an evaluation of the base weights says so', () => {
  const args = ['eval', '--weights', 'base', '--tier', '1', '--instances', '1'];
  const { status, stdout } = spawnSync(process.execPath, [MAIN, ...args], {
    ...{ cwd: temporaryFolder('empty'), encoding: 'utf8' },
  });
  expect(stdout).toContain('base weights');
  expect(status).toBe(0);
});

test('train --dry-run prints nothing but the settings on standard output', () => {
  const { status, stdout, stderr } = run('train', '--dry-run', '--tier', '2,1', '--minutes', '7');
  expect(JSON.parse(stdout)).toMatchObject({ minutes: 7, suite: { tiers: [1, 2] }, preset: 'scratch' });
  expect(stderr).toMatch(/suite\.tiers +\[1,2\] +command line/);
  expect(status).toBe(0);
});

describe('dartboard record', () => {
  const folder = temporaryFolder('record');
  let child: ChildProcess | undefined;
  afterEach(() => {
    child?.kill('SIGKILL');
  });

  async function started(
    ...args: readonly string[]
  ): Promise<{ child: ChildProcess; said: string; url: URL }> {
    const program = spawn(process.execPath, [MAIN, 'record', ...args], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child = program;
    let said = '';
    for await (const data of program.stdout) {
      said += data;
      if (!said.includes('Ctrl-C stops.\n')) continue;
      const { url } = daemonAddress.parse(JSON.parse(readFileSync(join(folder, DAEMON_FILE), 'utf8')));
      return { child: program, said, url: new URL(url ?? '') };
    }
    throw new Error(`It ended, and had said: ${said}`);
  }

  test.each(['SIGINT', 'SIGTERM'] as const)(
    'writes its address to a file, serves the page, and stops by %s',
    async signal => {
      const { child, said, url } = await started('notes-write');
      expect(said).toContain(`Open the 'url' of '${DAEMON_FILE}' in a browser.`);
      expect(said).not.toContain(url.hash.slice(1));
      expect(statSync(join(folder, DAEMON_FILE)).mode & 0o077).toBe(0);
      expect(url.hash).toMatch(/^#[\w-]{32}$/);
      const page = await fetch(new URL('/', url));
      expect(await page.text()).toContain('<title>Dartboard</title>');
      child.kill(signal);
      expect(await once(child, 'exit')).toEqual([0, null]);
      expect(existsSync(join(folder, DAEMON_FILE))).toBe(false);
    },
  );

  test.skipIf(process.platform !== 'linux')('goes on when its output is on a full disk', async () => {
    const cwd = temporaryFolder('full');
    const full = openSync('/dev/full', 'w');
    const program = spawn(process.execPath, [MAIN, 'record'], { cwd, stdio: ['ignore', full, 'pipe'] });
    child = program;
    closeSync(full);
    let errors = '';
    program.stderr?.on('data', data => {
      errors += data;
    });
    await vi.waitFor(() => expect(existsSync(join(cwd, DAEMON_FILE))).toBe(true), PATIENCE);
    program.kill('SIGINT');
    expect(await once(program, 'close')).toEqual([1, null]);
    expect(errors).toBe('');
    // It ended in order.
    expect(existsSync(join(cwd, DAEMON_FILE))).toBe(false);
  });

  test('a used port is an error with the port', async () => {
    const { url } = await started();
    const { status, stderr } = spawnSync(process.execPath, [MAIN, 'record', '--port', url.port], {
      cwd: temporaryFolder('elsewhere'),
      encoding: 'utf8',
    });
    expect(stderr).toContain(`Port ${url.port} is used`);
    expect(status).toBe(1);
  });

  test('names the daemon that already runs in the folder', async () => {
    await started();
    const { status, stdout } = spawnSync(process.execPath, [MAIN, 'record'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(stdout).toContain(`Open the 'url' of '${DAEMON_FILE}' in a browser.`);
    expect(status).toBe(0);
    const other = spawnSync(process.execPath, [MAIN, 'record', '--port', '9'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(other).toMatchObject({ status: 1, stdout: '' });
    expect(other.stderr).toContain('--port 9 has no effect: the daemon of this folder has port');
  });

  test('an unknown task, and a bad task file, are errors before a page is served', () => {
    const workspace = temporaryFolder('workspace');
    const tasks = join(workspace, '.dartboard/tasks');
    mkdirSync(tasks, { recursive: true });
    const recorded = (...args: readonly string[]) =>
      spawnSync(process.execPath, [MAIN, 'record', ...args], { cwd: workspace, encoding: 'utf8' });
    expect(recorded('notes-wrte')).toMatchObject({
      ...{ status: 1, stdout: '' },
      stderr: expect.stringContaining("Did you mean 'notes-write'?"),
    });
    writeFileSync(join(workspace, 'dartboard.json'), '{ "suite": { "files": ".dartboard/tasks" } }');
    writeFileSync(join(tasks, 'bad.json'), '{');
    expect(recorded()).toMatchObject({
      ...{ status: 1, stdout: '' },
      stderr: expect.stringContaining(`${join('.dartboard/tasks', 'bad.json')} cannot be read as JSON`),
    });
  });
});
