// Trainings of benchmarks: the product's own runs, in a temporary folder, and what they report while they train.

import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type { Config } from '../config/config.ts';
import { runId } from '../core/ids.ts';
import { ofThisProcess } from '../core/processor-time.ts';
import { systemClock } from '../core/system-clock.ts';
import type { EvaluationPoint, RunState } from '../protocol/daemon/state.ts';
import { CHECKPOINTS } from '../run/folders/run-folders.ts';
import type { ProcessorFigure } from '../run/processor-figures.ts';
import type { StartOptions } from '../server/workspace-runs.ts';
import { WorkspaceRuns } from '../server/workspace-runs.ts';
import { CheckpointFolder } from '../trainer/checkpoint-folder.ts';
import type { Report } from './report.ts';
import type { BenchSeries } from './results/outcome.ts';

/** The bundle of a child process; bundles lie beside this one. */
export const entry = (name: string): URL => new URL(`./${name}.js`, import.meta.url);

export const runEntries = () => ({
  ...{ host: entry('host'), worker: entry('worker'), trainer: entry('trainer') },
  ...{ index: entry('index'), frames: entry('frames'), engine: entry('engine') },
});

export async function withTemporaryFolder<T>(work: (root: string) => Promise<T>): Promise<T> {
  const root = await mkdtemp(join(tmpdir(), 'dartboard-bench-'));
  try {
    return await work(root);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** A folder for trainings. It is kept in `report.keep` where that is given, and removed after the work otherwise. */
export async function withTrainingFolder<T>(report: Report, work: (root: string) => Promise<T>): Promise<T> {
  const { keep } = report;
  if (keep === undefined) return withTemporaryFolder(work);
  await mkdir(keep, { recursive: true });
  const root = await mkdtemp(join(keep, 'training-'));
  report.say(`    kept in ${root}`);
  return work(root);
}

interface TrainOptions extends StartOptions {
  /** The agents of the workspace; none by default. */
  readonly agents?: () => Promise<Config['agents']>;
  /** Called with every state of the run. */
  readonly watch?: (state: RunState) => void;
  /** The run is stopped as soon as it returns true. */
  readonly isEnough?: (state: RunState) => boolean;
  /** Called when its modules work, with the function that gives the address where machines join. */
  readonly began?: (address: () => string) => void;
}

/** Trains until the run ends, and rejects if it fails. */
export async function train(
  root: string,
  config: Config,
  report: Report,
  {
    watch = () => undefined,
    isEnough = () => false,
    began = () => undefined,
    agents,
    ...start
  }: TrainOptions = {},
): Promise<RunState> {
  const notice = (text: string) => report.say(`    ${text}`);
  const runs = await WorkspaceRuns.open({
    ...{ root, entries: runEntries(), clock: systemClock, notice },
    ...(agents !== undefined && { agents }),
  });
  try {
    let printed = 0;
    let isStopped = false;
    runs.watch(state => {
      const tested = state.curve.filter(({ split }) => split === 'test');
      for (const { seconds, rate, trials } of tested.slice(printed))
        notice(`${seconds.toFixed(0).padStart(4)} s  ${(100 * rate).toFixed(1)} % of ${trials}`);
      printed = tested.length;
      watch(state);
      if (isStopped || state.status !== 'running' || !isEnough(state)) return;
      isStopped = true;
      // The run reports a failed stop itself, as its own failure.
      void runs.stop(runId(state.run)).catch(() => undefined);
    });
    const run = await runs.start(config, start);
    began(() => runs.hosts.address(run).address);
    const state = await runs.ended(run);
    if (state?.status === 'ended') return state;
    throw new Error(`The training run failed: ${state?.message ?? 'it gave no reason'}`);
  } finally {
    await runs.close();
  }
}

/** Trains `config` and keeps its last weights beside the outcomes, named after the run. `measure` sees the run before it is removed. */
export const trainClone = <T>(
  config: Config,
  report: Report,
  measure: (root: string, state: RunState) => Promise<T>,
): Promise<T & { readonly file: string }> =>
  withTrainingFolder(report, async root => {
    const state = await train(root, config, report);
    const measured = await measure(root, state);
    const found = await new CheckpointFolder(join(root, runId(state.run), CHECKPOINTS)).newest();
    if (found === undefined) throw new Error('Behaviour cloning left no checkpoint. Increase --minutes.');
    const target = join(report.unfinishedFolder, `cloned-${state.run}.safetensors`);
    await mkdir(dirname(target), { recursive: true });
    await copyFile(found.file, target);
    return { ...measured, file: relative(report.folder, target) };
  });

/** The path of cloned weights. Throws if an interrupted run cloned them on another machine. */
export function clonePath(report: Report, file: string): string {
  const path = join(report.folder, file);
  if (existsSync(path)) return path;
  throw new RangeError(`The cloned weights '${path}' are missing. Start again with --fresh.`);
}

/** Processor seconds since the start of each process. */
type ProcessorSeconds = Readonly<Record<ProcessorFigure | 'daemon', number>>;

export interface ProcessorSample extends ProcessorSeconds {
  /** Seconds on any clock. */
  readonly at: number;
}

/** Undefined until every process has reported. `daemon`: the processor time of this process. */
export function processorSample(
  { trainer: { metrics } }: Pick<RunState, 'trainer'>,
  at: number,
  daemon: number,
): ProcessorSample | undefined {
  const of = (name: ProcessorFigure): number => metrics[`processor/${name}`] ?? Number.NaN;
  const sample = {
    ...{ desktops: of('desktops'), deciding: of('deciding'), training: of('training') },
    ...{ host: of('host'), workers: of('workers'), trainer: of('trainer'), daemon, at },
  };
  return Object.values(sample).some(Number.isNaN) ? undefined : sample;
}

/** Shares of the time of all cores. All but `useful` add up to 1. */
export interface CoreShares {
  /** In ONNX Runtime or in desktops. */
  readonly useful: number;
  readonly desktops: number;
  readonly deciding: number;
  readonly training: number;
  readonly hostRest: number;
  readonly workersRest: number;
  readonly trainerRest: number;
  readonly daemon: number;
  /** Idle, or used by other programs. */
  readonly idle: number;
}

/** Between the first and the last sample. The counters of a restarted process start at 0. */
export function coreShares(samples: readonly ProcessorSample[], cores: number): CoreShares | undefined {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined || last.at <= first.at) return undefined;
  const whole = cores * (last.at - first.at);
  const share = (name: keyof ProcessorSeconds): number =>
    samples.reduce((sum, sample, index) => {
      const [now, before] = [sample[name], (samples[index - 1] ?? sample)[name]];
      return sum + (now >= before ? now - before : now);
    }, 0) / whole;
  const [desktops, deciding, training] = [share('desktops'), share('deciding'), share('training')];
  const [host, workers, trainer] = [share('host'), share('workers'), share('trainer')];
  const daemon = share('daemon');
  return {
    useful: desktops + deciding + training,
    ...{ desktops, deciding, training, daemon },
    hostRest: host - desktops,
    workersRest: workers - deciding,
    trainerRest: trainer - training,
    idle: 1 - host - workers - trainer - daemon,
  };
}

/** The first fifth of a training explores and clones; use of the cores is measured after it. */
export const STEADY_FROM = 0.2;

/** Samples the processor time of a run once per second. */
export function watchCores(minutes: number) {
  const samples: ProcessorSample[] = [];
  return {
    look: (state: RunState): void => {
      const at = performance.now() / 1000;
      if (state.status !== 'running' || state.seconds < STEADY_FROM * 60 * minutes) return;
      if (at - (samples.at(-1)?.at ?? Number.NEGATIVE_INFINITY) < 1) return;
      const sample = processorSample(state, at, ofThisProcess());
      if (sample !== undefined) samples.push(sample);
    },
    shares: () => coreShares(samples, cpus().length),
  };
}

export const successSeries = (name: string, curve: readonly EvaluationPoint[]): BenchSeries => ({
  [`success/${name}`]: curve.map(({ seconds, rate, low, high }) => ({
    ...{ x: Math.round(seconds), y: rate, low, high },
  })),
});

/** Recent rollouts of a training at one moment. */
export interface RolloutSample {
  readonly seconds: number;
  /** Rollouts per group, and their step limit, of the last groups. */
  readonly rollouts: number;
  readonly cap: number;
  /** Mean over the tasks. */
  readonly success: number;
}

/** Keeps one sample per interval. */
export function watchRollouts(intervalSeconds: number) {
  const samples: RolloutSample[] = [];
  const look = ({ status, seconds, tasks, trainer: { metrics } }: RunState): void => {
    const last = samples.at(-1)?.seconds ?? Number.NEGATIVE_INFINITY;
    if (status !== 'running' || seconds < last + intervalSeconds) return;
    const { 'data/mean_rollouts': rollouts, 'data/mean_cap': cap } = metrics;
    const rates = tasks.flatMap(({ rate }) => rate ?? []);
    if (rollouts === undefined || cap === undefined || rates.length === 0) return;
    const success = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
    samples.push({ seconds, rollouts, cap, success });
  };
  return { look, samples };
}

export const rolloutSeries = (name: string, samples: readonly RolloutSample[]): BenchSeries => {
  const curve = (of: 'rollouts' | 'cap' | 'success') =>
    samples.map(sample => ({ x: Math.round(sample.seconds), y: sample[of] }));
  return {
    [`training success/${name}`]: curve('success'),
    [`mean rollouts/${name}`]: curve('rollouts'),
    [`mean length/${name}`]: curve('cap'),
  };
};
