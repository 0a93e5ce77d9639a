// A table of rewards: of each task what many rollouts of one policy came to. Read from a file and checked, or generated with the shape
// of the one that is known of a real benchmark.

import * as z from 'zod';
import { type TaskId, taskId } from '../../core/ids.ts';
import type { Random } from '../../core/rng.ts';

export interface Row {
  readonly task: TaskId;
  /** From 0 to 1; never empty. */
  readonly rewards: readonly number[];
}

export type Table = readonly Row[];

export class TableError extends Error {
  override readonly name = 'TableError';
}

const table = z
  .array(
    z.object({
      task: z.string().transform((name, context) => {
        try {
          return taskId(name);
        } catch (error) {
          context.addIssue({
            code: 'custom',
            message: error instanceof Error ? error.message : String(error),
          });
          return z.NEVER;
        }
      }),
      rewards: z.array(z.number().min(0).max(1)).min(1),
    }),
  )
  .min(1);

const FORM = 'It must be a list of {"task": "its id", "rewards": [numbers from 0 to 1]}.';
/** Of all that is wrong, so much is said. */
const MOST_SAID = 5;

/** `name` is what errors call it. */
export function readTable(text: string, name: string): Table {
  const found = table.safeParse(parsed(text, name));
  if (!found.success) {
    const { issues } = found.error;
    const said = issues.slice(0, MOST_SAID).map(({ path, message }) => `${placeOf(path)}: ${message}`);
    const more = issues.length > MOST_SAID ? [`and ${issues.length - MOST_SAID} more`] : [];
    throw new TableError([`The table '${name}' cannot be used. ${FORM}`, ...said, ...more].join('\n  '));
  }
  const seen = new Set<string>();
  for (const { task } of found.data) {
    if (seen.has(task))
      throw new TableError(
        `The table '${name}' names the task '${task}' twice: put all of its rewards into one row.`,
      );
    seen.add(task);
  }
  return found.data;
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new TableError(`The table '${name}' is no JSON: ${why}. ${FORM}`, { cause: error });
  }
}

const placeOf = (path: readonly PropertyKey[]): string =>
  path.length === 0
    ? 'the table'
    : path
        .map((key, depth) =>
          depth === 0 ? `row ${Number(key) + 1}` : typeof key === 'number' ? `[${key}]` : ` ${String(key)}`,
        )
        .join('');

/** What is known of the real one: 369 tasks, of which 162 were never solved and 32 always, and the mean success is 0.30. */
const SHAPE = { tasks: 369, never: 162, always: 32, mean: 0.3 } as const;
/** Rollouts of a task. */
const LEAST = 28;
const MOST = 34;
/** Of the tasks between: how far their success rates lie apart. Together with the mean it makes a Beta distribution with ends up. */
const CONCENTRATION = 1.45;

/** Success or failure only. The tasks between never and always have rates of a Beta distribution that gives the mean of all. */
export function generatedTable(random: Random): Table {
  const { tasks, never, always, mean } = SHAPE;
  const between = (mean * tasks - always) / (tasks - never - always);
  return Array.from({ length: tasks }, (_, index) => {
    const count = LEAST + random.int(MOST - LEAST + 1);
    const rewards = (chance: number) => Array.from({ length: count }, () => Number(random.next() < chance));
    const task = taskId(`generated-${String(index + 1).padStart(3, '0')}`);
    if (index < never) return { task, rewards: rewards(0) };
    if (index < never + always) return { task, rewards: rewards(1) };
    const rate = beta(random, CONCENTRATION * between, CONCENTRATION * (1 - between));
    // One that came out alike would belong to those above: of each kind there are as many as are known of.
    for (;;) {
      const drawn = rewards(Math.min(0.98, Math.max(0.02, rate)));
      if (new Set(drawn).size > 1) return { task, rewards: drawn };
    }
  });
}

/** Jöhnk's way: quick while both parameters are about 1 or less. */
function beta(random: Random, a: number, b: number): number {
  for (;;) {
    const [one, other] = [random.next() ** (1 / a), random.next() ** (1 / b)];
    if (one + other > 0 && one + other <= 1) return one / (one + other);
  }
}

export interface Shape {
  readonly tasks: number;
  readonly mean: number;
  readonly never: number;
  readonly always: number;
}

/** A table in numbers: the mean reward, and how many tasks never or always earned anything. */
export function shapeOf(table: Table): Shape {
  const means = table.map(({ rewards }) => rewards.reduce((sum, each) => sum + each, 0) / rewards.length);
  return {
    tasks: table.length,
    mean: means.reduce((sum, each) => sum + each, 0) / table.length,
    never: means.filter(each => each === 0).length,
    always: means.filter(each => each === 1).length,
  };
}
