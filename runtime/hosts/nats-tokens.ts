// Signed tokens of NATS (JWT with nkeys): an operator trusts accounts, and an account signs its users. Subjects of an account are its own; what
// one account uses of another one, the operator's token names.

import { createHash } from 'node:crypto';
import { nkeys } from '@nats-io/transport-node';
import { parsedJson } from '../core/json.ts';

type KeyPair = ReturnType<typeof nkeys.createUser>;

/** Subjects, with wildcards as NATS has them. Everything else is denied. */
export interface SubjectPermissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/** An operator with its two lasting accounts. */
export interface NatsOperator {
  readonly token: string;
  /** Signs accounts. */
  readonly seed: string;
  /** Of the server itself. Its users manage the accounts. */
  readonly system: NatsAccount;
  /** Of the daemons. It has JetStream, and exports what an account of a host may use. */
  readonly runs: NatsAccount;
}

export interface NatsAccount {
  /** Public. */
  readonly key: string;
  /** The server must know it. */
  readonly token: string;
  /** Signs users of the account. */
  readonly seed: string;
}

export interface UserToken {
  readonly name: string;
  readonly permissions: SubjectPermissions;
  /** Of one message, with its headers. */
  readonly maxPayload: number;
  readonly atMs: number;
  /** Without it, the token does not expire. */
  readonly validMs?: number;
}

export interface GuestAccount {
  readonly name: string;
  /** The public key of the account whose subjects it uses. */
  readonly of: string;
  /** Those subjects. */
  readonly permissions: SubjectPermissions;
  readonly atMs: number;
}

export const EVERYTHING: SubjectPermissions = { publish: ['>'], subscribe: ['>'] };

const UNLIMITED = -1;
const NO_LIMITS = { subs: UNLIMITED, data: UNLIMITED, payload: UNLIMITED };
const ACCOUNT_LIMITS = {
  ...NO_LIMITS,
  ...{ imports: UNLIMITED, exports: UNLIMITED, conn: UNLIMITED, leaf: UNLIMITED },
};
const JETSTREAM_LIMITS = {
  mem_storage: UNLIMITED,
  disk_storage: UNLIMITED,
  streams: UNLIMITED,
  consumer: UNLIMITED,
};

/** Requests to JetStream and the daemon, and messages to them: each has one reply at most. */
const EXPORTED_SERVICES = ['$JS.API.>', '$JS.ACK.>', '$KV.>', 'dartboard.>'];
/** Subjects that the daemon writes for its hosts. */
const EXPORTED_STREAMS = ['$KV.>', 'dartboard.>'];
const EXPORTS = [
  ...EXPORTED_SERVICES.map(subject => ({
    ...{ name: subject, subject, type: 'service', response_type: 'Singleton' },
  })),
  ...EXPORTED_STREAMS.map(subject => ({ name: subject, subject, type: 'stream' })),
];
/**
 * Without an own subject for this call, the server gives an account without JetStream all calls of it, and answers each: 'not enabled', before
 * the answer of the other account. Nobody listens to the subject in that account.
 */
const INFO_CALL = { subject: 'dartboard.no-info', local_subject: '$JS.API.INFO' };

export function createOperator(atMs: number): NatsOperator {
  const operator = nkeys.createOperator();
  const named = (name: string, nats: Readonly<Record<string, unknown>>): NatsAccount =>
    accountOf(operator, nkeys.createAccount(), { name, atMs, nats });
  return {
    token: signed(operator, {
      ...{ iat: seconds(atMs), name: 'dartboard', sub: operator.getPublicKey() },
      nats: { type: 'operator', version: 2 },
    }),
    seed: textOf(operator.getSeed()),
    system: named('system', { limits: ACCOUNT_LIMITS }),
    runs: named('runs', { limits: { ...ACCOUNT_LIMITS, ...JETSTREAM_LIMITS }, exports: EXPORTS }),
  };
}

/** An account that has nothing but these subjects of another one. Throws a RangeError for a seed that is not that of an operator. */
export function createGuestAccount(
  operatorSeed: string,
  { name, of, permissions, atMs }: GuestAccount,
): NatsAccount {
  const imported = (type: 'service' | 'stream') => (subject: string) => ({
    ...{ name: subject, subject, account: of, type },
  });
  return accountOf(signingKey(operatorSeed, OPERATOR), nkeys.createAccount(), {
    ...{ name, atMs },
    nats: {
      limits: { ...ACCOUNT_LIMITS, exports: 0, leaf: 0 },
      imports: [
        ...permissions.publish.map(imported('service')),
        ...permissions.subscribe.map(imported('stream')),
        { name: INFO_CALL.local_subject, ...INFO_CALL, account: of, type: 'service' },
      ],
    },
  });
}

interface AccountClaims {
  readonly name: string;
  readonly atMs: number;
  readonly nats: Readonly<Record<string, unknown>>;
}

function accountOf(operator: KeyPair, account: KeyPair, { name, atMs, nats }: AccountClaims): NatsAccount {
  const key = account.getPublicKey();
  const claims = { iat: seconds(atMs), name, sub: key, nats: { type: 'account', version: 2, ...nats } };
  return { key, token: signed(operator, claims), seed: textOf(account.getSeed()) };
}

/** Tells a server to remove the accounts with these keys. */
export function removalToken(operatorSeed: string, accounts: readonly string[], atMs: number): string {
  const operator = signingKey(operatorSeed, OPERATOR);
  return signed(operator, {
    ...{ iat: seconds(atMs), name: 'removal', sub: operator.getPublicKey() },
    nats: { type: 'generic', version: 2, accounts },
  });
}

/** The name in a token. Its signature is not checked. Undefined for what is no token. */
export function nameIn(token: string): string | undefined {
  const [, content = ''] = token.split('.');
  const claims = parsedJson(Buffer.from(content, 'base64url').toString());
  const isNamed = typeof claims === 'object' && claims !== null && 'name' in claims;
  return isNamed && typeof claims.name === 'string' ? claims.name : undefined;
}

/** The text of a credentials file for a new user. Throws a RangeError for a seed that is not that of an account. */
export function userCredentials(accountSeed: string, user: UserToken): string {
  const { name, permissions, maxPayload, atMs, validMs } = user;
  const account = signingKey(accountSeed, ACCOUNT);
  const key = nkeys.createUser();
  const iat = seconds(atMs);
  const token = signed(account, {
    ...{ iat, name, sub: key.getPublicKey() },
    ...(validMs !== undefined && { exp: seconds(atMs + validMs) }),
    nats: {
      ...{ type: 'user', version: 2, ...NO_LIMITS, payload: maxPayload },
      pub: { allow: permissions.publish },
      sub: { allow: permissions.subscribe },
    },
  });
  return `-----BEGIN NATS USER JWT-----
${token}
------END NATS USER JWT------

-----BEGIN USER NKEY SEED-----
${textOf(key.getSeed())}
------END USER NKEY SEED------
`;
}

const OPERATOR = { name: 'operator', letter: 'O' };
const ACCOUNT = { name: 'account', letter: 'A' };

function signingKey(seed: string, { name, letter }: typeof ACCOUNT): KeyPair {
  try {
    const pair = nkeys.fromSeed(Buffer.from(seed));
    if (pair.getPublicKey().startsWith(letter)) return pair;
  } catch {
    // The error of the library has no advice.
  }
  throw new RangeError(
    `The seed of the NATS ${name} is invalid. Give the seed of the key of an ${name}, which begins with S${letter}.`,
  );
}

function signed(issuer: KeyPair, claims: Readonly<Record<string, unknown>>): string {
  const all = { ...claims, iss: issuer.getPublicKey() };
  // The id is a digest of the claims, as other programs of NATS make it.
  const jti = createHash('sha256').update(JSON.stringify(all)).digest('hex');
  const content = `${encoded({ typ: 'JWT', alg: 'ed25519-nkey' })}.${encoded({ jti, ...all })}`;
  return `${content}.${Buffer.from(issuer.sign(Buffer.from(content))).toString('base64url')}`;
}

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const textOf = (seed: Uint8Array): string => Buffer.from(seed).toString('ascii');
const seconds = (ms: number): number => Math.floor(ms / 1000);
