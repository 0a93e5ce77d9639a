// Training steps of several engines, each in a process of its own, taking turns on a machine whose speed drifts: the
// ratio of two neighbouring turns is measured, and the median over many is reported.

import { openChild } from '../../rpc/child.ts';
import type { OwnedClient } from '../../rpc/owned-client.ts';
import { median } from '../report.ts';
import type { Account } from './account.ts';
import { ENGINES, type EngineName, type Job, MATMUL_SIDE } from './subject.ts';
import type { WorkerCalls } from './worker.ts';

/** Turns that each side takes. */
export const ROUNDS = 7;
const BATCHES = [4, 8, 16, 32, 64];
/** The rivals compile and grow into their speed over their first steps, of up to half a second each. */
const WARM_UP = { seconds: 1, atLeast: 5 };

const WORKER = new URL('./bench-engine.js', import.meta.url);

export type Worker = OwnedClient<WorkerCalls>;
export type PerEngine<T> = Readonly<Record<EngineName, T>>;

interface Assignment {
  readonly engine: EngineName;
  readonly job: Job;
  readonly size: number;
}

/** Workers that are ready for their jobs, one each. */
export async function withWorkers<T>(
  jobs: readonly Assignment[],
  use: (workers: readonly Worker[]) => Promise<T>,
): Promise<T> {
  const workers: Worker[] = [];
  try {
    for (const job of jobs) {
      const { client } = await openChild<WorkerCalls, undefined>({
        name: 'engine',
        entry: WORKER,
        heartbeatTimeoutMs: Infinity,
      });
      workers.push(client);
      await client.call('prepare', job);
    }
    return await use(workers);
  } finally {
    await Promise.all(workers.map(worker => worker.close()));
  }
}

const perEngine = async <T>(of: (engine: EngineName) => Promise<T>): Promise<PerEngine<T>> => {
  const results: Partial<Record<EngineName, T>> = {};
  for (const engine of ENGINES) results[engine] = await of(engine);
  return results as PerEngine<T>;
};

const only = (workers: readonly Worker[]): Worker => {
  const [worker] = workers;
  if (worker === undefined) throw new RangeError('One worker was started.');
  return worker;
};

/** The largest relative difference between our losses and those of the others, over a few steps. */
export async function agree(): Promise<number> {
  const losses = await perEngine(engine =>
    withWorkers([{ engine, job: 'train', size: 8 }], workers => only(workers).call('losses', { steps: 5 })),
  );
  const differences = ENGINES.flatMap(engine =>
    losses.dartboard.map((loss, step) => Math.abs(1 - (losses[engine][step] ?? Number.NaN) / loss)),
  );
  const largest = Math.max(...differences);
  if (!(largest < 0.01)) {
    throw new Error(`The engines do not train the same network: ${JSON.stringify(losses)}.`);
  }
  return largest;
}

/** The batch at which each engine trains the most samples a second. */
export const bestBatches = (turn: number): Promise<PerEngine<number>> =>
  perEngine(async engine => {
    let best = { size: 0, rate: 0 };
    for (const size of BATCHES) {
      const rate = await withWorkers([{ engine, job: 'train', size }], async workers => {
        await only(workers).call('measure', WARM_UP);
        return speed(only(workers), size, turn);
      });
      if (rate > best.rate) best = { size, rate };
    }
    return best.size;
  });

/** Samples a second over one turn. */
async function speed(worker: Worker, size: number, turn: number): Promise<number> {
  return (size * 1000) / median(await worker.call('measure', { seconds: turn, atLeast: 3 }));
}

export interface Training {
  readonly samplesPerSecond: PerEngine<number>;
  /** How many times as fast we are. */
  readonly gain: PerEngine<number>;
  readonly matmulGflops: number;
}

export async function compareTraining(best: PerEngine<number>, turn: number): Promise<Training> {
  const jobs = ENGINES.map(engine => ({ engine, job: 'train', size: best[engine] }) as const);
  const product = { engine: 'dartboard', job: 'matmul', size: 1 } as const;
  return withWorkers([...jobs, product], async workers => {
    for (const worker of workers) await worker.call('measure', WARM_UP);
    const rounds: number[][] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const speeds: number[] = [];
      for (const [index, worker] of workers.entries()) {
        speeds.push(await speed(worker, jobs[index]?.size ?? 1, turn));
      }
      rounds.push(speeds);
    }
    const over = (pick: (speeds: readonly number[]) => number): number => median(rounds.map(pick));
    const at = (engine: EngineName, speeds: readonly number[]) =>
      speeds[ENGINES.indexOf(engine)] ?? Number.NaN;
    return {
      samplesPerSecond: await perEngine(async engine => over(speeds => at(engine, speeds))),
      gain: await perEngine(async engine => over(speeds => at('dartboard', speeds) / at(engine, speeds))),
      matmulGflops: over(speeds => ((speeds.at(-1) ?? Number.NaN) * 2 * MATMUL_SIDE ** 3) / 1e9),
    };
  });
}

export const accountFor = (size: number): Promise<Account> =>
  withWorkers([{ engine: 'dartboard', job: 'train', size }], workers =>
    only(workers).call('account', { size }),
  );
