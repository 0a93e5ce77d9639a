// What is made of a folder of tasks follows the folder, and is made no oftener than that takes.

import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { runId, taskId } from '../../runtime/core/ids.ts';
import { TaskFolders } from '../../runtime/server/task-folders.ts';
import { Suites } from '../../runtime/server/trajectories/suites.ts';
import { EXAMPLE } from '../environments/pocket/tasks/guide.ts';
import { temporaryFolder } from '../temporary.ts';

const OTHER = EXAMPLE.replaceAll('quieter-alerts', 'louder-alerts');

test('a folder is read once, and again when a file was added, deleted or changed', async () => {
  const folder = temporaryFolder('tasks');
  let times = 0;
  const folders = new TaskFolders(async () => ++times);
  const save = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const deeds: readonly (() => void)[] = [
    () => save('a.json', 'one'),
    () => save('b.json', 'two'),
    () => save('a.json', 'longer'),
    // As long as before.
    () => utimesSync(join(folder, 'b.json'), 1, 1),
    () => rmSync(join(folder, 'b.json')),
  ];
  for (const [index, deed] of deeds.entries()) {
    deed();
    expect(await folders.of(folder)).toBe(index + 1);
    save('notes.md', `no task ${index}`);
    expect(await folders.of(folder)).toBe(index + 1);
  }
});

test('a changed file in a subfolder counts where tasks are read from there', async () => {
  const folder = temporaryFolder('tasks');
  const save = (text: string) => writeFileSync(join(folder, 'sub/a.json'), text);
  mkdirSync(join(folder, 'sub'));
  save('one');
  let times = 0;
  const folders = new TaskFolders(async () => ++times, { isRecursive: true });
  expect(await folders.of(folder)).toBe(1);
  save('longer');
  expect(await folders.of(folder)).toBe(2);
  const plain = new TaskFolders(async () => ++times);
  expect(await plain.of(folder)).toBe(3);
  save('longer still');
  expect(await plain.of(folder)).toBe(3);
});

test('a missing folder is reported by the reader', async () => {
  const folders = new TaskFolders(async folder => {
    throw new Error(`There is no folder '${folder}'.`);
  });
  await expect(folders.of('elsewhere')).rejects.toThrow("'elsewhere'");
});

test('a failure is not cached', async () => {
  const folder = temporaryFolder('tasks');
  let isWell = false;
  const folders = new TaskFolders(async () => {
    if (!isWell) throw new Error('The disk is away.');
    return 'made';
  });
  await expect(folders.of(folder)).rejects.toThrow('The disk is away.');
  isWell = true;
  expect(await folders.of(folder)).toBe('made');
});

test('tasks that are added, corrected or changed while a daemon runs are listed, with the time of the change', async () => {
  const folder = join(temporaryFolder('tasks'), 'mine');
  const run = runId('one');
  let isThere = false;
  const suites = new Suites({
    runs: async () => [run],
    foldersOf: async () => {
      if (!isThere) throw new Error('There is no such run.');
      return { files: folder };
    },
    ofWorkspace: async () => [],
  });
  const found = async () => {
    const all = [...(await suites.tasks()).values()].filter(({ changedAt }) => changedAt !== undefined);
    return all.map(({ task, changedAt }) => [task, changedAt]).sort();
  };
  expect(await found()).toEqual([]);
  isThere = true;
  // The folder is missing, then broken.
  expect(await found()).toEqual([]);
  mkdirSync(folder);
  const save = (name: string, text: string, at: number): void => {
    writeFileSync(join(folder, name), text);
    utimesSync(join(folder, name), at, at);
  };
  save('a.json', '{', 1);
  expect(await found()).toEqual([]);
  save('a.json', EXAMPLE, 2);
  expect(await found()).toEqual([['quieter-alerts', 2000]]);
  save('b.json', OTHER, 3);
  expect(await found()).toEqual([
    ['louder-alerts', 3000],
    ['quieter-alerts', 2000],
  ]);
  save('a.json', EXAMPLE, 4);
  expect(await found()).toEqual([
    ['louder-alerts', 3000],
    ['quieter-alerts', 4000],
  ]);
});

const ofWorkspace = async () => [];

test('a task folder may be relative to the workspace', async () => {
  const files = relative(process.cwd(), temporaryFolder('tasks'));
  writeFileSync(join(files, 'a.json'), EXAMPLE);
  const suites = new Suites({
    runs: async () => [runId('one')],
    foldersOf: async () => ({ files }),
    ofWorkspace,
  });
  const tasks = await suites.tasks();
  expect(tasks.get(taskId('quieter-alerts'))?.suite).toBe(files);
  expect(tasks.get(taskId('mail-star'))?.suite).toBe('pocket');
});

test('the pages of MiniWoB++ of a run are listed as web tasks, and a folder without pages adds none', async () => {
  const miniwob = temporaryFolder('pages');
  const suites = new Suites({
    runs: async () => [runId('one')],
    foldersOf: async () => ({ miniwob }),
    ofWorkspace,
  });
  const task = taskId('miniwob-click-test');
  expect((await suites.tasks()).has(task)).toBe(false);
  mkdirSync(join(miniwob, 'html/miniwob'), { recursive: true });
  writeFileSync(join(miniwob, 'html/miniwob/click-test.html'), '<script>core.startEpisode();</script>');
  expect((await suites.tasks(runId('one'))).get(task)).toMatchObject({ suite: 'web', isUnseen: false });
});

test('a trajectory without a run has the tasks of the workspace, and the folder of its task', async () => {
  const files = temporaryFolder('tasks');
  writeFileSync(join(files, 'a.json'), EXAMPLE);
  const suites = new Suites({
    ...{ runs: async () => [], foldersOf: async () => ({}) },
    ofWorkspace: async () => [{}, { kind: 'web', files: temporaryFolder('none') }, { kind: 'pocket', files }],
  });
  expect((await suites.tasks()).get(taskId('quieter-alerts'))).toMatchObject({ suite: files, tier: 2 });
  expect(await suites.folderOf(undefined, taskId('quieter-alerts'))).toBe(files);
  expect(await suites.folderOf(undefined, taskId('mail-star'))).toBeUndefined();
});
