// A table of rewards: for each task, the rewards of many rollouts of one policy. Read from a file, or generated with the statistics of
// a real table.

import * as z from 'zod';
import { messageOf } from '../../core/errors.ts';
import { type TaskId, taskId } from '../../core/ids.ts';
import type { Random } from '../../core/rng.ts';
import { sum } from '../../core/sum.ts';

export interface TaskRewards {
  readonly task: TaskId;
  /** From 0 to 1; never empty. */
  readonly rewards: readonly number[];
}

export type RewardTable = readonly TaskRewards[];

const table = z
  .array(
    z.object({
      task: z.string().transform((name, context) => {
        try {
          return taskId(name);
        } catch (error) {
          context.addIssue({ code: 'custom', message: messageOf(error) });
          return z.NEVER;
        }
      }),
      rewards: z.array(z.number().min(0).max(1)).min(1),
    }),
  )
  .min(1)
  .superRefine((rows, context) => {
    const tasks = rows.map(({ task }) => task);
    const twice = tasks.find((task, index) => tasks.indexOf(task) !== index);
    if (twice !== undefined)
      context.addIssue({ code: 'custom', message: `The task '${twice}' has two rows. Merge them.` });
  });

export function readTable(text: string, file: string): RewardTable {
  try {
    return table.parse(JSON.parse(text));
  } catch (error) {
    const form = '[{"task": its id, "rewards": [numbers from 0 to 1]}, …]';
    const why = error instanceof z.ZodError ? firstIssues(error) : messageOf(error);
    throw new RangeError(`Cannot use the table '${file}'. It must be JSON of the form ${form}.\n${why}`, {
      cause: error,
    });
  }
}

const MAX_ISSUES = 5;

function firstIssues({ issues }: z.ZodError): string {
  const lines = issues.map(({ path, message }) => `  ${z.core.toDotPath(path)}: ${message}`);
  const more = lines.length > MAX_ISSUES ? [`  and ${lines.length - MAX_ISSUES} more`] : [];
  return [...lines.slice(0, MAX_ISSUES), ...more].join('\n');
}

/** Statistics of a table of 369 OSWorld tasks: 162 were never solved, 32 always, and the mean success is 0.30. */
const GENERATED = { tasks: 369, never: 162, always: 32, mean: 0.3 } as const;
const [MIN_ROLLOUTS, MAX_ROLLOUTS] = [28, 34];
/** Concentration of the Beta distribution of success rates, which with the mean makes it U-shaped. */
const CONCENTRATION = 1.45;

/** Rewards of 0 and 1. The rates of tasks between never and always follow a Beta distribution with the right overall mean. */
export function generatedTable(random: Random): RewardTable {
  const { tasks, never, always, mean } = GENERATED;
  const between = (mean * tasks - always) / (tasks - never - always);
  return Array.from({ length: tasks }, (_, index) => {
    const count = MIN_ROLLOUTS + random.int(MAX_ROLLOUTS - MIN_ROLLOUTS + 1);
    const rewards = (rate: number) => Array.from({ length: count }, () => Number(random.next() < rate));
    const task = taskId(`generated-${String(index + 1).padStart(3, '0')}`);
    if (index < never) return { task, rewards: rewards(0) };
    if (index < never + always) return { task, rewards: rewards(1) };
    const rate = beta(random, CONCENTRATION * between, CONCENTRATION * (1 - between));
    // Draws again until both rewards occur, so that the counts of never and always solved tasks hold.
    for (;;) {
      const drawn = rewards(Math.min(0.98, Math.max(0.02, rate)));
      if (new Set(drawn).size > 1) return { task, rewards: drawn };
    }
  });
}

/** Jöhnk's algorithm: efficient for parameters up to about 1. */
function beta(random: Random, a: number, b: number): number {
  for (;;) {
    const [x, y] = [random.next() ** (1 / a), random.next() ** (1 / b)];
    if (x + y > 0 && x + y <= 1) return x / (x + y);
  }
}

/** Number of tasks, mean reward, and tasks whose rewards are all 0 or all 1. */
export function tableStatistics(rows: RewardTable) {
  const means = rows.map(({ rewards }) => sum(rewards) / rewards.length);
  return {
    tasks: rows.length,
    mean: means.reduce((sum, each) => sum + each, 0) / rows.length,
    never: means.filter(each => each === 0).length,
    always: means.filter(each => each === 1).length,
  };
}
