// The set-up steps of OSWorld's tasks on a machine in memory.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runStep } from '../../../runtime/environments/osworld/steps.ts';
import { bytesOf, memoryMachine, taskRun } from './memory-machine.ts';

test('files come from an address, from the task, or from the folder of the task', async () => {
  const machine = memoryMachine();
  const run = taskRun(machine, { folder: import.meta.dirname });
  await runStep(run, { type: 'download', parameters: { files: [{ url: 'https://x/a', path: '/a' }] } });
  await runStep(run, {
    type: 'upload_file',
    parameters: {
      files: [
        { path: '/b', content: 'text' },
        { path: '/c', base64: 'AAE=' },
        { path: '/d', local_path: 'steps.test.ts' },
      ],
    },
  });
  expect(machine.files.get('/a')).toEqual(bytesOf('content of https://x/a'));
  expect(machine.files.get('/b')).toEqual(bytesOf('text'));
  expect([...(machine.files.get('/c') ?? [])]).toEqual([0, 1]);
  expect(machine.files.get('/d')?.length).toBeGreaterThan(100);
});

test('a local file that does not exist is an error of the task with its path', async () => {
  const folder = import.meta.dirname;
  const parameters = { files: [{ path: '/d', local_path: 'none.txt' }] };
  const step = { type: 'upload_file', parameters };
  await expect(runStep(taskRun(memoryMachine(), { folder }), step)).rejects.toMatchObject({
    failure: {
      boundary: 'task',
      thing: 'set-up step upload_file',
      message: `local_path 'none.txt': Cannot open '${join(folder, 'none.txt')}': it does not exist (ENOENT). Check the path.`,
    },
  });
});

// Linux fails to read the page at address 0 as a disk fails.
test.skipIf(!existsSync('/proc/self/mem'))('a disk that fails is no error of the task', async () => {
  const parameters = { files: [{ path: '/d', local_path: '/proc/self/mem' }] };
  const step = { type: 'upload_file', parameters };
  await expect(runStep(taskRun(memoryMachine()), step)).rejects.toMatchObject({
    failure: { boundary: 'provider', message: 'Cannot read: the disk failed (EIO). Check the disk.' },
  });
});

describe('a command', () => {
  test('keeps its output for a getter, and knows the password and the screen', async () => {
    const machine = memoryMachine({ outputs: ['done'] });
    const run = taskRun(machine);
    const command = ['echo', '{CLIENT_PASSWORD} {SCREEN_WIDTH_HALF}x{SCREEN_HEIGHT} {other}'];
    await runStep(run, { type: 'execute', parameters: { command, stdout: 'out.txt' } });
    expect(machine.done).toEqual(['run echo secret 960x1080 {other}']);
    expect(run.cache.get('out.txt')?.bytes).toEqual(bytesOf('done'));
  });

  test('repeats until its condition holds', async () => {
    const machine = memoryMachine({ outputs: ['not yet', 'ready'] });
    await runStep(taskRun(machine), {
      type: 'command',
      parameters: { command: 'look', shell: 'true', until: { stdout: 'ready' } },
    });
    expect(machine.done).toEqual(['run look', 'run look']);
  });
});

test('opened tabs replace the first one, and tabs are closed by address', async () => {
  const machine = memoryMachine({ tabs: [{ title: 'New Tab', url: 'chrome://newtab/' }] });
  const run = taskRun(machine);
  await runStep(run, {
    type: 'chrome_open_tabs',
    parameters: { urls_to_open: ['https://a.org/', 'https://b.org'] },
  });
  expect(machine.openTabs.map(({ url }) => url)).toEqual(['https://a.org/', 'https://b.org']);
  await runStep(run, { type: 'chrome_close_tabs', parameters: { urls_to_close: ['https://www.a.org'] } });
  expect(machine.openTabs.map(({ url }) => url)).toEqual(['https://b.org']);
});

test('the history of the browser gets visits', async () => {
  const { default: initSqlJs } = await import('sql.js');
  const { Database } = await initSqlJs();
  const empty = new Database();
  empty.run(`CREATE TABLE urls (id INTEGER PRIMARY KEY, url, title, visit_count, typed_count, last_visit_time, hidden);
    CREATE TABLE visits (id INTEGER PRIMARY KEY, url, visit_time, from_visit, transition, segment_id, visit_duration)`);
  const bytes = empty.export();
  const machine = memoryMachine();
  const visit = { url: 'https://a.org', title: 'A', visit_time_from_now_in_seconds: 60 };
  await runStep(taskRun(machine, { downloads: { fetch: async () => bytes } }), {
    type: 'update_browse_history',
    parameters: { history: [visit, { ...visit, url: 'https://b.org' }] },
  });
  const written = new Database(machine.files.get('~/.config/google-chrome/Default/History'));
  const rows = written.exec(
    'SELECT urls.url, visits.visit_time FROM visits JOIN urls ON visits.url = urls.id',
  )[0];
  const microseconds = (Date.UTC(2026, 10, 25, 11, 59) - Date.UTC(1601, 0, 1)) * 1000;
  expect(rows?.values).toEqual([
    ['https://a.org', microseconds],
    ['https://b.org', microseconds],
  ]);
});

test('a file that is no history of a browser is an error of the task with its address', async () => {
  const run = taskRun(memoryMachine(), { downloads: { fetch: async () => bytesOf('<html>'.repeat(200)) } });
  const visit = { url: 'https://a.org', title: 'A', visit_time_from_now_in_seconds: 60 };
  const step = { type: 'update_browse_history', parameters: { history: [visit] } };
  await expect(runStep(run, step)).rejects.toMatchObject({
    failure: {
      boundary: 'task',
      thing: 'set-up step update_browse_history',
      message: expect.stringMatching(
        /history_empty\.sqlite.*: .*not a database\. Delete it from environments\.guest\.downloads/,
      ),
    },
  });
});

test('a wrong parameter is an error with the value', async () => {
  const wrong = { type: 'sleep', parameters: { seconds: -1 } };
  await expect(runStep(taskRun(memoryMachine()), wrong)).rejects.toThrow(
    /set-up step sleep: seconds: .*, not -1/,
  );
});
