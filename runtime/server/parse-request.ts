// Parses a client's message. An invalid one becomes a failure that names the field.

import {
  anyHello,
  DAEMON_VERSION,
  type DaemonFailure,
  type DaemonRequest,
  request,
} from '../protocol/daemon/messages.ts';
import { idOf, NOT_JSON, parsedJson, problemOf } from './http/parse-message.ts';

type ParsedRequest =
  | { readonly ok: true; readonly request: DaemonRequest }
  | { readonly ok: false; readonly id: number | null; readonly error: DaemonFailure };

export function readRequest(text: string): ParsedRequest {
  const value = parsedJson(text);
  if (value === undefined) return { ok: false, id: null, error: { code: 'bad_request', ...NOT_JSON } };
  const hello = anyHello.safeParse(value);
  // Before the rest is parsed: a hello of another version may have other fields.
  if (hello.success && hello.data.params.version !== DAEMON_VERSION) {
    return { ok: false, id: hello.data.id, error: wrongVersion(hello.data.params.version) };
  }
  const parsed = request.safeParse(value);
  if (parsed.success) return { ok: true, request: parsed.data };
  return { ok: false, id: idOf(value), error: { code: 'bad_request', ...problemOf(parsed.error.issues) } };
}

const wrongVersion = (version: number): DaemonFailure => ({
  code: 'version',
  field: 'params.version',
  message:
    `The client uses protocol version ${version}, this daemon version ${DAEMON_VERSION}. ` +
    `${version > DAEMON_VERSION ? 'Restart the daemon with the newer program' : 'Reload the page or update the client'}.`,
});
