// Compares recorded runs and evaluations. Pure: records in, plain data out.

import { COMPACT_AGENT } from '../core/agent.ts';
import { clustered, type Interval, type SuccessTally } from '../data/interval.ts';
import { KIND_TITLES } from '../protocol/desktop-kinds.ts';
import { armDifference } from './arm-difference.ts';
import { armsOf, type ComparedArm, runsOf, settingDifferences, summaryOfArm } from './arms.ts';
import {
  type ArmDifference,
  type MissingPart,
  type RunRow,
  type RunsComparison,
  SIGNIFICANT,
} from './comparison.ts';
import { successCurves } from './curves.ts';
import type { RecordedEvaluation, RecordedRun, RecordedSide } from './record.ts';
import { holm } from './statistics/holm.ts';

export interface ComparisonContext {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly dartboard: string;
}

export function compareRuns(
  sides: readonly RecordedSide[],
  { now, dartboard }: ComparisonContext,
): RunsComparison {
  const arms = armsOf(sides);
  const tiers = Object.fromEntries(arms.flatMap(runsOf).flatMap(run => Object.entries(run.tiers)));
  const [pairs, unpaired] = pairsOf(arms);
  const differences: ArmDifference[] = [];
  const missing: MissingPart[] = sides.flatMap(({ name, missing: all }) =>
    all.map(message => ({ run: name, message })),
  );
  for (const pair of pairs) {
    const difference = armDifference(pair, tiers);
    if (difference !== undefined) differences.push(difference);
    else missing.push(noDifference(pair));
  }
  return {
    format: 'dartboard-comparison-1',
    createdAt: now,
    dartboard,
    arms: arms.map(summaryOfArm),
    runs: arms.flatMap(arm => arm.sides.map(side => rowOf(side, labelOf(arm, side, unpaired)))),
    settings: settingDifferences(arms),
    curves: successCurves(arms),
    differences: corrected(differences),
    curation: arms.flatMap(arm =>
      runsOf(arm).flatMap(({ name, curation }) =>
        curation.length === 0 ? [] : [{ run: name, arm: arm.letter, samples: curation }],
      ),
    ),
    missing,
  };
}

/** The first arm against each other one. Two runs of one arm, which differ by their seeds alone, are compared with each other. */
function pairsOf(
  arms: readonly ComparedArm[],
): readonly [readonly (readonly [ComparedArm, ComparedArm])[], ComparedArm | undefined] {
  const [first, ...others] = arms;
  if (first === undefined) return [[], undefined];
  if (others.length > 0) return [others.map(other => [first, other] as const), undefined];
  const [one, two, ...more] = first.sides;
  if (two === undefined || more.length > 0) return [[], undefined];
  const armOf = (side: RecordedSide, number: number): ComparedArm => ({
    ...{ letter: `${first.letter}${number}`, name: side.name, sides: [side] },
  });
  return [[[armOf(one, 1), armOf(two, 2)]], first];
}

/** 'A', or 'A1' of a pair inside an arm. */
const labelOf = (arm: ComparedArm, side: RecordedSide, unpaired: ComparedArm | undefined): string =>
  arm === unpaired ? `${arm.letter}${arm.sides.indexOf(side) + 1}` : arm.letter;

const noDifference = ([one, two]: readonly [ComparedArm, ComparedArm]): MissingPart => {
  const lacking = [one, two].find(({ sides }) =>
    sides.every(side => (side.kind === 'run' ? side.evaluation === undefined : side.episodes.length === 0)),
  );
  const why =
    lacking === undefined
      ? 'No test instance was played by all of their runs'
      : `'${lacking.name}' has no recorded episodes of an evaluation`;
  return {
    run: `${one.letter}, ${two.letter}`,
    message: `${one.letter} and ${two.letter} cannot be compared per task: ${why}. Evaluate both on the same tasks.`,
  };
};

/** Holm's correction over the pairs that have the test, for the one that decides and for the other. A significant difference has no estimate of further episodes. */
function corrected(differences: readonly ArmDifference[]): readonly ArmDifference[] {
  const adjusted = [0, 1].map(rank => {
    const tested = differences.flatMap(each => {
      const test = each.tests[rank];
      return test === undefined ? [] : [{ each, p: test.p }];
    });
    const values = holm(tested.map(({ p }) => p));
    return new Map(tested.map(({ each }, index) => [each, values[index]] as const));
  });
  return differences.map(each => {
    const { needed, ...known } = each;
    const tests = each.tests.map((test, rank) => ({
      ...test,
      adjusted: adjusted[rank]?.get(each) ?? test.p,
    }));
    const isSure = (tests[0]?.adjusted ?? 1) < SIGNIFICANT;
    return { ...known, tests, ...(!isSure && needed !== undefined && { needed }) };
  });
}

const rowOf = (side: RecordedSide, arm: string): RunRow =>
  side.kind === 'run' ? rowOfRun(side, arm) : rowOfEvaluation(side, arm);

function rowOfRun(run: RecordedRun, arm: string): RunRow {
  const { name, about, model } = run;
  const last = run.curve.findLast(({ trials }) => trials > 0);
  const given = { message: run.message, startedAt: run.startedAt, from: run.from, seconds: run.seconds };
  const counts = { steps: run.steps, updates: run.updates, episodes: run.episodes, cost: run.cost };
  return {
    ...{ arm, name, kind: 'run', status: run.status, programs: run.programs },
    hasSettings: run.config !== undefined,
    agent:
      about?.agent === undefined ? BUILT_IN : model === undefined ? about.agent : `${about.agent} (${model})`,
    ...withoutUndefined({ ...given, ...counts, plannedSeconds: run.plannedSeconds }),
    ...(about !== undefined && {
      ...{ preset: about.preset, mode: about.mode, seed: about.seed, tasks: about.tasks },
      desktops: KIND_TITLES[about.desktops ?? 'pocket'],
    }),
    ...(last !== undefined && {
      success: intervalOf(last),
      // A long curve has too many points for the arguments of one call.
      best: run.curve.reduce((best, { rate }) => Math.max(best, rate), last.rate),
    }),
  };
}

/** The name of the network in reports. */
const BUILT_IN = 'built-in policy';

function rowOfEvaluation(evaluation: RecordedEvaluation, arm: string): RunRow {
  const { name, agent, startedAt, seconds, steps, episodes, cost } = evaluation;
  const tallies = new Map<string, SuccessTally>();
  for (const { task, success } of episodes) {
    const { successes, trials } = tallies.get(task) ?? { successes: 0, trials: 0 };
    tallies.set(task, { successes: successes + Number(success), trials: trials + 1 });
  }
  return {
    ...{ arm, name, kind: 'evaluation', status: 'ended', programs: [], startedAt, seconds, steps },
    hasSettings: false,
    ...{ agent: agent === COMPACT_AGENT ? BUILT_IN : agent, tasks: tallies.size, episodes: episodes.length },
    ...(cost !== undefined && { cost }),
    ...(episodes.length > 0 && { success: clustered([...tallies.values()]) }),
  };
}

const intervalOf = ({ successes, trials, rate, low, high }: Interval): Interval => ({
  ...{ successes, trials, rate, low, high },
});

/** Absent fields instead of undefined ones. */
const withoutUndefined = <T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
