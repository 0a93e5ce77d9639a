// Set-up steps and getters of task files as functions: their parameters are checked before each call.

import type * as z from 'zod';
import { type Boundary, BoundaryError } from '../core/failure.ts';
import { safeParse } from '../core/safe-parse.ts';

export type TaskFunction<Context, Result> = (context: Context, parameters: unknown) => Promise<Result>;

export type TaskFunctions<Context, Result> = Readonly<Record<string, TaskFunction<Context, Result>>>;

export const taskError = (thing: string, message: string, boundary: Boundary = 'task'): BoundaryError =>
  new BoundaryError({ boundary, thing, message });

/** `thing` names the step or the getter in errors. */
export function checked<Context, Shape extends z.ZodRawShape, Result>(
  thing: string,
  schema: z.ZodObject<Shape>,
  run: (context: Context, parameters: z.infer<z.ZodObject<Shape>>) => Promise<Result>,
): TaskFunction<Context, Result> {
  return async (context, parameters) => {
    const given = parameters ?? {};
    const parsed = safeParse(schema, given);
    if (parsed.success) return run(context, parsed.data);
    throw taskError(thing, issuesIn(parsed.error, given));
  };
}

/** The first ones: the others often follow from them. */
export const MAX_ISSUES = 20;

/** The errors in the parameters of a step or a getter: each names the path, the allowed values and the given one. */
export const issuesIn = ({ issues }: Pick<z.ZodError, 'issues'>, given: unknown): string =>
  issues
    .slice(0, MAX_ISSUES)
    .map(({ path, message }) => `${path.join('.') || 'parameters'}: ${message}${found(given, path)}`)
    .join('; ');

const MAX_VALUE_LENGTH = 80;

/** The wrong value, for the message. */
function found(given: unknown, path: readonly PropertyKey[]): string {
  let value = given;
  for (const key of path)
    value = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  if (value === undefined) return '';
  const text = JSON.stringify(value) ?? String(value);
  return `, not ${text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH - 3)}...` : text}`;
}

/** The function with a name; a task error lists the known names. */
export function functionOf<Context, Result>(
  functions: TaskFunctions<Context, Result>,
  name: string,
  kind: 'set-up step' | 'getter',
): TaskFunction<Context, Result> {
  const run = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (run !== undefined) return run;
  throw taskError(`${kind} ${name}`, `unknown ${kind}. Use one of ${Object.keys(functions).join(', ')}.`);
}
