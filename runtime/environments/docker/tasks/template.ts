// A template of a Docker desktop: OSWorld's JSON whose `dartboard` part also lists what varies, how it is solved, and what is
// nearly right. Of a seed it makes one instance.

import { z } from 'zod';
import { seeded } from '../../../core/rng.ts';
import type { SetupStep, Task } from '../../../core/task.ts';
import { parseTask, TaskFileError } from '../../../tasks/schema.ts';
import { type ChosenValues, chosenFrom, filled, type Values } from '../../../tasks/vary.ts';
import { type TaskKind, type Tier, TRAIN_SEEDS } from '../../suite.ts';
import { type SolutionScript, script } from './script.ts';
import { SHARED } from './values.ts';

export interface DockerTemplate extends TaskKind {
  /** One instance. The same number makes the same. */
  make(number: number): DockerTaskInstance;
}

export interface DockerTaskInstance {
  readonly instruction: string;
  readonly config: readonly SetupStep[];
  readonly evaluator: Task['evaluator'];
  readonly maxSteps: number;
  readonly solution: SolutionScript;
  /** Things that are nearly right, and must score 0. */
  readonly misses: Readonly<Record<string, SolutionScript>>;
}

const own = z.array(z.unknown());

/** Values of its own, or a list that tasks share, with the values for tests in it. */
const values = z.union([own, z.strictObject({ of: z.enum(Object.keys(SHARED)) })], {
  error: `give a list of values, or {"of": NAME} with one of ${Object.keys(SHARED).join(', ')}`,
});

const extras = z.object({
  tier: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)]),
  split: z.enum(['train', 'unseen']).default('train'),
  max_steps: z.int().min(1).optional(),
  vary: z.record(z.string(), values).default({}),
  /** Values for test instances, where they should be others than those of training. */
  vary_test: z.record(z.string(), own).default({}),
  solution: z.array(z.unknown()).min(1),
  misses: z.record(z.string(), z.array(z.unknown())).default({}),
});

/** Room to make mistakes: twice what the longest solution of the tier takes. */
const MAX_STEPS: Readonly<Record<Tier, number>> = { 1: 6, 2: 12, 3: 20, 4: 30 };

/** `value` is what the JSON file held; `file` is named in errors. */
export function templateFromFile(value: unknown, file: string): DockerTemplate {
  const task = parseTask(value, file);
  const notes = extras.safeParse(task.dartboard);
  if (!notes.success) throw faults(file, 'dartboard', notes.error);
  const { tier, split, max_steps: maxSteps, vary, vary_test: varyTest, solution, misses } = notes.data;
  const make = (number: number): DockerTaskInstance => {
    const random = seeded(`${task.id}/${number}`);
    const chosen = chosenFrom(
      number < TRAIN_SEEDS ? listed(vary, 'train') : { ...listed(vary, 'test'), ...varyTest },
      random,
    );
    // What is ours is filled apart: a task has no place for scripts.
    const instance = parseTask(filled({ ...task, dartboard: undefined }, chosen), file);
    return {
      instruction: instance.instruction,
      config: instance.config ?? [],
      evaluator: instance.evaluator,
      maxSteps: maxSteps ?? MAX_STEPS[tier],
      solution: scriptOf(solution, chosen, file, 'solution'),
      misses: Object.fromEntries(
        Object.entries(misses).map(([name, steps]) => [
          name,
          scriptOf(steps, chosen, file, `misses.${name}`),
        ]),
      ),
    };
  };
  return {
    id: task.id,
    tier,
    apps: task.related_apps ?? [],
    file,
    make,
    ...(split === 'unseen' && { unseen: true as const }),
  };
}

const listed = (vary: Readonly<Record<string, z.infer<typeof values>>>, part: 'train' | 'test'): Values =>
  Object.fromEntries(
    Object.entries(vary).map(([name, from]) => [name, 'of' in from ? (SHARED[from.of]?.[part] ?? []) : from]),
  );

function scriptOf(
  steps: readonly unknown[],
  chosen: ChosenValues,
  file: string,
  where: string,
): SolutionScript {
  const read = script.safeParse(filled(steps, chosen));
  if (!read.success) throw faults(file, `dartboard.${where}`, read.error);
  return read.data;
}

function faults(file: string, where: string, { issues }: z.ZodError): TaskFileError {
  const complaints = issues.map(({ path, message }) => `${[where, ...path].join('.')}: ${message}`);
  return new TaskFileError(`${file} is no template. ${complaints.join('; ')}`);
}
