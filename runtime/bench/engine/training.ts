// Training steps of several engines. They take turns, because the speed of a machine drifts: each round gives the ratio of
// neighbouring turns, and the median over the rounds is reported.

import { at } from '../../core/at.ts';
import { openChild } from '../../rpc/child.ts';
import type { OwnedClient } from '../../rpc/owned-client.ts';
import { median } from '../report.ts';
import { ENGINES, type EngineName, type JobKind, MATMUL_SIDE } from './jobs.ts';
import type { EngineWorkerCalls } from './worker.ts';

export const ROUNDS = 7;
const BATCHES = [4, 8, 16, 32, 64];
/** WebAssembly engines compile during their first steps, which take up to half a second each. */
const WARM_UP = { seconds: 1, atLeast: 5 };
const MAX_LOSS_DIFFERENCE = 0.01;

const WORKER = new URL('./bench-engine.js', import.meta.url);

export type EngineWorker = OwnedClient<EngineWorkerCalls>;
export type PerEngine<T> = Readonly<Record<EngineName, T>>;

interface WorkerJob {
  readonly engine: EngineName;
  readonly kind: JobKind;
  readonly size: number;
}

export async function withWorkers<T>(
  jobs: readonly WorkerJob[],
  use: (workers: readonly EngineWorker[]) => Promise<T>,
): Promise<T> {
  const workers: EngineWorker[] = [];
  try {
    for (const job of jobs) {
      // Engines block their process while they compile.
      const heartbeatTimeoutMs = Number.POSITIVE_INFINITY;
      const { client } = await openChild<EngineWorkerCalls, undefined>({
        ...{ name: 'engine', entry: WORKER, heartbeatTimeoutMs },
      });
      workers.push(client);
      await client.call('prepare', job);
    }
    return await use(workers);
  } finally {
    await Promise.all(workers.map(worker => worker.close()));
  }
}

export const withWorker = <T>(job: WorkerJob, use: (worker: EngineWorker) => Promise<T>): Promise<T> =>
  withWorkers([job], workers => use(at(workers, 0)));

const perEngine = async <T>(of: (engine: EngineName) => Promise<T>): Promise<PerEngine<T>> => ({
  dartboard: await of('dartboard'),
  'onnxruntime-web': await of('onnxruntime-web'),
  tfjs: await of('tfjs'),
});

/** The largest relative difference between our losses and those of the other engines. */
export async function lossDifference(): Promise<number> {
  const losses = await perEngine(engine =>
    withWorker({ engine, kind: 'train', size: 8 }, worker => worker.call('losses', { steps: 5 })),
  );
  const differences = ENGINES.flatMap(engine =>
    losses.dartboard.map((loss, step) => Math.abs(1 - (losses[engine][step] ?? Number.NaN) / loss)),
  );
  const largest = Math.max(...differences);
  if (largest < MAX_LOSS_DIFFERENCE) return largest;
  throw new Error(
    `The engines compute different losses: ${JSON.stringify(losses)}. Their networks must be equal.`,
  );
}

/** The batch size at which each engine trains the most samples per second. */
export const bestBatches = (turnSeconds: number): Promise<PerEngine<number>> =>
  perEngine(async engine => {
    let best = { size: 0, rate: 0 };
    for (const size of BATCHES) {
      const rate = await withWorker({ engine, kind: 'train', size }, async worker => {
        await worker.call('measure', WARM_UP);
        return samplesPerSecond(worker, size, turnSeconds);
      });
      if (rate > best.rate) best = { size, rate };
    }
    return best.size;
  });

async function samplesPerSecond(worker: EngineWorker, size: number, seconds: number): Promise<number> {
  return (size * 1000) / median(await worker.call('measure', { seconds, atLeast: 3 }));
}

/** `gain` is our speed over that of each engine. */
export async function compareTraining(batches: PerEngine<number>, turnSeconds: number) {
  const jobs: readonly WorkerJob[] = [
    ...ENGINES.map(engine => ({ engine, kind: 'train' as const, size: batches[engine] })),
    { engine: 'dartboard', kind: 'matmul', size: 1 },
  ];
  return withWorkers(jobs, async workers => {
    for (const worker of workers) await worker.call('measure', WARM_UP);
    /** By engine, then the product; one speed per round. */
    const speeds = jobs.map((): number[] => []);
    for (let round = 0; round < ROUNDS; round++)
      for (const [index, worker] of workers.entries())
        at(speeds, index).push(await samplesPerSecond(worker, at(jobs, index).size, turnSeconds));
    const of = (engine: EngineName) => at(speeds, ENGINES.indexOf(engine));
    const ours = of('dartboard');
    return {
      samplesPerSecond: await perEngine(async engine => median(of(engine))),
      gain: await perEngine(async engine =>
        median(of(engine).map((speed, round) => (ours[round] ?? Number.NaN) / speed)),
      ),
      matmulGflops: (median(speeds.at(-1) ?? []) * 2 * MATMUL_SIDE ** 3) / 1e9,
    };
  });
}
