// Models of desktops and policy workers: they only take time, by a clock and a random source that they are given. Equal seeds give
// equal runs.

import type { Clock } from '../../core/clock.ts';
import type { Decision } from '../../core/decision.ts';
import type { Desktop } from '../../core/desktop.ts';
import { desktopId, type Version, version } from '../../core/ids.ts';
import type { Choice, DecisionRequest } from '../../core/policy.ts';
import type { Random } from '../../core/rng.ts';
import { seeded } from '../../core/rng.ts';
import type { Screen } from '../../core/screen.ts';
import type { Instance, Task } from '../../core/task.ts';
import type { PolicyWorker } from '../../rollout/policy-worker.ts';
import type { SimulatedWorld, Spread } from './worlds.ts';

export interface ModelSource {
  readonly clock: Clock;
  readonly random: Random;
}

/** The smallest screen: the cost of an observation does not depend on the schedule. */
const SCREEN: Screen = {
  pixels: { layout: 'rgba', width: 1, height: 1, data: new Uint8Array(4) },
  elements: [],
};

export const modelTask = ({ task }: Instance): Task => ({
  id: task,
  instruction: 'Wait.',
  evaluator: { func: 'infeasible' },
});

type DesktopTimes = Pick<SimulatedWorld, 'reset' | 'act' | 'judge' | 'hangs'>;

/** Scores are partial and differ, so every group has a gradient, and a coupled baseline never waits for a replacement. */
export function modelDesktop(index: number, { clock, random }: ModelSource, times: DesktopTimes): Desktop {
  const unsupported = () => Promise.reject(new RangeError('A model desktop has no queries and no setup.'));
  const takes = async <T>(milliseconds: number, answer: T): Promise<T> => {
    await clock.sleep(milliseconds);
    return answer;
  };
  return {
    id: desktopId(`d${index}`),
    renderer: 'model',
    reset: () => takes(drawTime(random, times.reset), SCREEN),
    act: () => {
      const hangs = random.next() < times.hangs.share ? drawTime(random, times.hangs.lasts) : 0;
      return takes(drawTime(random, times.act) + hangs, SCREEN);
    },
    judge: () => takes(drawTime(random, times.judge), { score: 0.9 * random.next(), why: 'random score' }),
    query: unsupported,
    setup: unsupported,
    close: async () => undefined,
  };
}

export const drawTime = (random: Random, { median, spread }: Spread): number =>
  median * Math.exp(spread * normal(random));

const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());

/** How long a worker takes, and how often it ends an episode. */
type WorkerTimes = Pick<SimulatedWorld, 'decides' | 'loads' | 'ends'>;

const DECISION: Decision = {
  ...({ head: 'kind', choice: 0, choices: 2 } as const),
  ...{ logProbability: -Math.LN2, entropy: Math.LN2, alternatives: [] },
};

/** Answers every request. */
export interface ModelWorker extends PolicyWorker {
  decide(requests: readonly DecisionRequest[]): Promise<readonly Choice[]>;
}

/** Its calls run one after another, as the contract of a worker requires. */
export function modelWorker(
  { clock, random }: ModelSource,
  { decides, ends, loads }: WorkerTimes,
): ModelWorker {
  let newest: Version = version(0);
  let last: Promise<unknown> = Promise.resolve();
  const next = <T>(milliseconds: number, result: () => T): Promise<T> => {
    const answer = last.then(() => clock.sleep(milliseconds)).then(result);
    last = answer;
    return answer;
  };
  /** Ends the episode with probability `ends`, which depends on the seed of the request alone; else waits. */
  const choiceFor = ({ seed }: DecisionRequest): Choice => ({
    action: seeded(seed).next() < ends ? { kind: 'finished', answer: '' } : { kind: 'wait' },
    ...{ meant: [], decisions: [DECISION], version: newest },
  });
  return {
    decide: requests =>
      next(decides.batch + requests.length * decides.request, () => requests.map(choiceFor)),
    load: weights =>
      next(loads.min + (loads.max - loads.min) * random.next(), () => {
        newest = weights.version;
      }),
    pin: async () => undefined,
    unpin: async () => undefined,
    close: async () => undefined,
  };
}
