// Reads what a page sent. What is no request becomes an error reply that names the field.

import type { z } from 'zod';
import { type Message, type Request, request } from '../../protocol/play.ts';

export type Read =
  | { readonly ok: true; readonly request: Request }
  | { readonly ok: false; readonly error: Extract<Message, { kind: 'error' }> };

export function readRequest(text: string): Read {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refused(null, undefined, 'The message is no JSON.');
  }
  const parsed = request.safeParse(value);
  if (parsed.success) return { ok: true, request: parsed.data };
  const { field, message } = complaint(parsed.error.issues);
  return refused(idOf(value), field, field === undefined ? message : `${field}: ${message}`);
}

/** The first thing that is wrong. An unknown key is named itself, not the object that it stands in. */
function complaint(issues: readonly z.core.$ZodIssue[]): { field: string | undefined; message: string } {
  const [issue] = issues;
  if (issue === undefined) return { field: undefined, message: 'The message is no request.' };
  const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : [...issue.path];
  return { field: path.length === 0 ? undefined : path.join('.'), message: issue.message };
}

function idOf(value: unknown): number | null {
  if (typeof value !== 'object' || value === null || !('id' in value)) return null;
  return typeof value.id === 'number' && Number.isInteger(value.id) && value.id >= 0 ? value.id : null;
}

const refused = (id: number | null, field: string | undefined, message: string): Read => ({
  ok: false,
  error: { kind: 'error', id, code: 'bad_request', ...(field !== undefined && { field }), message },
});
