// The login of a joined host to the broker: with credentials of its own for one epoch of the run, or with what the user of the servers gave.

import { createHmac } from 'node:crypto';
import type { NatsCredentials } from '../fabric/nats/credentials.ts';
import type { EpochOfRun } from '../fabric/nats/names.ts';
import { hostPermissions } from '../fabric/nats/permissions.ts';
import type { BrokerLogin } from './messages.ts';
import { userCredentials } from './nats-tokens.ts';

export interface HostLoginOptions extends EpochOfRun {
  readonly servers: readonly string[];
  /** Absent for servers that accept everybody. */
  readonly credentials?: NatsCredentials;
}

/** A host renews them every quarter of a minute. A running connection ends with them, and is made again with newer ones. */
export const LOGIN_VALID_MS = 3_600_000;
/** A message of 64 KB with its headers. */
const MAX_PAYLOAD = 72 * 1024;
const INBOX_DIGITS = 24;

export function hostLogin(options: HostLoginOptions, host: string, atMs: number): BrokerLogin {
  const { credentials, run, epoch } = options;
  const servers = [...options.servers];
  if (credentials === undefined) return { servers };
  const ca = credentials.ca === undefined ? {} : { ca: credentials.ca };
  if (!('signingSeed' in credentials.host)) return { servers, ...credentials.host, ...ca };
  const { signingSeed } = credentials.host;
  const name = `${run} ${epoch} ${host}`;
  // Replies to other hosts are none of its business. Renewed credentials have the same one: a connection keeps its inbox when it is made again.
  const digest = createHmac('sha256', signingSeed).update(name).digest('hex');
  const inboxPrefix = `_INBOX_${digest.slice(0, INBOX_DIGITS)}`;
  const creds = userCredentials(signingSeed, {
    name,
    permissions: hostPermissions({ run, epoch }, inboxPrefix, host),
    ...{ maxPayload: MAX_PAYLOAD, atMs, validMs: LOGIN_VALID_MS },
  });
  return { servers, creds, inboxPrefix, ...ca };
}
