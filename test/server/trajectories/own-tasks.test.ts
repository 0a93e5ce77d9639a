// Trajectories of task files of the workspace, with and without a run: they are listed with their tasks, and their screens are redrawn.
// Needs the bundles that `npm test` builds first.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CONFIG_FILE, readConfig } from '../../../runtime/config/config-file.ts';
import { seed, taskId, trajectoryId } from '../../../runtime/core/ids.ts';
import type { Trajectory } from '../../../runtime/core/trajectory.ts';
import { RENDERER } from '../../../runtime/environments/pocket/machine.ts';
import { Suites } from '../../../runtime/server/trajectories/suites.ts';
import { StoredTrajectories } from '../../../runtime/server/trajectories/trajectories.ts';
import { workspaceSuites } from '../../../runtime/server/trajectories/workspace-suites.ts';
import { FRAMES_ENTRY, opened } from '../../data/open-stores.ts';
import { folder, trajectory } from '../../data/trajectories.ts';
import { EXAMPLE } from '../../environments/pocket/tasks/guide.ts';

/** The trajectories of a new store, whose tasks are these. */
async function openedWith(suites: Suites) {
  const { store } = await opened({ root: folder() });
  const unused = () => expect.unreachable();
  const trajectories = new StoredTrajectories({
    ...{ store, masksOf: unused, entry: FRAMES_ENTRY, notice: unused, suites },
    runs: { judge: unused, accept: unused, reject: unused, poolChanged: unused },
  });
  onTestFinished(() => trajectories.close());
  return { store, trajectories };
}

const played = (id: string, task: string) =>
  trajectory(id, {
    ...{ instance: { task: taskId(task), seed: seed(0) }, frames: { kind: 'redrawn', renderer: RENDERER } },
  });

/** A demonstration belongs to no run. */
function shown(id: string, task: string): Trajectory {
  const { run: _, ...rest } = played(id, task);
  return { ...rest, purpose: 'demonstrate', provenance: { kind: 'human', who: 'ada' } };
}

test('a demonstration of an own task has its tier and its pictures', async () => {
  const workspace = folder();
  const files = join(workspace, '.dartboard', 'tasks', 'pocket');
  mkdirSync(files, { recursive: true });
  writeFileSync(join(files, 'a.json'), EXAMPLE);
  const { store, trajectories } = await openedWith(
    workspaceSuites({
      ...{ runs: async () => [], configOf: () => expect.unreachable() },
      settings: () => readConfig(join(workspace, CONFIG_FILE), {}),
    }),
  );
  await store.ingest(shown('human-1', 'quieter-alerts'));
  const { waiting } = await trajectories.queue({ offset: 0, limit: 9 });
  expect(waiting.map(({ row }) => [row.task, row.tier])).toEqual([['quieter-alerts', 2]]);
  const { about, png } = await trajectories.frame(trajectoryId('human-1'), 0);
  expect(about).toMatchObject({ width: 320, height: 240 });
  expect(png.length).toBeGreaterThan(100);
});

const suitesOf = (files: string): Suites =>
  new Suites({
    ...{ runs: async () => [], foldersOf: async () => ({ files }) },
    ofWorkspace: async () => [{ files }],
  });

test('a faulty task file hides the screens of no other task', async () => {
  const files = folder();
  writeFileSync(join(files, 'a.json'), EXAMPLE);
  writeFileSync(join(files, 'b.json'), '{');
  // Its solution solves nothing.
  const unsolved = EXAMPLE.replace('quieter-alerts', 'unsolved').replace('"Sound"]', '"Display"]');
  writeFileSync(join(files, 'c.json'), unsolved);
  const { store, trajectories } = await openedWith(suitesOf(files));
  const each = [
    played('one', 'mail-star'),
    played('two', 'quieter-alerts'),
    shown('three', 'quieter-alerts'),
  ];
  for (const stored of each) {
    await store.ingest(stored);
    const { about } = await trajectories.frame(stored.id, 0);
    expect(about).toMatchObject({ width: 320, height: 240 });
    // The file is younger than the episode.
    expect(about.doubt !== undefined).toBe(stored.instance.task === 'quieter-alerts');
  }
});

test('the screens of a built-in task need no task folder', async () => {
  const { store, trajectories } = await openedWith(suitesOf(join(folder(), 'deleted')));
  const [builtIn, own] = [played('one', 'mail-star'), played('two', 'quieter-alerts')];
  await store.ingest(builtIn);
  await store.ingest(own);
  expect((await trajectories.frame(builtIn.id, 0)).about).toMatchObject({ width: 320, height: 240 });
  await expect(trajectories.frame(own.id, 0)).rejects.toThrow(
    /cannot be redrawn \(.*The folder of tasks cannot be read/,
  );
});
