// A trial in real time: policy workers are processes that decide with the compact policy and load its weights; pocket desktops act,
// slowed by a sleep. Updates only sleep, and scores are random: random weights succeed too rarely for a group to have a gradient.

import { setTimeout as sleep } from 'node:timers/promises';
import { blobOf } from '../../agents/compact/blob.ts';
import { COMPACT } from '../../agents/compact/network.ts';
import { firstWeights } from '../../agents/compact/programs.ts';
import type { Clock } from '../../core/clock.ts';
import type { Desktop } from '../../core/desktop.ts';
import { desktopId } from '../../core/ids.ts';
import { type Random, seeded } from '../../core/rng.ts';
import { systemClock } from '../../core/system-clock.ts';
import { PocketDesktop } from '../../environments/pocket/desktop.ts';
import { POCKET } from '../../environments/pocket/tasks/suite.ts';
import { tensor } from '../../graph/tensor.ts';
import { startWorker } from '../../rollout/worker-process.ts';
import type { Spent } from './measures.ts';
import { drawTime } from './models.ts';
import { runTrial, type Schedule, type TrialSizes, type TrialSpan } from './trial.ts';
import type { Spread } from './worlds.ts';

/** Small enough for two cores. Times are milliseconds of sleep. */
export const REAL: TrialSizes & { readonly name: string; readonly reset: Spread; readonly act: Spread } = {
  name: 'real workers',
  desktops: 8,
  reset: { median: 300, spread: 0.3 },
  act: { median: 200, spread: 0.8 },
  maxSteps: 12,
  workers: 2,
  maxBatch: 8,
  holds: 2,
  trainers: 1,
  // About a second for the 60 steps of 8 rollouts.
  updates: { update: 100, step: 15 },
  rollouts: 4,
  groups: 2,
};

export const REAL_SPAN: TrialSpan = { warmUp: 2, measured: 8 };

const PASS_MS = 20;

export async function realTrial(schedule: Schedule, span: TrialSpan, seedNumber: number): Promise<Spent> {
  const random = seeded(seedNumber).fork(REAL.name);
  const weights = random.fork('weights');
  const first = firstWeights(COMPACT, () => weights.next());
  return await runTrial(
    {
      clock: systemClock,
      // The sleep of the clock would let the process end.
      pass: () => sleep(PASS_MS),
      random,
      make: async index => slowed(index, systemClock, random.fork(`desktop ${index}`)),
      start: () => startWorker({ entry: new URL('./worker.js', import.meta.url), shape: COMPACT }),
      tasks: POCKET.tasks('train'),
      taskOf: ({ task, seed }) => POCKET.task(task, seed),
      mode: 'a11y_tree',
      blob: blobOf(tensor('float32', [first.length], first)),
    },
    REAL,
    schedule,
    span,
  );
}

function slowed(index: number, clock: Clock, random: Random): Desktop {
  const pocket = new PocketDesktop(desktopId(`d${index}`));
  const slow = async <T>(times: Spread, call: () => Promise<T>): Promise<T> => {
    await clock.sleep(drawTime(random, times));
    return await call();
  };
  return {
    id: pocket.id,
    renderer: pocket.renderer,
    reset: (task, seed) => slow(REAL.reset, () => pocket.reset(task, seed)),
    act: action => slow(REAL.act, () => pocket.act(action)),
    query: getter => pocket.query(getter),
    setup: step => pocket.setup(step),
    judge: async () => ({ score: 0.9 * random.next(), why: 'random score' }),
    close: () => pocket.close(),
  };
}
