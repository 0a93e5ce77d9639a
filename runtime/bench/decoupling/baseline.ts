// The models of the scale benchmark without a scheduler: each desktop plays episodes and asks one worker, which decides for all that
// wait. The cost of a step here is that of models, observations and the clock.

import { encode } from '../../agents/compact/observation.ts';
import { ScreenObserver } from '../../agents/compact/screen-observer.ts';
import { at } from '../../core/at.ts';
import { seed, taskId } from '../../core/ids.ts';
import type { Choice, DecisionRequest } from '../../core/policy.ts';
import { seeded } from '../../core/rng.ts';
import { VirtualClock } from '../../core/virtual-clock.ts';
import { Episode } from '../../rollout/episode.ts';
import { type ModelWorker, modelDesktop, modelWorker } from './models.ts';
import type { SimulatedWorld } from './worlds.ts';

/** Plays `warmUp` steps, then `measured` steps; calls `mark` between the two and at the end. */
export async function playModelsAlone(
  setting: SimulatedWorld,
  { warmUp, measured }: { readonly warmUp: number; readonly measured: number },
  seedNumber: number,
  mark: () => void,
): Promise<void> {
  const clock = new VirtualClock();
  const random = seeded(seedNumber).fork(setting.name);
  const world = (name: string) => ({ clock, random: random.fork(name) });
  const workers = Array.from({ length: setting.workers }, (_, index) =>
    batching(modelWorker(world(`worker ${index}`), setting)),
  );
  let steps = 0;
  let isOver = false;
  const countStep = () => {
    steps += 1;
    if (steps === warmUp || steps === warmUp + measured) mark();
    isOver = steps >= warmUp + measured;
  };
  const play = async (index: number): Promise<void> => {
    const source = world(`desktop ${index}`);
    const desktop = modelDesktop(index, source, setting);
    const decide = at(workers, index % workers.length);
    while (!isOver) {
      const episode = await Episode.start(desktop, { ...EPISODE, maxSteps: setting.maxSteps });
      const observer = new ScreenObserver(episode.instruction, 'a11y_tree', episode.screen);
      while (episode.end === undefined && !isOver) {
        const observation = encode(observer.observation);
        const { action } = await decide({ observation, seed: seed(source.random.int(2 ** 32)), ...SAMPLING });
        await episode.act(action);
        if (episode.end === undefined) observer.acted(action, episode.screen);
        countStep();
      }
    }
  };
  const playing = Array.from({ length: setting.desktops }, (_, index) => play(index));
  await Promise.all([clock.run(), ...playing]);
}

const EPISODE = {
  task: { id: taskId('alone'), instruction: 'Wait.', evaluator: { func: 'infeasible' } },
  seed: seed(0),
} as const;

const SAMPLING = { temperature: 1, exploration: 0 };

/** Requests that arrive while the worker is busy form its next batch. */
function batching(worker: ModelWorker): (request: DecisionRequest) => Promise<Choice> {
  let waiting: DecisionRequest[] = [];
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<readonly Choice[]> | undefined;
  const batch = () => {
    const requests = waiting;
    [waiting, next] = [[], undefined];
    return worker.decide(requests);
  };
  return async request => {
    const index = waiting.push(request) - 1;
    next ??= last.then(batch);
    last = next;
    return at(await next, index);
  };
}
