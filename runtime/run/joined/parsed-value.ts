// Checks a value from another machine against its schema.

import type * as z from 'zod';
import { safeParse } from '../../core/safe-parse.ts';

/** Throws a RangeError with the first wrong place. */
export function parsed<T>(schema: z.ZodType<T>, value: unknown): T {
  const { data, error } = safeParse(schema, value);
  if (error === undefined) return data as T;
  const [{ path, message } = { path: [], message: 'invalid' }] = error.issues;
  throw new RangeError(`${path.length === 0 ? 'it' : `'${path.join('.')}'`} is invalid (${message})`);
}
