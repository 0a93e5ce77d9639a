// The names of DART's files: TASK_trace-ID-SECONDS/final_messages.json, with reward.txt beside it. Pure.

import type { TrajectoryId } from '../../core/ids.ts';
import { safeParse } from '../../core/safe-parse.ts';
import { ids } from '../../data/files/schema.ts';
import { baseOf, folderOf, foldersAround, joined } from '../source/names.ts';

export const MESSAGES_NAME = 'final_messages.json';
export const REWARD_NAME = 'reward.txt';

/** After the id of a trajectory that differs from the stored one: together they are no id of the store. */
export const CHANGED = '-changed';

export interface NamedEpisode {
  readonly task: string;
  /** The id in the name, which other programs give as well. */
  readonly original?: TrajectoryId;
  /** Milliseconds since 1970. */
  readonly startedAt?: number;
}

/** From the folder of final_messages.json, or from the name of a file that has been renamed to that of its folder. */
export function episodeNamed(file: string, above: readonly string[]): NamedEpisode {
  const name =
    baseOf(file) === MESSAGES_NAME
      ? (foldersAround(above, file).at(-1) ?? 'trajectory')
      : baseOf(file).replace(/\.json$/i, '');
  const [, task = name] = /^(.+?)_trace-/.exec(name) ?? [];
  const [, id = '', seconds] = /_trace-(.*)-(\d{9,10})$/.exec(name) ?? [];
  const original = safeParse(ids.trajectory, id).data;
  return {
    task,
    ...(original !== undefined && { original }),
    ...(seconds !== undefined && { startedAt: 1000 * Number(seconds) }),
  };
}

/** Beside final_messages.json alone: a folder of renamed files has no score for each. */
export const rewardFile = (file: string): string | undefined =>
  baseOf(file) === MESSAGES_NAME ? joined(folderOf(file), REWARD_NAME) : undefined;

export const pictureName = (index: number): string => `image_${String(index).padStart(4, '0')}.png`;
