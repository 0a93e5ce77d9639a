// Plays one order on one desktop, from its start to its end or to a failure, and returns the trajectory.

import {
  type Agent,
  type AgentSession,
  type AgentTask,
  COMPACT_AGENT,
  type SentImage,
  type Turn,
} from '../core/agent.ts';
import type { Clock } from '../core/clock.ts';
import type { Desktop } from '../core/desktop.ts';
import type { ExpertMatch, MatchedAction } from '../core/expert-match.ts';
import { BoundaryError, failureOf } from '../core/failure.ts';
import { trajectoryId } from '../core/ids.ts';
import type { InterruptedEpisode } from '../core/loan.ts';
import { type Order, pinnedVersion } from '../core/order.ts';
import type { Random } from '../core/rng.ts';
import type { Step } from '../core/step.ts';
import { type Instance, stepLimit, type Task } from '../core/task.ts';
import type { Frames, Trajectory } from '../core/trajectory.ts';
import type { Outcome } from '../core/verdict.ts';
import { Episode } from './episode.ts';
import { HandedOver } from './hand-overs.ts';
import type { EpisodeStop } from './stop.ts';

export interface PlayOptions {
  readonly agent: Agent;
  /** An error counts as a failure of the task. */
  readonly taskOf: (instance: Instance) => Task;
  /** Evaluations ignore it and take the likeliest choice. */
  readonly sampling: Sampling;
  readonly clock: Clock;
  /** The seed of a decision depends on its seed, the order, the attempt and the step. */
  readonly random: Random;
}

type Sampling = Pick<AgentTask, 'temperature' | 'exploration' | 'isGuided'>;

const GREEDY: Sampling = { temperature: 0, exploration: 0 };

/** What an episode leaves behind, also when it breaks. */
interface EpisodeRecord {
  readonly steps: Step[];
  readonly images: SentImage[];
}

/** Rejects only when it is stopped: with HandedOver if it was interrupted alone. A failure becomes the outcome of the trajectory. */
export async function play(
  order: Order,
  attempt: number,
  desktop: Desktop,
  options: PlayOptions,
  stop: EpisodeStop,
): Promise<Trajectory> {
  const startedAt = options.clock.now();
  const { agent } = options;
  const record: EpisodeRecord = { steps: [], images: [] };
  let instruction = '';
  let episode: Episode | undefined;
  let session: AgentSession | undefined;
  let outcome: Outcome;
  let isInterrupted = false;
  const broken = (error: unknown): Outcome => ({
    kind: 'broken',
    failure: failureOf(error, 'environment', desktop.id),
  });
  try {
    // An episode that is interrupted alone starts, so that there is a screen to hand over.
    stop.run.throwIfAborted();
    const task = taskFor(order, options);
    instruction = task.instruction;
    const { instance, maxSteps } = order;
    episode = await Episode.start(desktop, { task, seed: instance.seed, maxSteps });
    instruction = episode.instruction;
    session = agent.begin(agentTask(order, { ...task, instruction }, attempt, options, stop.signal));
    const isTraining = order.purpose === 'train';
    outcome = { kind: 'judged', ...(await endOf(episode, session, record, isTraining, stop)) };
  } catch (error) {
    stop.run.throwIfAborted();
    isInterrupted = error === stop.signal.reason;
    outcome = broken(error);
  } finally {
    session?.close();
  }
  const endedAt = options.clock.now();
  let frames = noFrames(desktop);
  try {
    if (episode !== undefined) frames = await episode.frames();
  } catch (error) {
    // The first of several failures is the cause. An episode without frames cannot be handed over, so it breaks.
    if (outcome.kind === 'judged' || isInterrupted) outcome = broken(error);
    isInterrupted = false;
  }
  stop.run.throwIfAborted();
  if (isInterrupted && episode !== undefined)
    throw new HandedOver(interrupted(episode, order.instance, frames));
  const { steps, images } = record;
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
    ...(agent.id !== COMPACT_AGENT && { agent: agent.id }),
    steps,
    frames,
    ...(images.length > 0 && { images }),
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

/** Longer tasks explore less per step, so that an episode of any length has about as many random actions. */
const SHORT_TASK_STEPS = 6;

function agentTask(
  order: Order,
  task: Task,
  attempt: number,
  { sampling, random }: PlayOptions,
  signal: AbortSignal,
): AgentTask {
  const share = order.exploration ?? sampling.exploration;
  // Guided decisions are meant to lead through a whole episode.
  const isLed = order.exploration !== undefined && sampling.isGuided === true;
  const exploration = isLed ? share : share * Math.min(1, SHORT_TASK_STEPS / stepLimit(task));
  const version = pinnedVersion(order);
  return {
    episode: `${order.id}.${attempt}`,
    instruction: task.instruction,
    mode: order.mode,
    maxSteps: order.maxSteps,
    ...(order.purpose === 'evaluate' ? GREEDY : { ...sampling, exploration }),
    ...(version !== undefined && { version }),
    random: random.fork(order.id).fork(`${attempt}`),
    signal,
  };
}

async function endOf(
  episode: Episode,
  session: AgentSession,
  { steps, images }: EpisodeRecord,
  isTraining: boolean,
  stop: EpisodeStop,
) {
  for (;;) {
    stop.throwIfEnded();
    // A stop abandons the decision. The call of a desktop, however, is awaited.
    const turn = await stop.or(session.next(episode.screen));
    images.push(...(turn.images ?? []));
    for (const [number, { action }] of turn.actions.entries()) {
      stop.throwIfEnded();
      const matched = episode.match(action, isTraining);
      // Before it acts, so that a broken episode contains the action that broke it.
      steps.push({ ...stepOf(turn, number), ...(matched && { match: expertMatch(matched) }) });
      const { instead } = matched ?? {};
      const before = episode.screen;
      await episode.act(instead ?? action);
      if (episode.end !== undefined) return episode.end;
      if (instead === undefined) session.acted(action, episode.screen);
      else {
        await session.witnessed(instead, before, episode.screen);
        // The rest of the turn was meant for another screen.
        break;
      }
    }
  }
}

const expertMatch = ({ step, score }: MatchedAction): ExpertMatch => ({ step, score });

function interrupted(
  { instruction, actions, screen }: Episode,
  instance: Instance,
  frames: Frames,
): InterruptedEpisode {
  return { instance, instruction, actions, screen, ...(frames.kind === 'png' && { images: frames.images }) };
}

/** The first action of a turn carries what the policy observed and how it chose. */
export function stepOf({ actions, observation, trace, version }: Turn, number: number): Step {
  const { action, meant } = actions[number] ?? actions[0];
  return number === 0
    ? { action, meant, observation, chosen: { version, trace } }
    : { action, meant, chosen: { version, trace: { kind: 'same-turn' } } };
}

/** The frames of an episode that did not start, or whose frames cannot be compressed. */
const noFrames = ({ renderer }: Desktop): Frames =>
  renderer === undefined ? { kind: 'png', images: [] } : { kind: 'redrawn', renderer };
