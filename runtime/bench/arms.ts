// The arms of a learning benchmark: trainings that differ in one thing and share their seed, and often the cloned weights of that seed. Each
// training is a part of the report, seed by seed, so that an unfinished run can be compared.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sum } from '../core/sum.ts';
import type { Report } from './report.ts';

export interface ArmPlan<Arm extends string> {
  readonly arms: readonly Arm[];
  readonly seeds: number;
  /** The arms to train now; all without it. Of the others, the result has what was measured before. */
  readonly chosen?: readonly string[] | undefined;
}

/** The results of each arm, in the order of the seeds. */
export type ArmRuns<Arm extends string, Run> = ReadonlyMap<Arm, readonly Run[]>;

const partOf = (arm: string, seed: number): string => `${arm}, seed ${seed}`;
const cloningOf = (seed: number): string => partOf('behaviour cloning', seed);
const againOf = (seed: number, again: number): string => `${cloningOf(seed)}, again ${again}`;

/** The arms of each seed that the result will have. */
const armsBySeed = <Arm extends string>(
  report: Report,
  { arms, seeds, chosen = arms }: ArmPlan<Arm>,
): readonly (readonly Arm[])[] =>
  Array.from({ length: seeds }, (_, seed) =>
    arms.filter(arm => chosen.includes(arm) || report.has(partOf(arm, seed))),
  );

const withRun = <Arm extends string, Run>(runs: ArmRuns<Arm, Run>, arm: Arm, run: Run): ArmRuns<Arm, Run> =>
  new Map([...runs, [arm, [...(runs.get(arm) ?? []), run]]]);

export async function trainArms<Arm extends string, Run>(
  report: Report,
  plan: ArmPlan<Arm>,
  train: (arm: Arm, seed: number) => Promise<Run>,
): Promise<ArmRuns<Arm, Run>> {
  const parts = armsBySeed(report, plan).flatMap((arms, seed) => arms.map(arm => ({ arm, seed })));
  let runs: ArmRuns<Arm, Run> = new Map();
  for (const { arm, seed } of parts)
    runs = withRun(runs, arm, await report.part(partOf(arm, seed), parts.length, () => train(arm, seed)));
  return runs;
}

/** The weights that all arms of a seed begin from. */
export interface ClonedStart {
  /** Within the folder of outcomes. */
  readonly file: string;
}

export interface ClonedArmRuns<Arm extends string, Start, Run> {
  readonly starts: readonly Start[];
  readonly runs: ArmRuns<Arm, Run>;
  /** Seeds of which some arms began from other weights than the others, for the configuration of the outcome. */
  readonly clonedAgain: readonly number[];
}

export async function trainClonedArms<Arm extends string, Start extends ClonedStart, Run>(
  report: Report,
  plan: ArmPlan<Arm>,
  {
    clone,
    train,
  }: {
    readonly clone: (seed: number) => Promise<Start>;
    /** `from`: the file of the cloned weights. */
    readonly train: (arm: Arm, seed: number, from: string) => Promise<Run>;
  },
): Promise<ClonedArmRuns<Arm, Start, Run>> {
  const bySeed = armsBySeed(report, plan);
  const count = sum(bySeed.map(arms => 1 + arms.length));
  const starts: Start[] = [];
  let runs: ArmRuns<Arm, Run> = new Map();
  for (const [seed, arms] of bySeed.entries()) {
    const start = await report.part(cloningOf(seed), count, () => clone(seed));
    starts.push(start);
    for (const arm of arms) {
      const name = partOf(arm, seed);
      let { file } = start;
      // The file of an earlier run can be on another machine. Its weights are then cloned again, once for all arms that follow.
      for (let again = 1; !report.has(name) && !existsSync(join(report.folder, file)); again++)
        ({ file } = await report.part(againOf(seed, again), count, () => clone(seed)));
      const run = await report.part(name, count, () => train(arm, seed, join(report.folder, file)));
      runs = withRun(runs, arm, run);
    }
  }
  const clonedAgain = [...bySeed.keys()].filter(seed => report.has(againOf(seed, 1)));
  return { starts, runs, clonedAgain };
}
