// The names of DART's files: TASK_trace-ID-SECONDS/final_messages.json, with reward.txt beside it. Pure.

import { baseOf, folderOf, foldersAround, joined } from '../source/names.ts';

export const MESSAGES_NAME = 'final_messages.json';
export const REWARD_NAME = 'reward.txt';

export interface NamedEpisode {
  readonly task: string;
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
  const [, seconds] = /_trace-.*-(\d{9,10})$/.exec(name) ?? [];
  return { task, ...(seconds !== undefined && { startedAt: 1000 * Number(seconds) }) };
}

/** Beside final_messages.json alone: a folder of renamed files has no score for each. */
export const rewardFile = (file: string): string | undefined =>
  baseOf(file) === MESSAGES_NAME ? joined(folderOf(file), REWARD_NAME) : undefined;

export const pictureName = (index: number): string => `image_${String(index).padStart(4, '0')}.png`;
