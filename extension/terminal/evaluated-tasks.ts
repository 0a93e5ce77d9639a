// The tasks that an evaluation of an agent offers. Its requests cost time or money, so the smallest choice comes first. Pure.

import { tierTitle } from '../../runtime/protocol/tiers.ts';
import { type ConfigFile, selectsTasks } from '../config-file.ts';

interface TasksChoice {
  readonly label: string;
  readonly detail: string;
  /** Options of `dartboard eval`. */
  readonly args: readonly string[];
}

const TIERS = [1, 2, 3, 4] as const;

/** Empty if dartboard.json selects the tasks. */
export const evaluatedTasks = (config: ConfigFile): readonly TasksChoice[] =>
  selectsTasks(config)
    ? []
    : [
        ...TIERS.map(tier => ({
          label: tierTitle(tier),
          detail: 'Twenty test instances of each task.',
          args: ['--tier', String(tier)],
        })),
        { label: 'All four tiers', detail: 'Twenty test instances of each task.', args: [] },
      ];
