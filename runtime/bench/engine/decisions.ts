// Decisions as a caller sees them: through an engine process, with the round trip.

import { startEngine } from '../../engine/engine.ts';
import type { Session } from '../../graph/session.ts';
import { type Figures, median } from '../report.ts';
import { policyProgram, policyWeights } from './jobs.ts';
import { observationFeeds } from './network.ts';
import { type EngineWorker, ROUNDS, withWorkers } from './training.ts';

const ENGINE = new URL('./engine.js', import.meta.url);
/** Requests of a batch. */
const BATCH = 16;
const SWAPS = 300;

async function withSession<T>(use: (session: Session, version: string) => Promise<T>): Promise<T> {
  const engine = await startEngine({ entry: ENGINE, runtime: 'native' });
  try {
    const session = await engine.open(policyProgram());
    await session.write(policyWeights());
    return await use(session, engine.version);
  } finally {
    await engine.close();
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

export async function measureDecisions(seconds: number): Promise<Figures> {
  return withSession(async session => {
    const singles = Array.from({ length: BATCH }, (_, index) => observationFeeds(1, `request ${index}`));
    const batch = observationFeeds(BATCH);
    const single: number[] = [];
    const [overOneByOne, overPipelined]: [number[], number[]] = [[], []];
    const end = performance.now() + seconds * 1000;
    do {
      // One by one, each after the last reply; pipelined, all sent at once and answered in order; or as one batch.
      const times: number[] = [];
      for (const feeds of singles) times.push(await timed(() => session.run(feeds)));
      const pipelined = await timed(() => Promise.all(singles.map(feeds => session.run(feeds))));
      const batched = await timed(() => session.run(batch));
      single.push(...times);
      overOneByOne.push(times.reduce((sum, time) => sum + time, 0) / batched);
      overPipelined.push(pipelined / batched);
    } while (performance.now() < end);
    return {
      decide_ms_batch1: median(single),
      decide_gain_batch16: median(overOneByOne),
      decide_gain_batch16_pipelined: median(overPipelined),
    };
  });
}

/** Decisions of two workers over those of one in the same time. */
export async function workerScaling(turnSeconds: number): Promise<number> {
  const job = { engine: 'dartboard', kind: 'decide', size: BATCH } as const;
  return withWorkers([job, job], async workers => {
    const decided = async (some: readonly EngineWorker[]): Promise<number> => {
      const times = await Promise.all(
        some.map(worker => worker.call('measure', { seconds: turnSeconds, atLeast: 3 })),
      );
      return times.flat().length;
    };
    await decided(workers);
    const gains: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const alone = await decided(workers.slice(round % 2, (round % 2) + 1));
      gains.push((await decided(workers)) / alone);
    }
    return median(gains);
  });
}

/** Milliseconds from sending new weights until the engine confirms them. */
export async function measureSwaps(): Promise<{ readonly milliseconds: number; readonly version: string }> {
  return withSession(async (session, version) => {
    const weights = policyWeights();
    const times: number[] = [];
    for (let swap = 0; swap < SWAPS; swap++) times.push(await timed(() => session.write(weights)));
    return { milliseconds: median(times), version };
  });
}
