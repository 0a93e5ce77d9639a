// The files of a server of NATS that `dartboard up` starts: its configuration, its keys, and the credentials for dartboard.json. Keys stay
// over restarts, so that a running daemon connects again.

import * as z from 'zod';
import { parsedJson } from '../core/json.ts';
import { safeParse } from '../core/safe-parse.ts';
import type { NatsCredentials } from '../fabric/nats/credentials.ts';
import { type Certified, certifyServer, createAuthority } from './certificates.ts';
import { hostInUrl, type ListenAddress } from './join-address.ts';
import { createOperator, EVERYTHING, type NatsOperator, userCredentials } from './nats-tokens.ts';
import type { SecretFolder } from './secret-folder.ts';

export interface NatsFolderOptions {
  readonly secrets: SecretFolder;
  readonly listen: ListenAddress;
  /** Host names and addresses of the certificate; without it, connections are not encrypted. */
  readonly certifiedNames?: readonly string[];
  readonly atMs: number;
}

export interface NatsFolder {
  readonly configuration: string;
  readonly credentials: string;
}

/** The server writes it. */
export const PID_FILE = 'server.pid';
/** The data of the queues. */
export const STORE_FOLDER = 'jetstream';
const CONFIGURATION_FILE = 'server.conf';
const CERTIFICATE_FILE = 'certificate.pem';
const KEY_FILE = 'key.pem';
const CREDENTIALS_FILE = 'credentials.json';
/** Files of earlier versions had another name: their accounts did not separate hosts. */
const OPERATOR_FILE = 'accounts.json';
/** The tokens of the accounts. */
const ACCOUNTS_FOLDER = 'accounts';
const AUTHORITY_FILE = 'authority.json';
/** Fifteen runs: each reserves 620 MB for waiting work and the records of its leases. */
const MAX_STORE_BYTES = 9 * 2 ** 30;
const MAX_PAYLOAD = 2 ** 20;
/** One for each host of each run. */
const MAX_ACCOUNTS = 10_000;
/** As the server writes it. */
const ANY_PORT = -1;

/** Resolves with the paths of the configuration and of the credentials. */
export async function writeNatsFolder(options: NatsFolderOptions): Promise<NatsFolder> {
  const { secrets, certifiedNames, atMs } = options;
  const operator = await kept(secrets, OPERATOR_FILE, operatorSchema, () => createOperator(atMs));
  const authority =
    certifiedNames === undefined
      ? undefined
      : await kept(secrets, AUTHORITY_FILE, authoritySchema, () => createAuthority(atMs));
  const certified =
    authority === undefined ? undefined : certifyServer(authority, certifiedNames ?? [], atMs);
  if (certified !== undefined) {
    await secrets.write(CERTIFICATE_FILE, certified.certificate);
    await secrets.write(KEY_FILE, certified.key);
  }
  const lasting = (accountSeed: string, name: string) =>
    userCredentials(accountSeed, { name, permissions: EVERYTHING, maxPayload: MAX_PAYLOAD, atMs });
  const credentials: NatsCredentials = {
    daemon: { creds: lasting(operator.runs.seed, 'daemon') },
    host: {
      ...{ operatorSeed: operator.seed, account: operator.runs.key },
      system: { creds: lasting(operator.system.seed, 'daemon') },
    },
    ...(authority !== undefined && { ca: authority.certificate }),
    ...(certified !== undefined && { tls: certified }),
  };
  await secrets.write(CREDENTIALS_FILE, `${JSON.stringify(credentials, undefined, 2)}\n`);
  await secrets.write(CONFIGURATION_FILE, configurationText(options, operator));
  return {
    configuration: secrets.pathOf(CONFIGURATION_FILE),
    credentials: secrets.pathOf(CREDENTIALS_FILE),
  };
}

function configurationText(
  { secrets, listen, certifiedNames }: NatsFolderOptions,
  { token, system, runs }: NatsOperator,
): string {
  const path = (name: string) => quoted(secrets.pathOf(name));
  return `# Written by 'dartboard up' at each start.
server_name: dartboard
listen: ${quoted(`${hostInUrl(listen.host)}:${listen.port || ANY_PORT}`)}
pid_file: ${path(PID_FILE)}
max_payload: ${MAX_PAYLOAD}
jetstream {
  store_dir: ${path(STORE_FOLDER)}
  max_memory_store: 64MB
  max_file_store: ${MAX_STORE_BYTES}
}
operator: ${token}
system_account: ${system.key}
resolver: {
  type: full
  dir: ${path(ACCOUNTS_FOLDER)}
  allow_delete: true
  limit: ${MAX_ACCOUNTS}
}
resolver_preload: {
  ${system.key}: ${system.token}
  ${runs.key}: ${runs.token}
}
${
  certifiedNames === undefined
    ? ''
    : `tls {
  cert_file: ${path(CERTIFICATE_FILE)}
  key_file: ${path(KEY_FILE)}
}
`
}`;
}

/** The server reads '/' on every system, and escapes as JSON does. */
const quoted = (text: string): string => JSON.stringify(text.replaceAll('\\', '/'));

const account = z.strictObject({ key: z.string(), token: z.string(), seed: z.string() });
const operatorSchema: z.ZodType<NatsOperator> = z.strictObject({
  ...{ token: z.string(), seed: z.string(), system: account, runs: account },
});
const authoritySchema: z.ZodType<Certified> = z.strictObject({ certificate: z.string(), key: z.string() });

/** The value that an earlier start wrote, or a new one. */
async function kept<T>(
  secrets: SecretFolder,
  name: string,
  schema: z.ZodType<T>,
  create: () => T,
): Promise<T> {
  const text = await secrets.read(name);
  if (text === undefined) {
    const created = create();
    await secrets.write(name, `${JSON.stringify(created)}\n`);
    return created;
  }
  const parsed = safeParse(schema, parsedJson(text));
  if (parsed.success) return parsed.data;
  throw new RangeError(
    `The file ${secrets.pathOf(name)} is damaged. Delete it; hosts that have joined must join again.`,
  );
}
