// What is made of a folder of tasks follows the folder, and is made no oftener than that takes.

import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { runId, taskId } from '../../runtime/core/ids.ts';
import { placeOf } from '../../runtime/data/files/places.ts';
import { encodeTrajectory } from '../../runtime/data/files/trajectory-file.ts';
import { TaskFolders } from '../../runtime/server/task-folders.ts';
import { Suites } from '../../runtime/server/trajectories/suites.ts';
import { trajectory } from '../data/trajectories.ts';
import { png } from '../environments/offline/experts.ts';
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

function signal() {
  let give = (): void => undefined;
  const given = new Promise<void>(resolve => {
    give = resolve;
  });
  return { given, give };
}

test('a folder that changes while it is read has one reader at a time, and the next one reads the last change', async () => {
  const folder = temporaryFolder('tasks');
  const [begun, released] = [signal(), signal()];
  let [readers, most, times] = [0, 0, 0];
  const folders = new TaskFolders(async () => {
    times += 1;
    const isFirst = times === 1;
    readers += 1;
    most = Math.max(most, readers);
    const names = readdirSync(folder).sort();
    begun.give();
    await released.given;
    readers -= 1;
    if (isFirst) throw new Error('The disk is away.');
    return names;
  });
  const failed = folders.of(folder).catch((error: unknown) => error);
  await begun.given;
  const names = [...'abcdefghij'].map(letter => `${letter}.json`);
  const calls: Promise<readonly string[]>[] = [];
  for (const name of names) {
    writeFileSync(join(folder, name), name);
    calls.push(folders.of(folder));
    // As long as the call needs to see the change.
    await new TaskFolders(async () => undefined).of(folder);
  }
  released.give();
  expect((await Promise.all(calls)).at(-1)).toEqual(names);
  expect(await failed).toEqual(new Error('The disk is away.'));
  expect(most).toBe(1);
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
  // Neither can be read; the second has no instance.
  save('c.json', '{', 5);
  save('d.json', EXAMPLE.replace('quieter-alerts', 'no-alerts').replaceAll('{sound}', '{song}'), 5);
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
  const pages = join(miniwob, 'html/miniwob');
  mkdirSync(pages, { recursive: true });
  const save = (name: string) =>
    writeFileSync(join(pages, `${name}.html`), '<script>core.startEpisode();</script>');
  save('click-test');
  expect((await suites.tasks(runId('one'))).get(task)).toMatchObject({ suite: 'web', isUnseen: false });
  save('click-link');
  utimesSync(pages, 1, 1);
  expect((await suites.tasks()).has(taskId('miniwob-click-link'))).toBe(true);
});

test('stored trajectories are one suite, in whichever folders their files lie', async () => {
  const runs = temporaryFolder('runs');
  const folders = ['one', 'two'].map(id => {
    const stored = trajectory(id, { frames: { kind: 'png', images: [png(0), png(1)] } });
    const path = join(runs, placeOf(stored.id, undefined));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, encodeTrajectory(stored).bytes);
    return dirname(path);
  });
  expect(new Set(folders).size).toBe(2);
  const files = dirname(folders[0] ?? '');
  const suites = new Suites({
    ...{ runs: async () => [], foldersOf: async () => ({}) },
    ofWorkspace: async () => [{ kind: 'offline', files }],
  });
  const stored = [...(await suites.tasks()).values()].filter(({ task }) => task.startsWith('notes-rename '));
  expect(stored.map(({ suite }) => suite)).toEqual(['offline', 'offline']);
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

test('a trajectory of a run has the folder of the run, unless its task is built in', async () => {
  const files = temporaryFolder('tasks');
  const suites = new Suites({ runs: async () => [], foldersOf: async () => ({ files }), ofWorkspace });
  expect(await suites.folderOf(runId('one'), taskId('quieter-alerts'))).toBe(files);
  expect(await suites.folderOf(runId('one'), taskId('mail-star'))).toBeUndefined();
});
