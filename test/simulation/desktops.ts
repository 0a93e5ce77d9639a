// Desktops of a simulated run: they take time, die, hang until their kind gives up, answer late, and lie.

import type { Desktop } from '../../runtime/core/desktop.ts';
import { BoundaryError } from '../../runtime/core/failure.ts';
import { type DesktopId, seed, taskId } from '../../runtime/core/ids.ts';
import { seeded } from '../../runtime/core/rng.ts';
import type { Screen } from '../../runtime/core/screen.ts';
import type { Task } from '../../runtime/core/task.ts';
import type { Suite } from '../../runtime/environments/suite.ts';
import type { HostKind } from '../../runtime/run/host/host-kind.ts';
import type { Life } from './life.ts';
import type { World } from './world.ts';

const TASKS = ['open', 'rename', 'send'];
/** Every kind of desktops bounds the time of its calls. */
const GIVES_UP_AFTER_MS = 30_000;
const LATE_FACTOR = 20;

export const suiteOf = ({ plan }: Pick<World, 'plan'>): Suite => {
  const names = TASKS.slice(0, plan.tasks);
  const task = (id: string): Task => ({
    id: taskId(id),
    instruction: `Do ${id}.`,
    evaluator: { func: 'infeasible' },
    dartboard: { max_steps: plan.maxSteps },
  });
  return {
    templates: names.map(id => ({ id, tier: 1, apps: [] })),
    template: id => ({ id, tier: 1, apps: [] }),
    tasks: split => (split === 'unseen' ? [] : names.map(taskId)),
    trainSeeds: 3,
    seed: (split, index) => seed(split === 'train' ? index % 3 : 100 + index),
    task,
  };
};

export const kindOf = (world: World, life: Life): HostKind => ({
  suite: suiteOf(world),
  make: async id => {
    await life.clock.sleep(world.plan.calls);
    return desktopOf(id, world, life);
  },
  isScripted: () => false,
  teacher: () => ({ concurrency: 1, demonstrate: async () => undefined }),
  close: async () => undefined,
});

function desktopOf(id: DesktopId, world: World, life: Life): Desktop {
  const { plan, witness } = world;
  const { clock } = life;
  const random = world.random.fork(`${life.name} ${id} ${clock.now()}`);
  let episode = 0;
  let acts = 0;
  let skill = 0;
  const failed = (message: string) => new BoundaryError({ boundary: 'environment', thing: id, message });
  const happens = (share: number): boolean => !world.isCalm && random.next() < share;
  const call = async (): Promise<void> => {
    const { dies, hangs, late } = plan.desktop;
    const time = plan.calls * (0.5 + random.next());
    if (happens(dies)) {
      await clock.sleep(time / 2);
      throw failed('its screen went away');
    }
    if (happens(hangs)) {
      await clock.sleep(GIVES_UP_AFTER_MS);
      throw failed('it did not answer');
    }
    await clock.sleep(happens(late) ? LATE_FACTOR * time : time);
  };
  const screen = (): Screen => ({
    pixels: { layout: 'rgba', width: 1, height: 1, data: new Uint8Array(4) },
    elements: [
      {
        ...{ role: 'label', name: `after ${acts} of ${episode}`, value: '', states: [] },
        box: { x: 0, y: 0, width: 1, height: 1 },
      },
    ],
  });
  const lies = (): boolean => happens(plan.desktop.lies);
  return {
    id,
    renderer: 'simulated',
    reset: async task => {
      [episode, acts] = [world.nextEpisode(), 0];
      skill = 0.3 + 0.4 * seeded(task.id).next();
      await call();
      return screen();
    },
    act: async action => {
      const before = screen();
      const isFirst = random.int(2) === 0;
      // It may break before or after it performs the action.
      const perform = () => {
        acts += 1;
        witness.perform(episode, action);
        if (world.has('desktops act twice')) witness.perform(episode, action);
      };
      if (isFirst) perform();
      await call();
      if (!isFirst) perform();
      if (!lies()) return screen();
      return random.int(2) === 0 ? before : IMPOSSIBLE;
    },
    judge: async () => {
      await call();
      if (lies()) return { score: random.int(2) === 0 ? Number.NaN : 7, why: 'a lie' };
      return { score: random.next() < skill ? 1 : 0, why: 'chance' };
    },
    query: async () => undefined,
    setup: async () => undefined,
    close: async () => undefined,
  };
}

/** No desktop has such a screen. */
const IMPOSSIBLE: Screen = {
  pixels: { layout: 'rgba', width: 3, height: -2, data: new Uint8Array(1) },
  elements: [
    {
      ...{ role: '', name: '\ud800', value: '', states: [] },
      box: { x: Number.NaN, y: -5, width: Number.POSITIVE_INFINITY, height: 0 },
    },
  ],
};
