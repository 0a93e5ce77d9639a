// A trial under virtual time: models of a setting, by a clock that jumps. Hours pass in seconds, and the same seed is the same trial.

import { seeded } from '../../core/rng.ts';
import type { Trajectory } from '../../core/trajectory.ts';
import { VirtualClock } from '../../core/virtual-clock.ts';
import type { Spent } from './measures.ts';
import { ModelWorker, modelDesktop, modelTask } from './models.ts';
import type { Setting } from './settings.ts';
import { type Configuration, type Span, Trial } from './trial.ts';

const TASKS = Array.from({ length: 64 }, (_, index) => `task-${index}`);
/** Who has waited for this many updates' worth of time, at the slowest that could be, waits for ever. */
const PATIENCE = 1000;

export interface Hooks {
  readonly finished?: (trajectory: Trajectory) => void;
  readonly mark?: () => void;
}

export async function virtualTrial(
  setting: Setting,
  configuration: Configuration,
  span: Span,
  chance: number,
  hooks: Hooks = {},
): Promise<Spent> {
  const clock = new VirtualClock();
  const random = seeded(chance).fork(setting.name);
  const world = (name: string) => ({ clock, random: random.fork(name) });
  const slice = setting.reset.median + setting.maxSteps * setting.act.median;
  const latest = PATIENCE * (span.warmUp + span.measured) * slice;
  const trial = new Trial(
    {
      clock,
      pass: async () => {
        if (clock.now() > latest)
          throw new Error(`${nameOf(configuration)} at ${setting.name}: nothing trains any more.`);
        await clock.run(clock.now() + slice / 10);
      },
      random,
      make: async index => modelDesktop(index, world(`desktop ${index}`), setting),
      start: async index => new ModelWorker(world(`worker ${index}`), setting),
      tasks: TASKS,
      taskOf: modelTask,
      mode: 'a11y_tree',
      blob: new Uint8Array(0),
      ...hooks,
    },
    setting,
    configuration,
  );
  return await trial.run(span);
}

export const nameOf = ({ scheduling, sync, versions }: Configuration): string =>
  `${scheduling}, ${sync}, K=${versions}`;
