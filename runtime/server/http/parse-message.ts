// The part of request parsing that every protocol shares: JSON, the id of a request, and the first problem in words.

import type { z } from 'zod';

export interface RequestProblem {
  /** The field at fault, if it is one. */
  readonly field?: string;
  readonly message: string;
}

/** Undefined for text that is not JSON; no JSON value is undefined. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Reported as NOT_JSON.
    return undefined;
  }
}

export const NOT_JSON: RequestProblem = { message: 'The message is not JSON. Send one JSON object as text.' };

/** The first issue. An unknown key is named itself, not the object around it. */
export function problemOf([issue]: readonly z.core.$ZodIssue[]): RequestProblem {
  if (issue === undefined) return { message: 'The message is not a request.' };
  const keys = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const field = [...issue.path, ...keys].join('.');
  return field === '' ? { message: issue.message } : { field, message: `${field}: ${issue.message}` };
}

/** Null when the value has no valid id. */
export function idOf(value: unknown): number | null {
  if (typeof value !== 'object' || value === null || !('id' in value)) return null;
  return typeof value.id === 'number' && Number.isSafeInteger(value.id) && value.id >= 0 ? value.id : null;
}
