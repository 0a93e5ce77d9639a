// The tasks of an evaluation of an agent, as options of `dartboard eval`. Pure.

import { tierTitle } from '../../runtime/protocol/tiers.ts';
import { type ConfigFile, objectIn } from '../config-file.ts';

export interface TasksChoice {
  readonly label: string;
  readonly detail: string;
  readonly args: readonly string[];
}

const DETAIL = '20 test instances of each task.';

/** Requests cost time or money, so the smallest choice comes first. */
export const EVALUATED_TASKS: readonly TasksChoice[] = [
  ...[1, 2, 3, 4].map(tier => ({ label: tierTitle(tier), detail: DETAIL, args: ['--tier', String(tier)] })),
  { label: 'All four tiers', detail: DETAIL, args: [] },
];

/** The tasks that dartboard.json selects; undefined if it selects none. */
export function selectedTasks(config: ConfigFile): readonly string[] | undefined {
  const { tasks, tiers } = objectIn(config['suite']);
  if (Array.isArray(tasks) && tasks.length > 0) return ['--tasks', tasks.join(',')];
  if (Array.isArray(tiers) && tiers.length > 0) return ['--tier', tiers.join(',')];
  return undefined;
}
