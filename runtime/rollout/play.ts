// Plays one order on one desktop, from its start to its end or to a failure, and returns the trajectory.

import { encode } from '../agent/observation.ts';
import type { Clock } from '../core/clock.ts';
import type { Desktop } from '../core/desktop.ts';
import { BoundaryError, failureOf } from '../core/failure.ts';
import { seed, trajectoryId } from '../core/ids.ts';
import { type Order, pinnedVersion } from '../core/order.ts';
import type { Choice, DecisionRequest, PolicyPool } from '../core/policy.ts';
import type { Random } from '../core/rng.ts';
import type { Step } from '../core/step.ts';
import { type Instance, stepLimit, type Task } from '../core/task.ts';
import type { Frames, Trajectory } from '../core/trajectory.ts';
import type { Outcome } from '../core/verdict.ts';
import { Episode } from './episode.ts';
import type { EpisodeStop } from './stop.ts';

export interface PlayOptions {
  readonly pool: PolicyPool;
  /** May throw: then the task is at fault. */
  readonly taskOf: (instance: Instance) => Task;
  /** Runs what turns a screen into an observation; whoever wants to know what that takes hands in something that looks at it. */
  readonly observing?: <T>(work: () => T) => T;
  /** How decisions are drawn, but for an evaluation: that takes the likeliest. */
  readonly sampling: Sampling;
  readonly clock: Clock;
  /** Seeds of decisions depend on its own seed, the order, the attempt and the step alone. */
  readonly random: Random;
}

type Sampling = Pick<DecisionRequest, 'temperature' | 'exploration'>;

const LIKELIEST: Sampling = { temperature: 0, exploration: 0 };

/** Rejects only when it is stopped; what breaks is the trajectory's outcome. */
export async function play(
  order: Order,
  attempt: number,
  desktop: Desktop,
  options: PlayOptions,
  stop: EpisodeStop,
): Promise<Trajectory> {
  const startedAt = options.clock.now();
  const steps: Step[] = [];
  let instruction = '';
  let episode: Episode | undefined;
  let outcome: Outcome;
  try {
    stop.signal.throwIfAborted();
    const task = taskFor(order, options);
    instruction = task.instruction;
    const { instance, mode, maxSteps } = order;
    episode = await Episode.start(desktop, { task, seed: instance.seed, mode, maxSteps });
    outcome = {
      kind: 'judged',
      ...(await endOf(episode, steps, decider(order, task, attempt, options, stop), options.observing)),
    };
  } catch (error) {
    stop.signal.throwIfAborted();
    outcome = { kind: 'broken', failure: failureOf(error, 'environment', desktop.id) };
  }
  const endedAt = options.clock.now();
  const frames = (await episode?.frames()) ?? unseen(desktop);
  stop.signal.throwIfAborted();
  return {
    id: trajectoryId(`${order.id}.${attempt}`),
    order: order.id,
    run: order.run,
    group: order.group,
    instance: order.instance,
    instruction,
    purpose: order.purpose,
    mode: order.mode,
    maxSteps: order.maxSteps,
    provenance: { kind: 'rollout' },
    steps,
    frames,
    outcome,
    startedAt,
    endedAt,
  };
}

function taskFor({ purpose, instance }: Order, { taskOf }: PlayOptions): Task {
  const fault = (message: string, cause?: unknown) =>
    new BoundaryError({ boundary: 'task', thing: instance.task, message }, { cause });
  if (purpose === 'demonstrate')
    throw fault('it is ordered to be demonstrated, and no policy plays that: show it by hand or by a script');
  try {
    return taskOf(instance);
  } catch (error) {
    throw fault(failureOf(error, 'task', instance.task).message, error);
  }
}

/** Each step stands in the list before it is made, so that what broke an episode can be seen. */
async function endOf(
  episode: Episode,
  steps: Step[],
  decide: (request: Pick<DecisionRequest, 'observation'>) => Promise<Choice>,
  observing: <T>(work: () => T) => T = work => work(),
) {
  for (;;) {
    const observation = observing(() => encode(episode.observation));
    const { action, meant, version, decisions } = await decide({ observation });
    steps.push({ action, meant, observation, chosen: { version, decisions } });
    await episode.act(action);
    if (episode.end !== undefined) return episode.end;
  }
}

/** Asks the pool step by step, with a seed of its own for each. */
function decider(
  order: Order,
  task: Task,
  attempt: number,
  { pool, sampling, random }: PlayOptions,
  stop: EpisodeStop,
) {
  const seeds = random.fork(order.id).fork(`${attempt}`);
  const exploration = (order.exploration ?? sampling.exploration) * Math.min(1, SHORT / stepLimit(task));
  const how = order.purpose === 'evaluate' ? LIKELIEST : { ...sampling, exploration };
  const version = pinnedVersion(order);
  return async ({ observation }: Pick<DecisionRequest, 'observation'>): Promise<Choice> => {
    stop.signal.throwIfAborted();
    const request: DecisionRequest = {
      observation,
      seed: seed(seeds.int(SEEDS)),
      ...how,
      ...(version !== undefined && { version }),
    };
    // Nobody waits for an answer that is not needed any more; a desktop, however, is waited for.
    return await stop.or(pool.decide(request));
  };
}

/**
 * Steps of a short task. In longer ones less is done at random, so that an episode is disturbed about as often, whatever its length:
 * otherwise none of a few dozen steps would ever come to its end.
 */
const SHORT = 6;

/** What a seed can be: 32 bits. */
const SEEDS = 2 ** 32;

/** Of an episode that did not even start. */
const unseen = ({ renderer }: Desktop): Frames =>
  renderer === undefined ? { kind: 'png', images: [] } : { kind: 'redrawn', renderer };
