// Checks the body of a request: JSON of a schema.

import type * as z from 'zod';
import { parsedJson } from '../core/json.ts';
import { safeParse } from '../core/safe-parse.ts';
import { ApiError, badRequest } from './api-error.ts';

/** Throws an ApiError with the first wrong field; `remedy` ends its message. */
export function checkedBody<T>(body: string, schema: z.ZodType<T>, remedy: (param: string) => string): T {
  const parsed = safeParse(schema, parsedJson(body));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const param = issue?.path.map(String).join('.') ?? '';
  if (param === '')
    throw new ApiError(400, `The body of ${body.length} characters is no JSON object. Send one.`);
  throw badRequest(
    param,
    `The field '${param}' is invalid: ${issue?.message ?? 'not accepted'}. ${remedy(param)}`,
  );
}
