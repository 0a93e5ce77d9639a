// Connects a member of a run to a broker.

import { connect, credsAuthenticator, type NatsConnection } from '@nats-io/transport-node';
import { sentenceOf } from '../../core/errors.ts';
import { keepSocketErrorsHandled } from './socket-errors.ts';

/** The addresses and the login with which a member of a run reaches its broker. */
export interface BrokerAccess {
  readonly servers: readonly string[];
  readonly user?: string;
  readonly password?: string;
  /** The text of a credentials file of NATS, read anew at each connection. */
  readonly creds?: () => string;
  /** The certificate of the authority, as PEM. Without it, those of the system count. */
  readonly ca?: string;
}

/** A dead connection is noticed after two of them without an answer. */
export const PING_MS = 5000;
/** For one call. */
export const CALL_TIMEOUT_MS = 5000;

const START_BROKER = "Start one with 'dartboard up', or correct 'fabric' in dartboard.json.";

/** Rejects if no server of the list answers. */
export async function connectTo(
  access: BrokerAccess,
  name: string,
  remedy = START_BROKER,
): Promise<NatsConnection> {
  const { servers, user, password, creds, ca } = access;
  keepSocketErrorsHandled();
  try {
    return await connect({
      servers: [...servers],
      name,
      ...(user !== undefined && { user }),
      ...(password !== undefined && { pass: password }),
      ...(creds !== undefined && {
        authenticator: credsAuthenticator(() => new TextEncoder().encode(creds())),
      }),
      // With it, a server that offers no TLS is not used, at no later connection either.
      ...(isEncryptionWanted(access) && { tls: ca === undefined ? {} : { ca } }),
      timeout: CALL_TIMEOUT_MS,
      ...{ maxReconnectAttempts: -1, reconnectTimeWait: 500, pingInterval: PING_MS, maxPingOut: 2 },
      // New credentials may arrive while the old ones are refused.
      ignoreAuthErrorAbort: true,
    });
  } catch (error) {
    throw new Error(`Broker not reachable at ${servers.join(', ')}: ${sentenceOf(error)} ${remedy}`, {
      cause: error,
    });
  }
}

/** Of a ping, in milliseconds. */
export async function roundTrip(connection: NatsConnection): Promise<number> {
  const start = performance.now();
  await connection.flush();
  return performance.now() - start;
}

const isEncryptionWanted = ({ servers, ca }: BrokerAccess): boolean =>
  ca !== undefined || servers.some(server => server.startsWith('tls:'));
