// The benchmark of survival with --kills: kills and stalls every kind of process of real runs, disturbs their machine, and checks that training
// continues, that nothing acknowledged is lost and that no process is left.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EXAMPLES_BEFORE_TRAINING } from '../../../cloning/tier-1.ts';
import { clonedModel } from '../../micro/clone-arm.ts';
import { type Benchmark, type BenchResult, quantile, type Report } from '../../report.ts';
import { withTrainingFolder } from '../../training.ts';
import { keepingAlive } from '../keep-alive.ts';
import { type Aftermath, aftermathOf } from './aftermath.ts';
import { FaultedRun } from './faulted-run.ts';
import { RunMachine } from './machine.ts';
import {
  FAULTY_RUNS,
  type FaultCounts,
  type FaultyRun,
  faultName,
  type ProcessFault,
  processFaults,
  repeatedFaults,
  shareOf,
} from './plan.ts';
import { type FaultyWorld, missingFor, openWorld } from './worlds.ts';

const KILLS = 200;
const STALLS = 50;
/** With the default number of stalls, each of the four runs has six. */
const DISTURBANCES_PER_STALL = 0.48;
const P95 = 0.95;

interface SurvivedFaults extends Pick<Aftermath, 'twice' | 'setbacks' | 'trajectories' | 'measurements'> {
  readonly injected: readonly { readonly kind: ProcessFault['kind']; readonly victim: string }[];
  readonly seconds: readonly number[];
  readonly stuck: number;
  readonly lost: number;
  readonly disagreements: number;
  readonly contradictions: number;
  readonly orphans: number;
}

export const killsAndStalls: Benchmark = {
  name: 'survive',
  variant: 'kills',
  summary:
    'kills and stalls of every process of pocket, web, Docker and model runs, full disks, jumps of the clock, suspensions, and their cost',
  run: (report, { kills = KILLS, stalls = STALLS, input }) =>
    keepingAlive(async () => {
      if (process.platform !== 'linux')
        throw new Error(
          `The processes of a run cannot be found on '${process.platform}'. Run this benchmark on Linux, for example in a container.`,
        );
      const counts = { kill: kills, stall: stalls, disturb: Math.round(DISTURBANCES_PER_STALL * stalls) };
      const { plan, missing } = await plannedRuns(counts, input);
      for (const { run, why } of missing) report.say(`  no ${run} run: ${why}`);
      const survived: SurvivedFaults[] = [];
      for (const { run, faults } of plan)
        survived.push(
          await report.part(`${run} run, ${faults.length} faults`, plan.length, () =>
            survive(run, faults, counts, report),
          ),
        );
      return resultOf(survived, {
        runs: plan.map(({ run, faults }) => ({ run, faults: faults.length })),
        ...(missing.length > 0 && { left_out: missing }),
      });
    }),
};

interface RunPlan {
  readonly run: FaultyRun;
  readonly faults: readonly ProcessFault[];
}

async function plannedRuns(counts: FaultCounts, input: string | undefined) {
  const asked = input === undefined ? FAULTY_RUNS : [repeatedFaults(input, counts).run];
  const missing: { readonly run: FaultyRun; readonly why: string }[] = [];
  for (const run of asked) {
    const why = await missingFor(run);
    if (why !== undefined) missing.push({ run, why });
  }
  const runs = asked.filter(run => !missing.some(each => each.run === run));
  const plan = runs.map(
    (run): RunPlan =>
      input === undefined
        ? { run, faults: processFaults(run, shareOf(counts, run, runs)) }
        : repeatedFaults(input, counts),
  );
  return { plan: plan.filter(({ faults }) => faults.length > 0), missing };
}

const survive = (
  run: FaultyRun,
  faults: readonly ProcessFault[],
  counts: FaultCounts,
  report: Report,
): Promise<SurvivedFaults> =>
  withTrainingFolder(report, async folder => {
    const say = (text: string) => report.say(`    ${text}`);
    const world = await openWorld[run]({ folder, say, weights: () => clonedWeights(folder, say) });
    try {
      const machine = await RunMachine.open(folder);
      try {
        return await surviveOn(machine, world, { run, faults, counts, say });
      } finally {
        await machine.close();
      }
    } finally {
      await world.close();
    }
  });

interface FaultsOfRun extends RunPlan {
  readonly counts: FaultCounts;
  readonly say: (text: string) => void;
}

async function surviveOn(
  machine: RunMachine,
  world: FaultyWorld,
  { run, faults, counts, say }: FaultsOfRun,
): Promise<SurvivedFaults> {
  const possible = faults.filter(({ victim }) => victim !== 'disk' || machine.hasDisk);
  if (possible.length < faults.length)
    say('no full disk: no file system can be mounted here. Run it as root.');
  const faulted = await FaultedRun.start(machine, world);
  try {
    const survived = await injectAll(faulted, possible, say, counts);
    return { ...survived, ...(await ended(machine.root, faulted, { say, stuck: survived.stuck, run })) };
  } finally {
    await faulted.kill();
  }
}

/** Stops the run and examines what it leaves. */
async function ended(
  root: string,
  faulted: FaultedRun,
  {
    say,
    stuck,
    run,
  }: { readonly say: (text: string) => void; readonly stuck: number; readonly run: FaultyRun },
): Promise<Omit<SurvivedFaults, 'injected' | 'seconds'>> {
  const isMeasured = await faulted.isMeasured();
  if (!isMeasured) say('at fault: the curve has no measurement after the last fault');
  const { orphans, hasStopped } = await faulted.end();
  if (!hasStopped) say('at fault: the daemon did not stop');
  const { lost, disagreements, ...rest } = await aftermathOf(root, faulted, run !== 'model');
  sayAll(say, 'lost', lost);
  sayAll(say, 'orphan', orphans);
  sayAll(say, 'contradiction', faulted.broken);
  sayAll(say, 'index and files disagree on', disagreements);
  return {
    ...{ ...rest, stuck: stuck + (isMeasured ? 0 : 1) + (hasStopped ? 0 : 1) },
    ...{ lost: lost.length, orphans: orphans.length },
    ...{ disagreements: disagreements.length, contradictions: faulted.broken.length },
  };
}

async function injectAll(
  faulted: FaultedRun,
  faults: readonly ProcessFault[],
  say: (text: string) => void,
  { kill, stall }: FaultCounts,
): Promise<Pick<SurvivedFaults, 'injected' | 'seconds' | 'stuck'>> {
  const injected: SurvivedFaults['injected'][number][] = [];
  const recovered: number[] = [];
  let stuckRuns = 0;
  for (const fault of faults) {
    const name = faultName(fault);
    const result = await faulted.inject(fault);
    injected.push({ kind: fault.kind, victim: fault.victim });
    if ('seconds' in result) {
      recovered.push(result.seconds);
      say(`${name} (${fault.victim}) trains again after ${result.seconds.toFixed(1)} s`);
      continue;
    }
    stuckRuns += 1;
    say(`at fault: ${name} (${fault.victim}) ${result.stuck}`);
    say(`  repeat it: npm run bench -- survive --kills ${kill} --stalls ${stall} --input ${name}`);
    const failed = await faulted.revive();
    if (failed === undefined) continue;
    say(`  the run cannot be resumed: ${failed}`);
    break;
  }
  return { injected, seconds: recovered, stuck: stuckRuns };
}

async function clonedWeights(folder: string, say: (text: string) => void): Promise<string> {
  const file = join(folder, 'cloned.safetensors');
  // Solves a part of the tasks: some of its groups have unequal rewards and train.
  const { file: bytes } = await clonedModel(0, { examples: EXAMPLES_BEFORE_TRAINING }, say);
  await writeFile(file, bytes);
  return file;
}

/** The others are alike. */
const MAX_SAID = 5;

function sayAll(say: (text: string) => void, title: string, all: readonly string[]): void {
  for (const each of all.slice(0, MAX_SAID)) say(`at fault: ${title} ${each}`);
  if (all.length > MAX_SAID) say(`  and ${all.length - MAX_SAID} more`);
}

function resultOf(survived: readonly SurvivedFaults[], config: BenchResult['config']): BenchResult {
  const total = (of: (each: SurvivedFaults) => number): number =>
    survived.reduce((sum, each) => sum + of(each), 0);
  const injected = survived.flatMap(each => each.injected);
  const seconds = survived.flatMap(each => each.seconds);
  const victims = [...new Set(injected.map(({ victim }) => victim))].sort();
  return {
    figures: {
      kills: injected.filter(({ kind }) => kind === 'kill').length,
      stalls: injected.filter(({ kind }) => kind === 'stall').length,
      disturbances: injected.filter(({ kind }) => kind === 'disturb').length,
      lost: total(({ lost }) => lost),
      twice: total(({ twice }) => twice),
      stuck: total(({ stuck }) => stuck),
      orphans: total(({ orphans }) => orphans),
      recover_s_p95: quantile(seconds, P95),
      recover_s_worst: Math.max(...seconds),
      disagreements: total(({ disagreements }) => disagreements),
      contradictions: total(({ contradictions }) => contradictions),
      setbacks: total(({ setbacks }) => setbacks),
      curve_points: total(({ measurements }) => measurements),
      trajectories: total(({ trajectories }) => trajectories),
    },
    config: {
      ...config,
      victims: Object.fromEntries(
        victims.map(name => [name, injected.filter(({ victim }) => victim === name).length]),
      ),
    },
  };
}
