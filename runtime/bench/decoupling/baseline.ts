// The models of the scale benchmark without a scheduler: each desktop plays episodes and asks one worker, which decides for all that
// wait. The cost of a step here is that of models, observations and the clock.

import { encode } from '../../agent/observation.ts';
import { seed, taskId } from '../../core/ids.ts';
import type { Choice, DecisionRequest } from '../../core/policy.ts';
import { seeded } from '../../core/rng.ts';
import { VirtualClock } from '../../core/virtual-clock.ts';
import { Episode } from '../../rollout/episode.ts';
import { ModelWorker, modelDesktop } from './models.ts';
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
  const askers = Array.from({ length: setting.workers }, (_, index) =>
    askerOf(new ModelWorker(world(`worker ${index}`), setting)),
  );
  let steps = 0;
  let from: number | undefined;
  let isOver = false;
  const stepped = () => {
    steps += 1;
    if (isOver || steps < warmUp + (from === undefined ? 0 : measured)) return;
    mark();
    if (from === undefined) from = steps;
    else isOver = true;
  };
  const play = async (index: number): Promise<void> => {
    const { random: seeds, ...rest } = world(`desktop ${index}`);
    const desktop = modelDesktop(index, { random: seeds, ...rest }, setting);
    const ask = askers[index % askers.length];
    while (!isOver && ask !== undefined) {
      const episode = await Episode.start(desktop, { ...EPISODE, maxSteps: setting.maxSteps });
      while (episode.end === undefined && !isOver) {
        const observation = encode(episode.observation);
        const choice = await ask({ observation, seed: seed(seeds.int(2 ** 32)), ...SAMPLING });
        await episode.act(choice.action);
        stepped();
      }
    }
  };
  const playing = Array.from({ length: setting.desktops }, (_, index) => play(index));
  await Promise.all([clock.run(), ...playing]);
}

const EPISODE = {
  task: { id: taskId('alone'), instruction: 'Wait.', evaluator: { func: 'infeasible' } },
  seed: seed(0),
  mode: 'a11y_tree',
} as const;

const SAMPLING = { temperature: 1, exploration: 0 };

type Ask = (request: DecisionRequest) => Promise<Choice>;

/** Requests that arrive while the worker is busy form its next batch. */
function askerOf(worker: ModelWorker): Ask {
  let waiting: { readonly request: DecisionRequest; readonly resolve: (choice: Choice) => void }[] = [];
  let isBusy = false;
  const work = async () => {
    isBusy = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      const choices = await worker.decide(batch.map(({ request }) => request));
      for (const [index, { resolve }] of batch.entries()) {
        const choice = choices[index];
        if (choice !== undefined) resolve(choice);
      }
    }
    isBusy = false;
  };
  return request =>
    new Promise(resolve => {
      waiting.push({ request, resolve });
      if (!isBusy) void work();
    });
}
