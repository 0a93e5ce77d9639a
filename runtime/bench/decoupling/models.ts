// Desktops and policy workers as models that only take time, by the clock and from the chance that they are given: the same seed is the
// same run. They know nothing of schedules.

import type { Clock } from '../../core/clock.ts';
import type { Decision } from '../../core/decision.ts';
import type { Desktop } from '../../core/desktop.ts';
import { desktopId, type Version, version } from '../../core/ids.ts';
import type { Choice, DecisionRequest, Weights } from '../../core/policy.ts';
import type { Random } from '../../core/rng.ts';
import { seeded } from '../../core/rng.ts';
import type { Screen } from '../../core/screen.ts';
import type { Instance, Task } from '../../core/task.ts';
import type { PolicyWorker } from '../../rollout/policy-worker.ts';
import type { Setting, Spread } from './settings.ts';

export interface World {
  readonly clock: Clock;
  readonly random: Random;
}

/** As little as can be seen: what it costs to encode a screen is no affair of a schedule. */
const SCREEN: Screen = {
  pixels: { layout: 'rgba', width: 1, height: 1, data: new Uint8Array(4) },
  elements: [],
};

export const modelTask = ({ task }: Instance): Task => ({
  id: task,
  instruction: 'Take time.',
  evaluator: { func: 'infeasible' },
});

type Desk = Pick<Setting, 'reset' | 'act' | 'judge' | 'hangs'>;

/**
 * Scores are parts, and never the same twice: every group says something, and all of them have their full number of rollouts. So
 * a baseline that waits for a batch gets a whole one, and need not wait for another round to fill it up.
 */
export function modelDesktop(index: number, { clock, random }: World, desk: Desk): Desktop {
  const unasked = () => Promise.reject(new RangeError('A model is neither asked nor prepared.'));
  const takes = async <T>(milliseconds: number, answer: T): Promise<T> => {
    await clock.sleep(milliseconds);
    return answer;
  };
  return {
    id: desktopId(`d${index}`),
    renderer: 'model',
    reset: () => takes(drawn(random, desk.reset), SCREEN),
    act: () => {
      const hangs = random.next() < desk.hangs.share ? drawn(random, desk.hangs.lasts) : 0;
      return takes(drawn(random, desk.act) + hangs, SCREEN);
    },
    judge: () => takes(drawn(random, desk.judge), { score: 0.9 * random.next(), why: 'by lot' }),
    query: unasked,
    setup: unasked,
    close: async () => undefined,
  };
}

export const drawn = (random: Random, { median, spread }: Spread): number =>
  median * Math.exp(spread * normal(random));

const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());

/** How long a worker takes, and how soon it ends an episode. */
type Mind = Pick<Setting, 'decides' | 'loads' | 'ends'>;

/** Waits, until chance has it that the task is done: the seed of a decision alone says when. */
export function decided({ seed }: DecisionRequest, by: Version, ends: number): Choice {
  const isLast = seeded(seed).next() < ends;
  return {
    action: isLast ? { kind: 'finished', answer: '' } : { kind: 'wait' },
    meant: [],
    decisions: [DECISION],
    version: by,
  };
}

const DECISION: Decision = {
  ...({ head: 'kind', choice: 0, choices: 2 } as const),
  ...{ logProbability: -Math.LN2, entropy: Math.LN2, alternatives: [] },
};

/** One call after another, as the contract has it. */
export class ModelWorker implements PolicyWorker {
  readonly #world: World;
  readonly #times: Mind;
  #newest: Version = version(0);
  #before: Promise<unknown> = Promise.resolve();

  constructor(world: World, times: Mind) {
    this.#world = world;
    this.#times = times;
  }

  decide(requests: readonly DecisionRequest[]): Promise<readonly Choice[]> {
    const { decides, ends } = this.#times;
    return this.#next(decides.batch + requests.length * decides.request, () =>
      requests.map(request => decided(request, this.#newest, ends)),
    );
  }

  load({ version: newest }: Weights): Promise<void> {
    const { least, most } = this.#times.loads;
    return this.#next(least + (most - least) * this.#world.random.next(), () => {
      this.#newest = newest;
    });
  }

  async pin(): Promise<void> {}
  async unpin(): Promise<void> {}
  async close(): Promise<void> {}

  #next<T>(milliseconds: number, result: () => T): Promise<T> {
    const answer = this.#before.then(() => this.#world.clock.sleep(milliseconds)).then(result);
    this.#before = answer;
    return answer;
  }
}
