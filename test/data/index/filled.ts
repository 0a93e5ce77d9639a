// Fills indexes with trajectories, and folders with trajectory files.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { type RunId, runId, seed, taskId, trajectoryId } from '../../../runtime/core/ids.ts';
import type { Trajectory } from '../../../runtime/core/trajectory.ts';
import { placeOf } from '../../../runtime/data/files/places.ts';
import { summaryOf } from '../../../runtime/data/files/summary.ts';
import { encodeTrajectory } from '../../../runtime/data/files/trajectory-file.ts';
import { Catalogue } from '../../../runtime/data/index/catalogue.ts';
import type { IndexedTrajectory } from '../../../runtime/data/index/queries.ts';
import { BROKEN, judged, step, trajectory } from '../trajectories.ts';

export const TASKS = ['notes', 'mail', 'files'].map(taskId);
export const RUNS = ['run-1', 'run-2'].map(runId);

/** With distinct end times, so that their order is unique. */
export const several: fc.Arbitrary<readonly Trajectory[]> = fc
  .array(
    fc.record({
      run: fc.constantFrom(...RUNS),
      instance: fc.record({ task: fc.constantFrom(...TASKS), seed: fc.nat(2).map(seed) }),
      purpose: fc.constantFrom('train', 'evaluate', 'collect'),
      provenance: fc.constantFrom(
        { kind: 'rollout' },
        { kind: 'oracle' },
        { kind: 'hindsight', of: trajectoryId('t') },
      ),
      outcome: fc.constantFrom(judged(0), judged(0.5), judged(1), BROKEN),
      steps: fc.array(fc.tuple(fc.nat(9), fc.nat(100)), { maxLength: 4 }),
    }),
    { minLength: 1, maxLength: 25 },
  )
  .map(all =>
    all.map(({ steps, ...each }, number) =>
      trajectory(`t${number}`, {
        ...(each as Partial<Trajectory>),
        steps: steps.map(([version, share]) => step(version, share / 100)),
        endedAt: 1000 + 10 * number,
      }),
    ),
  );

export const rowOf = (each: Trajectory): IndexedTrajectory => {
  const { head, bytes } = encodeTrajectory(each);
  return { ...summaryOf(head, bytes.length), instruction: head.instruction, keySteps: [] };
};

export async function indexed(root: string, all: readonly Trajectory[]): Promise<Catalogue> {
  const catalogue = await Catalogue.open(root);
  for (const each of all) {
    const { head, bytes } = encodeTrajectory(each);
    catalogue.add(head, bytes.length);
  }
  return catalogue;
}

export const fileOf = (root: string, id: string, run: RunId | undefined = RUNS[0]): string =>
  join(root, placeOf(trajectoryId(id), run));

export function write(root: string, each: Trajectory): void {
  const path = fileOf(root, each.id, each.run);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, encodeTrajectory(each).bytes);
}
