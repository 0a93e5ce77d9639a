// A foreign episode as a trajectory of this workspace. Its id is computed from everything that its source says, so that an
// import can be repeated, and rollouts with the same actions are different trajectories. Pure.

import { createHash } from 'node:crypto';
import { messageOf } from '../core/errors.ts';
import { seed, type TrajectoryId, taskId, trajectoryId } from '../core/ids.ts';
import type { Instance } from '../core/task.ts';
import type { Trajectory } from '../core/trajectory.ts';
import type { ImportFormat } from '../protocol/daemon/exchange.ts';
import { EpisodeError, type ReadEpisode } from './episode.ts';
import { MAX_INSTRUCTION_LENGTH } from './limits.ts';

export interface ImportOrigin {
  readonly format: ImportFormat;
  /** The file in its source, for people. */
  readonly from: string;
  /** Milliseconds since 1970: the time of the import. */
  readonly now: number;
  /** Whether the workspace keeps an instance for tests. */
  readonly isReserved: (instance: Instance) => boolean;
}

/** Throws an EpisodeError for an episode that no trajectory can hold. */
export function trajectoryFrom(
  episode: ReadEpisode,
  { format, from, now, isReserved }: ImportOrigin,
): Trajectory {
  const { instruction, mode, steps, pictures, outcome, agent } = episode;
  if (instruction.length > MAX_INSTRUCTION_LENGTH)
    throw new EpisodeError(
      `Its instruction has ${instruction.length} characters, the limit is ${MAX_INSTRUCTION_LENGTH}. Shorten it.`,
    );
  const instance = instanceOf(episode);
  const startedAt = timeOr(episode.startedAt, now);
  return {
    id: idOf(episode, format),
    instance,
    instruction,
    // The success pool refuses evaluations, so test instances never train.
    purpose: episode.purpose === 'evaluate' || isReserved(instance) ? 'evaluate' : 'collect',
    mode,
    maxSteps: maxStepsOf(episode),
    provenance: { kind: 'imported', from, format, at: now },
    ...(agent !== undefined && isName(agent) && { agent }),
    steps,
    frames: { kind: 'png', images: pictures },
    outcome,
    startedAt,
    endedAt: Math.max(startedAt, timeOr(episode.endedAt, startedAt)),
  };
}

/** Of agents, in filters and pages. */
const MAX_NAME_LENGTH = 100;
const isName = (agent: string): boolean => agent !== '' && agent.length <= MAX_NAME_LENGTH;

const maxStepsOf = ({ maxSteps = 0, steps }: ReadEpisode): number =>
  Number.isSafeInteger(maxSteps) && maxSteps >= steps.length ? maxSteps : steps.length;

function instanceOf({ task, seed: number }: ReadEpisode): Instance {
  try {
    return { task: taskId(task), seed: seed(number) };
  } catch (error) {
    throw new EpisodeError(messageOf(error));
  }
}

/** Episodes before this time have a wrong clock. */
const EARLIEST = Date.UTC(2000, 0, 1);
const DAY_MS = 86_400_000;

const timeOr = (time: number | undefined, otherwise: number): number =>
  time !== undefined && time >= EARLIEST && time <= otherwise + DAY_MS ? time : otherwise;

function idOf(episode: ReadEpisode, format: ImportFormat): TrajectoryId {
  const { task, seed: number, instruction, steps, outcome, purpose = '', pictures } = episode;
  const { original, agent, mode, startedAt } = episode;
  const all = [format, task, number, instruction, steps, outcome, purpose, original, agent, mode, startedAt];
  const hash = createHash('sha256').update(JSON.stringify(all));
  for (const picture of pictures) hash.update(`\n${picture.length}\n`).update(picture);
  return trajectoryId(`imported-${hash.digest('hex').slice(0, 32)}`);
}
