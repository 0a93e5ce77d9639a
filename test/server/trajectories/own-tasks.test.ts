// A demonstration of a task file of the workspace, before any run: it is listed with its task, and its screens are redrawn. Needs the
// bundles that `npm test` builds first.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CONFIG_FILE, readConfig } from '../../../runtime/config/config-file.ts';
import { seed, taskId } from '../../../runtime/core/ids.ts';
import { RENDERER } from '../../../runtime/environments/pocket/machine.ts';
import { StoredTrajectories } from '../../../runtime/server/trajectories/trajectories.ts';
import { workspaceSuites } from '../../../runtime/server/trajectories/workspace-suites.ts';
import { FRAMES_ENTRY, opened } from '../../data/open-stores.ts';
import { folder, trajectory } from '../../data/trajectories.ts';
import { EXAMPLE } from '../../environments/pocket/tasks/guide.ts';

test('a demonstration of an own task has its tier and its pictures', async () => {
  const workspace = folder();
  const files = join(workspace, '.dartboard', 'tasks', 'pocket');
  mkdirSync(files, { recursive: true });
  writeFileSync(join(files, 'a.json'), EXAMPLE);
  const { store } = await opened({ root: folder() });
  const unused = () => expect.unreachable();
  const trajectories = new StoredTrajectories({
    ...{ store, masksOf: unused, entry: FRAMES_ENTRY, notice: unused },
    runs: { judge: unused, accept: unused, reject: unused, poolChanged: unused },
    suites: workspaceSuites({
      ...{ runs: async () => [], configOf: unused },
      settings: () => readConfig(join(workspace, CONFIG_FILE), {}),
    }),
  });
  onTestFinished(() => trajectories.close());
  const { run: _, ...shown } = trajectory('human-1', {
    ...{ instance: { task: taskId('quieter-alerts'), seed: seed(0) }, purpose: 'demonstrate' },
    ...{ provenance: { kind: 'human', who: 'ada' }, frames: { kind: 'redrawn', renderer: RENDERER } },
  });
  await store.ingest(shown);
  const { waiting } = await trajectories.queue({ offset: 0, limit: 9 });
  expect(waiting.map(({ row }) => [row.task, row.tier])).toEqual([['quieter-alerts', 2]]);
  const { about, png } = await trajectories.frame(shown.id, 0);
  expect(about).toMatchObject({ width: 320, height: 240 });
  expect(png.length).toBeGreaterThan(100);
});
