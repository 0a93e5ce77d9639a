// Set-up steps that start programs, on a real `sh` and a simulated screen.

import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Clock } from '../../../runtime/core/clock.ts';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import { runSetupStep, type TaskContext } from '../../../runtime/environments/docker/setup.ts';
import { ContainerShell } from '../../../runtime/environments/docker/shell.ts';
import { hasShell, localShell } from './local-shell.ts';
import { until } from './test-engine.ts';

let folder: string;
let shell: ContainerShell;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dartboard-setup-'));
  const secret = () => randomBytes(16).toString('hex');
  shell = new ContainerShell({
    thing: 'desktop-1',
    clock: systemClock,
    secret,
    open: localShell,
  });
});
afterEach(() => {
  shell.close();
  rmSync(folder, { recursive: true });
});

/** A clock that runs faster by this factor. */
function hasty(times: number): Clock {
  let now = 0;
  const sleep = async (milliseconds: number) => {
    await systemClock.sleep(milliseconds);
    now += times * milliseconds;
  };
  return { now: () => now, sleep };
}

/** A window appears once its file exists. */
function bench(clock: Clock): TaskContext {
  const box: [number, number, number, number] = [0, 0, 9, 9];
  const window = { xid: 7, title: 'shown', box, inner: box, pid: 0 };
  const empty = { nodes: [], late: [], busy: [], active: 0 };
  return {
    ...{ shell, clock },
    tree: async () => ({ ...empty, windows: existsSync(join(folder, 'window')) ? [window] : [] }),
    printed: new Map(),
  };
}

const launch = (command: string, others = {}, clock = systemClock) =>
  runSetupStep(bench(clock), { type: 'launch', parameters: { command, shell: true, ...others } });

describe.runIf(hasShell)('a program that is launched', () => {
  test('is ready once it has a window, even if another process shows it', async () => {
    await launch(`sleep 0.1; touch ${folder}/window; sleep 1`);
    rmSync(join(folder, 'window'));
    await launch(`(sleep 0.1; touch ${folder}/window) &`);
  });

  test.each([
    // The new parent of an orphan can need a second to reap it.
    ['exit 3', 10, /exit 3 ended without a window.*"window": false/],
    ['sleep 9', 40, /sleep 9 showed no window within 30 s/],
  ])('without a window is no fault of the task: %s', async (command, times, message) => {
    await expect(launch(command, {}, hasty(times))).rejects.toMatchObject({
      failure: { boundary: 'environment', message: expect.stringMatching(message) },
    });
  });

  test('is not awaited if the task says that it has no window', async () => {
    await launch(`sleep 0.1; touch ${folder}/ran`, { window: false });
    await until(() => existsSync(join(folder, 'ran')));
  });

  test('that is missing is a fault of the task', async () => {
    const parameters = { command: ['no-such-program'] };
    await expect(runSetupStep(bench(systemClock), { type: 'launch', parameters })).rejects.toMatchObject({
      failure: { boundary: 'task' },
    });
  });

  test('that opens a file without a window is no fault of the task', async () => {
    const file = join(folder, 'note.txt');
    writeFileSync(file, '');
    await expect(
      runSetupStep(bench(hasty(40)), { type: 'open', parameters: { path: file } }),
    ).rejects.toMatchObject({
      failure: { boundary: 'environment' },
    });
  });
});

describe.runIf(hasShell)('files of a task', () => {
  const upload = (file: object) =>
    runSetupStep(bench(systemClock), { type: 'upload_file', parameters: { files: [file] } });

  test.each([
    ['a.txt', { content: 'text' }, 'text'],
    ['a.bin', { base64: 'dGV4dA==' }, 'text'],
    ['a.xlsx', { table: [['Item', 12]], sheet: 'Spring' }, '<sheet name="Spring"'],
    ['a.docx', { document: ['A paragraph'] }, 'A paragraph'],
    ['a.pptx', { slides: [['A title', 'A line']] }, 'A title'],
  ])('%s is written', async (name, content, part) => {
    const path = join(folder, name);
    await upload({ path, ...content });
    expect(readFileSync(path, 'latin1')).toContain(part);
  });

  test.each([{}, { content: 'one', base64: 'dHdv' }, { slides: [] }, { table: [[true]] }])(
    '%j is an error of the task',
    async content => {
      await expect(upload({ path: join(folder, 'a'), ...content })).rejects.toMatchObject({
        failure: { boundary: 'task', thing: 'set-up step upload_file' },
      });
    },
  );
});
