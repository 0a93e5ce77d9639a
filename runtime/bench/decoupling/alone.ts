// The same models with nothing between them: each desktop plays one episode after another, and asks one of the workers, which decides
// for all that wait. No orders, no leases, no pool, no groups: what this costs is what models, screens and the clock cost.

import { encode } from '../../agent/observation.ts';
import { seed, taskId } from '../../core/ids.ts';
import type { Choice, DecisionRequest } from '../../core/policy.ts';
import { seeded } from '../../core/rng.ts';
import { VirtualClock } from '../../core/virtual-clock.ts';
import { Episode } from '../../rollout/episode.ts';
import { ModelWorker, modelDesktop } from './models.ts';
import type { Setting } from './settings.ts';

/** Plays until so many steps were taken after so many others; `mark` is called between the two, and at the end. */
export async function alone(
  setting: Setting,
  { warmUp, measured }: { readonly warmUp: number; readonly measured: number },
  chance: number,
  mark: () => void,
): Promise<number> {
  const clock = new VirtualClock();
  const random = seeded(chance).fork(setting.name);
  const world = (name: string) => ({ clock, random: random.fork(name) });
  const lines = Array.from({ length: setting.workers }, (_, index) =>
    lineOf(new ModelWorker(world(`worker ${index}`), setting)),
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
    const ask = lines[index % lines.length];
    while (!isOver && ask !== undefined) {
      const episode = await Episode.start(desktop, { ...EPISODE, maxSteps: setting.maxSteps });
      while (episode.ended === undefined && !isOver) {
        const observation = encode(episode.seen);
        const choice = await ask({ observation, seed: seed(seeds.int(2 ** 32)), ...SAMPLING });
        await episode.act(choice.action);
        stepped();
      }
    }
  };
  const playing = Array.from({ length: setting.desktops }, (_, index) => play(index));
  await Promise.all([clock.run(), ...playing]);
  return measured;
}

const EPISODE = {
  task: { id: taskId('alone'), instruction: 'Take time.', evaluator: { func: 'infeasible' } },
  seed: seed(0),
  mode: 'a11y_tree',
} as const;

const SAMPLING = { temperature: 1, exploration: 0 };

type Ask = (request: DecisionRequest) => Promise<Choice>;

/** The least that can stand in place of a pool: whatever has come while the worker was busy is its next batch. */
function lineOf(worker: ModelWorker): Ask {
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
