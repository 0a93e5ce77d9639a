// Reads what a client sent. What is no request becomes a failure that names the field.

import {
  anyHello,
  DAEMON_VERSION,
  type DaemonFailure,
  type DaemonRequest,
  request,
} from '../protocol/daemon/messages.ts';
import { complaint, idOf, NO_JSON, parsedJson } from './http/parse-message.ts';

type Read =
  | { readonly ok: true; readonly request: DaemonRequest }
  | { readonly ok: false; readonly id: number | null; readonly error: DaemonFailure };

export function readRequest(text: string): Read {
  const value = parsedJson(text);
  if (value === undefined) return { ok: false, id: null, error: { code: 'bad_request', ...NO_JSON } };
  const hello = anyHello.safeParse(value);
  // Before anything else of it is read: a hello of another version may well look different.
  if (hello.success && hello.data.params.version !== DAEMON_VERSION) {
    return { ok: false, id: hello.data.id, error: otherVersion(hello.data.params.version) };
  }
  const parsed = request.safeParse(value);
  if (parsed.success) return { ok: true, request: parsed.data };
  return { ok: false, id: idOf(value), error: { code: 'bad_request', ...complaint(parsed.error.issues) } };
}

const otherVersion = (version: number): DaemonFailure => ({
  code: 'version',
  field: 'params.version',
  message:
    `The client speaks version ${version} and this daemon version ${DAEMON_VERSION}: ` +
    `${version > DAEMON_VERSION ? 'restart the daemon with the newer program' : 'reload the page or update the client'}.`,
});
