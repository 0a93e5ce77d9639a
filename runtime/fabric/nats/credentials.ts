// The file of credentials that `fabric.credentials` names: how the daemon logs in to the servers of NATS, what joined hosts get, and the
// certificates of both. `dartboard up` writes it; for other servers a user does.

import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { isMissing } from '../../core/errors.ts';
import { parsedJson } from '../../core/json.ts';
import { safeParse } from '../../core/safe-parse.ts';
import type { BrokerAccess } from './connection.ts';

const text = z.string().min(1);
const password = z.strictObject({ user: text, password: text });

const schema = z.strictObject({
  /** The text of a credentials file of NATS, or a user of the server's configuration. */
  daemon: z.union([z.strictObject({ creds: text }), password]),
  /** The keys with which the daemon gives each host an account of its own, or one user for all hosts. */
  host: z.union([
    z.strictObject({
      /** Signs accounts. */
      operatorSeed: text,
      /** The public key of the account of `daemon`. */
      account: text,
      /** A user of the system account, with which accounts are added and removed. */
      system: z.strictObject({ creds: text }),
    }),
    password,
  ]),
  /** PEM: the authority that signed the certificates of the servers and of `tls`; absent for public ones. */
  ca: text.exactOptional(),
  /** PEM: the certificate with those above it, and its key. With it, the daemon serves hosts over HTTPS. */
  tls: z.strictObject({ certificate: text, key: text }).exactOptional(),
});

export type NatsCredentials = z.infer<typeof schema>;
export type HostAccountKeys = Extract<NatsCredentials['host'], { readonly operatorSeed: string }>;

/** Rejects with a RangeError that repeats no secret. */
export async function readCredentials(file: string): Promise<NatsCredentials> {
  const content = await readFile(file, 'utf8').catch((error: unknown) => {
    if (!isMissing(error)) throw error;
    throw new RangeError(
      `The file of fabric.credentials does not exist: '${file}'. Start 'dartboard up', which writes it, or correct the setting.`,
    );
  });
  const parsed = safeParse(schema, parsedJson(content));
  if (parsed.success) return parsed.data;
  const places = [...new Set(parsed.error.issues.map(({ path }) => path.join('.') || 'the whole file'))];
  throw new RangeError(
    `The file of fabric.credentials is invalid: '${file}', at ${places.join(', ')}. Correct it as docs/cluster.md describes, or let 'dartboard up' write it.`,
  );
}

/** For the connection with which the daemon adds and removes accounts of hosts. */
export const systemAccess = (
  servers: readonly string[],
  { system }: HostAccountKeys,
  ca: string | undefined,
): BrokerAccess => ({ servers, creds: () => system.creds, ...(ca !== undefined && { ca }) });

/** For the connection of the daemon. Without credentials, the servers must accept everybody. */
export function daemonAccess(servers: readonly string[], credentials?: NatsCredentials): BrokerAccess {
  if (credentials === undefined) return { servers };
  const { daemon, ca } = credentials;
  return {
    servers,
    ...('creds' in daemon ? { creds: () => daemon.creds } : daemon),
    ...(ca !== undefined && { ca }),
  };
}
