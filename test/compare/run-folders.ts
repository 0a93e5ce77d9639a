// Folders of runs with evaluations, for tests that read them.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseConfig } from '../../runtime/config/config.ts';
import { defaults } from '../../runtime/config/presets.ts';
import { groupId, orderId, type RunId, seed, taskId } from '../../runtime/core/ids.ts';
import type { Trajectory } from '../../runtime/core/trajectory.ts';
import { placeOf } from '../../runtime/data/files/places.ts';
import { ledgerLineOf, summaryOf } from '../../runtime/data/files/summary.ts';
import { encodeTrajectory } from '../../runtime/data/files/trajectory-file.ts';
import { readHead } from '../../runtime/data/index/listing.ts';
import { clustered } from '../../runtime/data/interval.ts';
import type { EvaluationPoint } from '../../runtime/protocol/daemon/state.ts';
import { CurveFiles } from '../../runtime/run/curves/curve-files.ts';
import { thisProgram } from '../../runtime/run/folders/program-versions.ts';
import { RunFolders, STATE_FILE } from '../../runtime/run/folders/run-folders.ts';
import { BROKEN, judged, step, trajectory } from '../data/trajectories.ts';
import { stateAt, take } from '../run/curves/states.ts';
import type { Solves } from './recorded-runs.ts';

export const TASKS = ['notes-rename', 'mail-star', 'files-move'];
const INSTANCES = 4;
export const STARTED = Date.UTC(2026, 10, 20, 12);

interface MadeRun {
  readonly root: string;
  readonly name: string;
  readonly curation?: 'dart' | 'grpo';
  /** Of the evaluations at 0, 100 and 200 seconds. */
  readonly solves: readonly Solves[];
}

/** A run that ended after 200 seconds. Each evaluation has a group of test and one of training instances. */
export async function makeRun({ root, name, curation = 'dart', solves }: MadeRun): Promise<RunId> {
  const folders = new RunFolders(root);
  const run = await folders.create(new Date(STARTED), name);
  const config = parseConfig({ ...defaults({}), seed: name, curation: { preset: curation } });
  const curve: EvaluationPoint[] = [];
  for (const [index, of] of solves.entries()) {
    for (const [split, first] of [
      ['test', 1000],
      ['train', 0],
    ] as const) {
      const group = groupId(`${run}.${(STARTED + 1000 * index).toString(36)}.e${curve.length}`);
      const episodes = evaluationOf(run, group, 10 * index, first, of);
      for (const each of episodes) store(root, each);
      const tallies = TASKS.map((_, task) => ({
        successes: Array.from({ length: INSTANCES }, (_, at) => of(task, at)).filter(Boolean).length,
        trials: INSTANCES,
      }));
      const place = { seconds: 100 * index, steps: 1000 * index, version: 10 * index };
      curve.push({ ...clustered(tallies), ...place, split, score: 0.5, broken: 0 });
    }
  }
  const files = await CurveFiles.open(folders.path(run), STARTED);
  for (const seconds of [0, 50, 100, 150, 200]) {
    const metrics = {
      ...{ 'data/known_successes': seconds / 10, 'data/mean_rollouts': 8, 'off_policy/mean': 3 },
      ...{ 'data/trainable_groups': seconds, 'off_policy/dropped': 1 },
    };
    const spent = { promptTokens: 100 * seconds, completionTokens: 0, successes: 1 };
    const state = {
      ...stateAt(
        seconds,
        curve.filter(each => each.seconds <= seconds),
        metrics,
      ),
      spent,
    };
    await take(files, state, STARTED + 1000 * seconds);
  }
  await files.close();
  const state = { ...stateAt(200, curve), run, status: 'ended', of: 200 } as const;
  writeFileSync(join(folders.path(run), STATE_FILE), JSON.stringify(state));
  const { seconds, of, about, status } = state;
  const programs = [thisProgram()];
  await folders.write({ run, status, startedAt: STARTED, seconds, of, about, config, programs });
  return run;
}

/** The last test episode broke at first, and was repeated. */
function evaluationOf(
  run: RunId,
  group: ReturnType<typeof groupId>,
  version: number,
  firstSeed: number,
  solves: Solves,
): readonly Trajectory[] {
  const episodes = TASKS.flatMap((task, taskIndex) =>
    Array.from({ length: INSTANCES }, (_, at) => {
      const id = `${group}.${taskIndex * INSTANCES + at}`;
      return episodeOf(id, run, group, task, firstSeed + at, version, solves(taskIndex, at) ? 1 : 0);
    }),
  );
  const broken = {
    ...episodeOf(`${group}.99`, run, group, 'files-move', firstSeed, version, 0),
    outcome: BROKEN,
  };
  return [...episodes, broken];
}

const episodeOf = (
  id: string,
  run: RunId,
  group: ReturnType<typeof groupId>,
  task: string,
  number: number,
  version: number,
  score: number,
): Trajectory => ({
  ...trajectory(`${id}.1`, { run, group, purpose: 'evaluate', outcome: judged(score) }),
  ...{
    order: orderId(id),
    instance: { task: taskId(task), seed: seed(number) },
    steps: [step(version, 0.5)],
  },
});

export function store(root: string, each: Trajectory): string {
  const { head, bytes } = encodeTrajectory(each);
  const path = join(root, placeOf(head.id, head.run));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  return path;
}

/** The line of the ledger that remains of a trajectory file. */
export function ledgerLine(path: string): string {
  const { head, bytes } = readHead(path);
  return `${JSON.stringify(ledgerLineOf(summaryOf(head, bytes), STARTED))}\n`;
}
