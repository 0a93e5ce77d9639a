// Plays one order on one desktop, from its start to its end or to a failure, and returns the trajectory.

import { encode } from '../agents/compact/observation.ts';
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
  /** An error counts as a failure of the task. */
  readonly taskOf: (instance: Instance) => Task;
  /** Wraps the encoding of an observation, to measure it. */
  readonly observing?: <T>(work: () => T) => T;
  /** Evaluations ignore it and take the likeliest choice. */
  readonly sampling: Sampling;
  readonly clock: Clock;
  /** The seed of a decision depends on its seed, the order, the attempt and the step. */
  readonly random: Random;
}

type Sampling = Pick<DecisionRequest, 'temperature' | 'exploration'>;

const GREEDY: Sampling = { temperature: 0, exploration: 0 };

/** Rejects only when it is stopped. A failure becomes the outcome of the trajectory. */
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
  const frames = (await episode?.frames()) ?? noFrames(desktop);
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
    throw fault('it was ordered as a demonstration, which a person or a script gives');
  try {
    return taskOf(instance);
  } catch (error) {
    throw fault(failureOf(error, 'task', instance.task).message, error);
  }
}

/** Adds each step before it acts, so that a broken episode contains the action that broke it. */
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

/** Requests decisions from the pool, with a new seed for each. */
function decider(
  order: Order,
  task: Task,
  attempt: number,
  { pool, sampling, random }: PlayOptions,
  stop: EpisodeStop,
) {
  const seeds = random.fork(order.id).fork(`${attempt}`);
  const exploration =
    (order.exploration ?? sampling.exploration) * Math.min(1, SHORT_TASK_STEPS / stepLimit(task));
  const options = order.purpose === 'evaluate' ? GREEDY : { ...sampling, exploration };
  const version = pinnedVersion(order);
  return async ({ observation }: Pick<DecisionRequest, 'observation'>): Promise<Choice> => {
    stop.signal.throwIfAborted();
    const request: DecisionRequest = {
      observation,
      seed: seed(seeds.int(MAX_SEED)),
      ...options,
      ...(version !== undefined && { version }),
    };
    // A stop abandons the decision. The call of a desktop, however, is awaited.
    return await stop.or(pool.decide(request));
  };
}

/** Longer tasks explore less per step, so that an episode of any length has about as many random actions. */
const SHORT_TASK_STEPS = 6;
const MAX_SEED = 2 ** 32;

/** The frames of an episode that did not start. */
const noFrames = ({ renderer }: Desktop): Frames =>
  renderer === undefined ? { kind: 'png', images: [] } : { kind: 'redrawn', renderer };
