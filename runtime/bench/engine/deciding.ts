// Decisions as those who ask for them see them: through an engine process, the way there and back in every time.

import { startEngine } from '../../engine/engine.ts';
import type { Session } from '../../graph/session.ts';
import { type Figures, median } from '../report.ts';
import { ROUNDS, type Worker, withWorkers } from './contest.ts';
import { observationFeeds } from './network.ts';
import { batchOf, policyProgram, policyWeights } from './subject.ts';

const ENGINE = new URL('./engine.js', import.meta.url);
const WAITING = 16;

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

export async function decide(seconds: number): Promise<Figures> {
  return withSession(async session => {
    const singles = Array.from({ length: WAITING }, (_, index) =>
      observationFeeds(batchOf(1, `request ${index}`)),
    );
    const batch = observationFeeds(batchOf(WAITING));
    const single: number[] = [];
    const [overOneByOne, overPipelined]: [number[], number[]] = [[], []];
    const end = performance.now() + seconds * 1000;
    do {
      // Each request is sent when the one before was answered; or all are sent at once, and answered one after another.
      const times: number[] = [];
      for (const feeds of singles) times.push(await timed(() => session.run(feeds)));
      const pipelined = await timed(() => Promise.all(singles.map(feeds => session.run(feeds))));
      const together = await timed(() => session.run(batch));
      single.push(...times);
      overOneByOne.push(times.reduce((sum, time) => sum + time, 0) / together);
      overPipelined.push(pipelined / together);
    } while (performance.now() < end);
    return {
      decide_ms_batch1: median(single),
      decide_gain_batch16: median(overOneByOne),
      decide_gain_batch16_pipelined: median(overPipelined),
    };
  });
}

/** How much two workers decide in the time in which one decides alone. */
export async function scale(turn: number): Promise<number> {
  const job = { engine: 'dartboard', job: 'decide', size: WAITING } as const;
  return withWorkers([job, job], async workers => {
    const decided = async (some: readonly Worker[]): Promise<number> => {
      const times = await Promise.all(
        some.map(worker => worker.call('measure', { seconds: turn, atLeast: 3 })),
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

/** From handing new weights over until the engine has said that it decides with them. */
export async function swapWeights(): Promise<{ readonly roundTrip: number; readonly version: string }> {
  return withSession(async (session, version) => {
    const weights = policyWeights();
    const times: number[] = [];
    for (let swap = 0; swap < 300; swap++) times.push(await timed(() => session.write(weights)));
    return { roundTrip: median(times), version };
  });
}
