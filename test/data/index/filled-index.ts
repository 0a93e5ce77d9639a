// Opens indexes and fills them with trajectories, and folders with trajectory files. All tests of a file use one kind of database.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { type RunId, runId, seed, taskId, trajectoryId } from '../../../runtime/core/ids.ts';
import type { Trajectory } from '../../../runtime/core/trajectory.ts';
import { INDEX, placeOf, WORKSPACE } from '../../../runtime/data/files/places.ts';
import { summaryOf } from '../../../runtime/data/files/summary.ts';
import { encodeTrajectory } from '../../../runtime/data/files/trajectory-file.ts';
import { Catalogue } from '../../../runtime/data/index/catalogue.ts';
import { EMBEDDED, type IndexPlace } from '../../../runtime/data/index/place.ts';
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

/** As the store passes it to the index. */
export function headOf(each: Trajectory) {
  const { head, bytes } = encodeTrajectory(each);
  return { head, bytes: bytes.length };
}

export const rowOf = (each: Trajectory): IndexedTrajectory => {
  const { head, bytes } = headOf(each);
  return { ...summaryOf(head, bytes), instruction: head.instruction, keySteps: [] };
};

let place = EMBEDDED;

/** For all indexes that are opened later. */
export function useIndexPlace(chosen: IndexPlace): void {
  place = chosen;
}

/** A test uses fewer at a time. Each keeps a connection to a server. */
const MAX_OPEN = 8;
const opened: Catalogue[] = [];

export async function openIndex(root: string, progressed?: () => void): Promise<Catalogue> {
  const catalogue = await Catalogue.open(root, progressed, place);
  if (place.kind === 'postgres') {
    opened.push(catalogue);
    if (opened.length > MAX_OPEN) await opened.shift()?.close();
  }
  return catalogue;
}

/** The next opening finds no index. */
export function loseIndex(root: string): void {
  for (const file of [INDEX, WORKSPACE]) rmSync(join(root, file), { force: true });
}

export async function indexed(root: string, all: readonly Trajectory[]): Promise<Catalogue> {
  const catalogue = await openIndex(root);
  for (const each of all) {
    const { head, bytes } = headOf(each);
    await catalogue.add(head, bytes);
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
