// Reads what a page sent. What is no request becomes an error reply that names the field.

import { type PlayMessage, type PlayRequest, request } from '../../protocol/play.ts';
import { type Complaint, complaint, idOf, NO_JSON, parsedJson } from '../http/parse-message.ts';

export type Read =
  | { readonly ok: true; readonly request: PlayRequest }
  | { readonly ok: false; readonly error: Extract<PlayMessage, { kind: 'error' }> };

export function readRequest(text: string): Read {
  const value = parsedJson(text);
  if (value === undefined) return refused(null, NO_JSON);
  const parsed = request.safeParse(value);
  if (parsed.success) return { ok: true, request: parsed.data };
  return refused(idOf(value), complaint(parsed.error.issues));
}

const refused = (id: number | null, why: Complaint): Read => ({
  ok: false,
  error: { kind: 'error', id, code: 'bad_request', ...why },
});
