// A trial of models under virtual time: hours pass in seconds, and equal seeds give equal trials.

import { seeded } from '../../core/rng.ts';
import { VirtualClock } from '../../core/virtual-clock.ts';
import type { Spent } from './measures.ts';
import { modelDesktop, modelTask, modelWorker } from './models.ts';
import { runTrial, type Schedule, type TrialHooks, type TrialSpan } from './trial.ts';
import type { SimulatedWorld } from './worlds.ts';

const TASKS = Array.from({ length: 64 }, (_, index) => `task-${index}`);
/** A trial is stuck after this many times the slowest possible time of its updates. */
const MAX_SLOWDOWN = 1000;

export async function virtualTrial(
  setting: SimulatedWorld,
  schedule: Schedule,
  span: TrialSpan,
  seed: number,
  hooks: TrialHooks = {},
): Promise<Spent> {
  const clock = new VirtualClock();
  const random = seeded(seed).fork(setting.name);
  const world = (name: string) => ({ clock, random: random.fork(name) });
  const slice = setting.reset.median + setting.maxSteps * setting.act.median;
  const latest = MAX_SLOWDOWN * (span.warmUp + span.measured) * slice;
  return await runTrial(
    {
      clock,
      pass: async () => {
        if (clock.now() > latest)
          throw new Error(
            `The trial of ${scheduleName(schedule)} in world '${setting.name}' is stuck: it trained nothing for a long time.`,
          );
        await clock.run(clock.now() + slice / 10);
      },
      random,
      make: async index => modelDesktop(index, world(`desktop ${index}`), setting),
      start: async index => modelWorker(world(`worker ${index}`), setting),
      tasks: TASKS,
      taskOf: modelTask,
      mode: 'a11y_tree',
      blob: new Uint8Array(0),
      ...hooks,
    },
    setting,
    schedule,
    span,
  );
}

export const scheduleName = ({ scheduling, sync, versions }: Schedule): string =>
  `${scheduling}, ${sync}, K=${versions}`;
