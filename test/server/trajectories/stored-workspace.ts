// A workspace with some hundred trajectories of the pocket desktop in a real store, and what can be asked about them.

import { cpSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { EntropyMask } from '../../../runtime/core/batch.ts';
import { batchId, groupId, runId, seed, type TaskId, taskId } from '../../../runtime/core/ids.ts';
import type { Trajectory } from '../../../runtime/core/trajectory.ts';
import { SuccessPool } from '../../../runtime/data/pool/pool.ts';
import { RENDERER } from '../../../runtime/environments/pocket/machine.ts';
import { POCKET } from '../../../runtime/environments/pocket/tasks/suite.ts';
import { Suites } from '../../../runtime/server/trajectories/suites.ts';
import { StoredTrajectories } from '../../../runtime/server/trajectories/trajectories.ts';
import { FRAMES_ENTRY, opened } from '../../data/open-stores.ts';
import { BROKEN, folder, judged, step, trajectory } from '../../data/trajectories.ts';
import { temporaryFolder } from '../../temporary.ts';

export const COUNT = 300;
export const TASKS: readonly TaskId[] = [
  ...POCKET.tasks('train', 1).slice(0, 4),
  ...POCKET.tasks('train', 2).slice(0, 4),
];
export const RUN = runId('run-1');
/** The one that trained; eight rollouts belong to each. */
export const TRAINED = groupId('group-3');

/** The n-th of them. Every group is one instance. */
export function nth(n: number): Trajectory {
  const group = Math.floor(n / 8);
  const instance = { task: TASKS[group % TASKS.length] ?? taskId('none'), seed: seed(group % 5) };
  const outcome = n % 50 === 7 ? BROKEN : judged(n % 3 === 0 ? 1 : 0);
  return trajectory(`t-${n}`, {
    ...{ run: RUN, group: groupId(`group-${group}`), instance, outcome },
    instruction: POCKET.task(instance.task, instance.seed).instruction,
    purpose: n % 10 === 9 ? 'evaluate' : n % 30 === 0 ? 'collect' : 'train',
    steps: Array.from({ length: 1 + (n % 6) }, (_, index) => ({
      ...step(Math.floor(n / 20), ((n * 7 + index * 31) % 100) / 100),
      action: { kind: 'click', at: { x: (n * 37 + index * 11) % 320, y: (n * 53 + index * 29) % 240 } },
    })),
    frames: { kind: 'redrawn', renderer: RENDERER },
    ...{ startedAt: 1_000_000 + 1000 * n, endedAt: 1_000_500 + 1000 * n },
  });
}

/** A store with all of them. Each test has a copy. */
const makeTemplate = async () => {
  const root = temporaryFolder('stored');
  const all = Array.from({ length: COUNT }, (_, n) => nth(n));
  const { store } = await opened({ root });
  await Promise.all(all.map(each => store.ingest(each)));
  await store.close();
  return { root, all };
};
let template: ReturnType<typeof makeTemplate> | undefined;

export async function stored() {
  // Files may share a process, and the folders of each are removed after it.
  if (template === undefined || !existsSync((await template).root)) template = makeTemplate();
  const { root: ingested, all } = await template;
  const root = folder();
  cpSync(ingested, root, { recursive: true });
  const { store } = await opened({ root });
  const masks = join(root, 'masks.jsonl');
  writeFileSync(masks, `${JSON.stringify(maskOf(all.filter(({ group }) => group === TRAINED)))}\n`);
  const pool = new SuccessPool(store);
  const told: string[] = [];
  const runs = {
    judge: async (_run: unknown, id: Trajectory['id'], success: boolean, who: string) => {
      told.push(`judge ${id} ${success}`);
      await store.label(id, { kind: 'verdict', success }, who);
    },
    accept: (id: Trajectory['id'], who: string) => pool.accept(id, who),
    reject: (id: Trajectory['id'], who: string) => pool.reject(id, who),
    poolChanged: async (id: Trajectory['id']) => void told.push(`changed ${id}`),
  };
  const suites = new Suites({
    runs: async () => [RUN],
    foldersOf: async () => ({}),
    ofWorkspace: async () => [],
  });
  const trajectories = new StoredTrajectories({
    store,
    suites,
    masksOf: () => masks,
    runs,
    entry: FRAMES_ENTRY,
    notice: expect.unreachable,
  });
  onTestFinished(() => trajectories.close());
  return { store, trajectories, told, all };
}

function maskOf(group: readonly Trajectory[]): EntropyMask {
  return {
    ...{ batch: batchId('batch-9'), group: TRAINED, threshold: 0.5 },
    steps: group.flatMap(({ steps }) =>
      steps.map((_, index) => ({ uncertainty: index / 10, kept: index >= 5 })),
    ),
    rollouts: group.map(({ id, steps }, index) => ({
      trajectory: id,
      steps: steps.length,
      advantage: index,
    })),
  };
}
