// Reads task files: OSWorld's JSON, checked once at this border. What is wrong is said by file, field and allowed values;
// keys that are not ours pass through untouched.

import { z } from 'zod';
import { seed, taskId } from '../contracts/ids.ts';
import type { Task } from '../contracts/task.ts';
import { METRIC_NAMES, metricOf } from './metrics.ts';

export class TaskFileError extends Error {
  override readonly name = 'TaskFileError';
}

const json = z.record(z.string(), z.unknown());
const step = z.looseObject({ type: z.string().min(1), parameters: json.optional() });
const getter = z.looseObject({ type: z.string().min(1) });
const orList = <T extends z.ZodType>(one: T) => z.union([one, z.array(z.union([one, z.null()]))]);

/** One metric's name, or a list of them; said in full, since what a union complains of helps nobody. */
const metrics = z.unknown().superRefine((func, context) => {
  const names: readonly unknown[] = Array.isArray(func) ? func : [func];
  if (names.length === 0) context.addIssue('it names no metric');
  for (const name of names) {
    if (typeof name === 'string' && metricOf(name) !== undefined) continue;
    context.addIssue(`${JSON.stringify(name)} is no metric; known are ${METRIC_NAMES.join(', ')}`);
  }
});
const evaluator = z.looseObject({
  func: metrics,
  result: orList(getter).optional(),
  expected: orList(getter).optional(),
  options: orList(json).optional(),
  conj: z.enum(['and', 'or']).optional(),
  postconfig: z.array(step).optional(),
});

const wholeSeed = z.number().transform((value, context) => {
  try {
    return seed(value);
  } catch (error) {
    context.addIssue(error instanceof Error ? error.message : String(error));
    return z.NEVER;
  }
});

const notes = z.looseObject({
  tier: z.int().min(1).max(4).optional(),
  split: z.enum(['train', 'test', 'unseen']).optional(),
  template: z.string().optional(),
  seeds: z.array(wholeSeed).optional(),
  max_steps: z.int().min(1).optional(),
});

const task = z.looseObject({
  id: z.string().transform((value, context) => {
    try {
      return taskId(value);
    } catch (error) {
      context.addIssue(error instanceof Error ? error.message : String(error));
      return z.NEVER;
    }
  }),
  instruction: z.string().min(1),
  snapshot: z.string().optional(),
  config: z.array(step).optional(),
  evaluator,
  related_apps: z.array(z.string()).optional(),
  dartboard: notes.optional(),
});

/** A task from what a JSON file held; `file` is named in errors. */
export function parseTask(value: unknown, file: string): Task {
  const result = task.safeParse(value);
  if (result.success) return result.data as Task;
  const complaints = result.error.issues.map(
    ({ path, message }) => `${path.join('.') || 'the file'}: ${message}`,
  );
  throw new TaskFileError(`${file} is no task. ${complaints.join('; ')}`);
}
