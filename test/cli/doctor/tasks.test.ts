// `dartboard doctor --tasks FOLDER`.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { taskReport, taskReportJson } from '../../../runtime/cli/doctor/tasks.ts';
import { readOsworldFolder } from '../../../runtime/environments/osworld/suite.ts';
import { EXAMPLE } from '../../environments/pocket/tasks/guide.ts';
import { temporaryFolder } from '../../temporary.ts';

const TASK = {
  instruction: 'Do it.',
  config: [{ type: 'launch', parameters: { command: ['gedit'] } }],
  evaluator: {
    func: 'exact_match',
    result: { type: 'vm_command_line', command: 'ls' },
    expected: { type: 'rule', rules: { expected: '' } },
  },
};

function folderWith(files: Readonly<Record<string, unknown>>): string {
  const folder = temporaryFolder('doctor-tasks');
  mkdirSync(join(folder, 'os'));
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  return folder;
}

const lines = async (folder: string) =>
  taskReport('FOLDER', await readOsworldFolder(folder)).map(line => line.map(({ text }) => text).join(''));

test('counts the files that can run, and names what the others need, the most common first', async () => {
  const folder = folderWith({
    'os/a.json': { id: 'a', ...TASK },
    'os/b.json': { id: 'b', ...TASK, config: [{ type: 'login' }] },
    'os/c.json': { id: 'c', ...TASK, config: [{ type: 'login' }, { type: 'dance' }] },
    'os/d.json': { id: 'd', ...TASK, evaluator: { ...TASK.evaluator, func: 'compare_tabel' } },
    'os/e.json': { id: 'e', ...TASK, evaluator: { ...TASK.evaluator, result: { type: 'mind' } } },
    'os/f.json': '{',
    'os/g.json': { id: 'g', ...TASK, dartboard: { vary: { say: ['Mute.'] } } },
    'os/notes.txt': '',
  });
  const report = await lines(folder);
  expect(report[0]).toBe('1 of 7 tasks in FOLDER can run on guests and be judged.');
  expect(report.slice(3, 5)).toEqual([
    '   2  the set-up step login needs an account at Google Drive',
    '      os/b.json and 1 more',
  ]);
  const text = report.join('\n');
  expect(text).toContain('the set-up step dance does not exist here');
  expect(text).toContain('the getter mind does not exist here');
  expect(text).toContain('"compare_tabel" is not a metric. Did you mean compare_table?');
  expect(text).toContain('cannot be read as JSON');
  expect(text).toContain("'vary', which tasks of guests do not support");
});

test('lists the files as JSON', async () => {
  const folder = folderWith({
    'os/a.json': { id: 'a', ...TASK },
    'os/b.json': { id: 'b', ...TASK, config: [{ type: 'login' }] },
  });
  expect(JSON.parse(taskReportJson(await readOsworldFolder(folder)))).toEqual({
    tasks: 2,
    ready: 1,
    missing: [{ file: 'os/b.json', missing: ['the set-up step login needs an account at Google Drive'] }],
  });
});

test('a task of another kind of desktops lacks nothing but these desktops', async () => {
  const open = { type: 'open', parameters: { url: 'page:members.html' } };
  const dom = { ...TASK.evaluator, result: { type: 'dom', selector: 'td' } };
  const folder = folderWith({
    'quieter-alerts.json': EXAMPLE,
    'row.json': { id: 'row', ...TASK, config: [open], evaluator: dom },
  });
  expect(await lines(folder)).toEqual([
    '0 of 2 tasks in FOLDER can run on guests and be judged.',
    '',
    'What the others need:',
    "   1  desktops of the kind 'pocket'; a run on them reads the file at its start",
    '      quieter-alerts.json',
    "   1  desktops of the kind 'web'; a run on them reads the file at its start",
    '      row.json',
  ]);
  expect(JSON.parse(taskReportJson(await readOsworldFolder(folder)))).toMatchObject({
    ready: 0,
    missing: [
      { missing: [expect.stringContaining("kind 'pocket'")] },
      { missing: [expect.stringContaining("kind 'web'")] },
    ],
  });
});

test('a folder without task files says so, and a missing folder is an error', async () => {
  expect(await lines(folderWith({}))).toEqual(['FOLDER has no task files (*.json).']);
  await expect(readOsworldFolder('/no/such/folder')).rejects.toThrow(/The folder of tasks cannot be read/);
});
