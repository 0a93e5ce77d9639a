// The schema of task files: OSWorld's JSON plus the key `dartboard`. Errors name the file, the field and the allowed values.
// Unknown keys pass through unchanged.

import { z } from 'zod';
import { messageOf } from '../core/errors.ts';
import { seed, taskId } from '../core/ids.ts';
import { safeParse } from '../core/safe-parse.ts';
import type { Task } from '../core/task.ts';
import { metricOf, unknownMetric } from './metrics.ts';

/** Far above the longest task (30 steps), and low enough that one episode ends within minutes. */
export const MAX_STEPS_PER_EPISODE = 1000;

export class TaskFileError extends Error {
  override readonly name = 'TaskFileError';
}

const json = z.record(z.string(), z.unknown());
const step = z.looseObject({ type: z.string().min(1), parameters: json.optional() });
const getter = z.looseObject({ type: z.string().min(1) });
const orList = <T extends z.ZodType>(one: T) => z.union([one, z.array(z.union([one, z.null()]))]);

/** One metric or a list of metrics. Checked by hand, since the error of a zod union names no metric. */
const metrics = z.unknown().superRefine((func, context) => {
  const names: readonly unknown[] = Array.isArray(func) ? func : [func];
  if (names.length === 0)
    context.addIssue('the list is empty. Name at least one metric; docs/osworld.md lists them');
  for (const name of names) {
    if (typeof name === 'string' && metricOf(name) !== undefined) continue;
    context.addIssue(unknownMetric(name));
  }
});
const evaluator = z
  .looseObject({
    func: metrics,
    result: orList(getter).optional(),
    expected: orList(getter).optional(),
    options: orList(json).optional(),
    conj: z.enum(['and', 'or']).optional(),
    postconfig: z.array(step).optional(),
  })
  .superRefine(({ func, result, expected, options }, context) => {
    const checks = Array.isArray(func) ? func.length : 1;
    for (const [name, list] of Object.entries({ result, expected, options })) {
      if (!Array.isArray(list) || list.length === checks) continue;
      // As in OSWorld, an empty list expects nothing.
      if (name === 'expected' && list.length === 0) continue;
      const message = `the length of the list is ${list.length}, and the number of metrics in func is ${checks}. Write one entry for each metric, or null for a metric that needs none`;
      context.addIssue({ code: 'custom', path: [name], message });
    }
  });

/** A value that `parse` accepts; its error becomes the complaint about the field. */
const parsedBy = <Input, Output>(type: z.ZodType<Input>, parse: (value: Input) => Output) =>
  type.transform((value, context) => {
    try {
      return parse(value);
    } catch (error) {
      context.addIssue(messageOf(error));
      return z.NEVER;
    }
  });

const notes = z.looseObject({
  tier: z.int().min(1).max(4).optional(),
  split: z.enum(['train', 'test', 'unseen']).optional(),
  template: z.string().optional(),
  seeds: z.array(parsedBy(z.number(), seed)).optional(),
  max_steps: z.int().min(1).max(MAX_STEPS_PER_EPISODE).optional(),
});

const task = z.looseObject({
  id: parsedBy(z.string(), taskId),
  instruction: z.string().min(1),
  snapshot: z.string().optional(),
  config: z.array(step).optional(),
  evaluator,
  related_apps: z.array(z.string()).optional(),
  dartboard: notes.optional(),
});

/** Checks the parsed JSON of a task file. */
export function parseTask(value: unknown, file: string): Task {
  const result = safeParse(task, value);
  if (result.success) return result.data as Task;
  throw new TaskFileError(
    `${file} is not a valid task. ${complaintsOf(result.error).join('; ')}. Correct the file; docs/tasks.md describes its fields.`,
  );
}

/** The first ones: the others often follow from them. */
const MAX_COMPLAINTS = 20;
const MAX_COMPLAINT_LENGTH = 500;

const complaintsOf = ({ issues }: z.ZodError): readonly string[] =>
  issues
    .slice(0, MAX_COMPLAINTS)
    .map(({ path, message }) =>
      `${path.join('.') || 'the file'}: ${message.replace(/\.$/, '')}`.slice(0, MAX_COMPLAINT_LENGTH),
    );
