// A trial by the clock on the wall: policy workers as processes of their own, which really decide with the compact policy and really load
// weights, and pocket desktops that really act, slowed by a sleep. Only updates are slept through, and scores are drawn by lot:
// weights that never learn succeed too seldom for any group to train.

import { setTimeout as passes } from 'node:timers/promises';
import { blobOf } from '../../agent/blob.ts';
import { COMPACT } from '../../agent/network.ts';
import { firstWeights } from '../../agent/programs.ts';
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
import { drawn } from './models.ts';
import type { Spread } from './settings.ts';
import { type Configuration, type Sizes, type Span, Trial } from './trial.ts';

/** Small enough for two cores. Times are slept, in milliseconds; deciding and loading take what they take. */
export const REAL: Sizes & { readonly name: string; readonly reset: Spread; readonly act: Spread } = {
  name: 'real workers',
  desktops: 8,
  reset: { median: 300, spread: 0.3 },
  act: { median: 200, spread: 0.8 },
  maxSteps: 12,
  workers: 2,
  most: 8,
  holds: 2,
  trainers: 1,
  // About a second for the 60 steps of 8 rollouts.
  updates: { update: 100, step: 15 },
  rollouts: 4,
  groups: 2,
};

export const REAL_SPAN: Span = { warmUp: 2, measured: 8 };

const PASS = 20;

export async function realTrial(configuration: Configuration, span: Span, chance: number): Promise<Spent> {
  const random = seeded(chance).fork(REAL.name);
  const weights = random.fork('weights');
  const first = firstWeights(COMPACT, () => weights.next());
  const trial = new Trial(
    {
      clock: systemClock,
      // Unlike the clock's own sleep, this one keeps the process from ending.
      pass: () => passes(PASS),
      random,
      make: async index => slowed(index, systemClock, random.fork(`desktop ${index}`)),
      start: () => startWorker({ entry: new URL('./worker.js', import.meta.url), shape: COMPACT }),
      tasks: POCKET.tasks('train'),
      taskOf: ({ task, seed }) => POCKET.task(task, seed),
      mode: 'a11y_tree',
      blob: blobOf(tensor('float32', [first.length], first)),
    },
    REAL,
    configuration,
  );
  return await trial.run(span);
}

function slowed(index: number, clock: Clock, random: Random): Desktop {
  const pocket = new PocketDesktop(desktopId(`d${index}`));
  const after = async <T>(times: Spread, call: () => Promise<T>): Promise<T> => {
    await clock.sleep(drawn(random, times));
    return await call();
  };
  return {
    id: pocket.id,
    renderer: pocket.renderer,
    reset: (task, seed) => after(REAL.reset, () => pocket.reset(task, seed)),
    act: action => after(REAL.act, () => pocket.act(action)),
    query: getter => pocket.query(getter),
    setup: step => pocket.setup(step),
    judge: async () => ({ score: 0.9 * random.next(), why: 'by lot' }),
    close: () => pocket.close(),
  };
}
