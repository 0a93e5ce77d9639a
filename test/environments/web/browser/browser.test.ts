import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { failureOf } from '../../../../runtime/core/failure.ts';
import { systemClock } from '../../../../runtime/core/system-clock.ts';
import { launchBrowser } from '../../../../runtime/environments/web/browser/browser.ts';
import { thisMachine } from '../../../../runtime/environments/web/browser/machine.ts';
import { bundled } from '../../../bundle-entry.ts';
import { expectNamed } from '../../../named-values.ts';
import { temporaryFolder } from '../../../temporary.ts';
import { describeWithBrowser, launch, SMALL, valueIn } from './chromium.ts';

const blank = { size: SMALL, allow: [], folders: new Map<string, string>() };

/** The running processes of a group; zombies do not run. */
const groupOf = (group: number): readonly number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter(pid => pid > 0 && isRunningIn(group, pid));

function isRunningIn(group: number, pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, , itsGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state !== 'Z' && Number(itsGroup) === group;
  } catch {
    // It has ended since.
    return false;
  }
}

/** The browser adds files meanwhile. */
function removeWhileWritten(folder: string): void {
  for (;;)
    try {
      rmSync(folder, { recursive: true, force: true });
      return;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOTEMPTY')) throw error;
    }
}

describeWithBrowser('a real browser', () => {
  test('leaves no process and no folder behind when it is closed', async () => {
    const parent = temporaryFolder('profiles');
    const browser = await launch(parent);
    expect(browser.version).toMatch(/Chrome\/\d+/);
    const context = await browser.openContext(blank);
    expect(groupOf(browser.pid).length).toBeGreaterThan(1);
    await browser.close();
    await browser.close();
    expectNamed(await browser.ended, 'closed');
    await expect.poll(() => groupOf(browser.pid)).toEqual([]);
    expect(readdirSync(parent)).toEqual([]);
    expect(await context.crashed).toContain('closed');
    await context.close();
  });

  test('its death ends its contexts and rejects every command', async () => {
    const browser = await launch();
    const context = await browser.openContext(blank);
    const { front } = context;
    const hanging = valueIn(front, 'new Promise(() => {})').catch(error => error);
    process.kill(browser.pid, 'SIGKILL');
    expectNamed(await browser.ended, 'SIGKILL');
    const [crash, failure] = await Promise.all([context.crashed, hanging]);
    expect(crash).toContain('SIGKILL');
    expect(failureOf(failure, 'task', '').boundary).toBe('environment');
    for (const late of [front.send('Page.enable'), browser.openContext(blank)])
      expect(await late.catch(error => error.failure.boundary)).toBe('environment');
    await context.close();
    await browser.close();
    // The kernel removes killed processes a moment later.
    await expect.poll(() => groupOf(browser.pid)).toEqual([]);
  });

  test('the crash of a tab ends its context, and no other', async () => {
    const browser = await launch();
    const [context, other] = [await browser.openContext(blank), await browser.openContext(blank)];
    const { front } = context;
    const failure = valueIn(front, 'new Promise(() => {})').catch(error => error.failure);
    await front.send('Page.navigate', { url: 'chrome://crash' });
    expect(await context.crashed).toContain('crashed');
    expect(await failure).toMatchObject({ boundary: 'environment' });
    expect(front.isOpen).toBe(false);
    expect(await valueIn(other.front, '1 + 1')).toBe(2);
    await context.close();
    expect(await valueIn((await browser.openContext(blank)).front, '2 + 2')).toBe(4);
    await browser.close();
  });

  test('opens a context after its profile was removed', async () => {
    const parent = temporaryFolder('profiles');
    const browser = await launch(parent);
    for (const profile of readdirSync(parent)) removeWhileWritten(join(parent, profile));
    const context = await browser.openContext(blank);
    expect(await valueIn(context.front, '1 + 1')).toBe(2);
    // Cookies of the pages are not for other users of this machine.
    expect(readdirSync(parent).map(profile => statSync(join(parent, profile)).mode & 0o777)).toEqual([0o700]);
    await browser.close();
    expect(readdirSync(parent)).toEqual([]);
  });

  test('ends with the process that started it, even if that is killed', async () => {
    const parent = temporaryFolder('profiles');
    const entry = await bundled(new URL('owner.ts', import.meta.url));
    const owner = spawn(process.execPath, [entry.pathname, parent], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(owner.stdout, 'data');
    const group = Number(line);
    expect(groupOf(group).length).toBeGreaterThan(1);
    owner.kill('SIGKILL');
    await expect.poll(() => groupOf(group)).toEqual([]);
    expect(readdirSync(parent)).toHaveLength(1);
    const next = await launch(parent);
    expect(readdirSync(parent)).toHaveLength(1);
    await next.close();
    expect(readdirSync(parent)).toEqual([]);
  });
});

test.skipIf(process.platform === 'win32')(
  'without a free file descriptor it is an error, not the end',
  async () => {
    const entry = await bundled(new URL('no-descriptors.ts', import.meta.url));
    const limited = `ulimit -n 64; exec '${process.execPath}' '${entry.pathname}'`;
    const { stdout } = spawnSync('sh', ['-c', limited], { encoding: 'utf8' });
    expect(stdout).toContain('Check the limit of open files');
    expect(stdout).toContain('went on');
  },
);

test('a program that is no browser is reported with its path and its last message', async () => {
  const parent = temporaryFolder('profiles');
  const program = join(parent, 'browser.sh');
  writeFileSync(
    program,
    '#!/bin/sh\necho "libnss3.so is missing" >&2\necho "[:INFO:CONSOLE:1] of a page" >&2\nexit 127\n',
    { mode: 0o755 },
  );
  const machine = { ...thisMachine(), temporaryFolder: temporaryFolder('profiles') };
  for (const [path, ...parts] of [
    [program, 'exit code 127', 'libnss3.so is missing', program],
    [join(parent, 'none'), 'ENOENT', join(parent, 'none')],
  ] as const) {
    const failure = await launchBrowser({
      browser: { path, kind: 'full' },
      clock: systemClock,
      machine,
    }).catch(error => error.failure);
    expect(failure).toMatchObject({ boundary: 'provider' });
    expectNamed(failure.message, ...parts);
    expect(readdirSync(machine.temporaryFolder)).toEqual([]);
  }
  expect(existsSync(program)).toBe(true);
});
