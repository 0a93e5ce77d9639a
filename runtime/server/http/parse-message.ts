// Reads what came through a socket, so far as it is the same whatever is spoken there: JSON or not, the id of a request, and what
// is wrong with it in words.

import type { z } from 'zod';

export interface Complaint {
  /** What is wrong, where it is one field. */
  readonly field?: string;
  readonly message: string;
}

/** Undefined where a text is no JSON; JSON itself has no such value. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const NO_JSON: Complaint = { message: 'The message is no JSON.' };

/** The first thing that is wrong. An unknown key is named itself, not the object that it stands in. */
export function complaint([issue]: readonly z.core.$ZodIssue[]): Complaint {
  if (issue === undefined) return { message: 'The message is no request.' };
  const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path;
  if (path.length === 0) return { message: issue.message };
  const field = path.join('.');
  return { field, message: `${field}: ${issue.message}` };
}

/** Null where there is none that could be read. */
export function idOf(value: unknown): number | null {
  if (typeof value !== 'object' || value === null || !('id' in value)) return null;
  return typeof value.id === 'number' && Number.isSafeInteger(value.id) && value.id >= 0 ? value.id : null;
}
