// Signed credentials of NATS (JWT with nkeys): an operator trusts an account, and the account signs its users. A server needs to know the
// operator and the account only, so new users need no change of its files.

import { createHash } from 'node:crypto';
import { nkeys } from '@nats-io/transport-node';

type KeyPair = ReturnType<typeof nkeys.createUser>;

/** Subjects, with wildcards as NATS has them. Everything else is denied. */
export interface SubjectPermissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/** An operator with its accounts, each as its public key and the token that the server must know. */
export interface NatsOperator {
  readonly token: string;
  /** Of the server itself: JetStream needs it. It has no users. */
  readonly system: NatsAccount;
  readonly runs: NatsAccount;
  /** Signs users of `runs`. */
  readonly signingSeed: string;
}

interface NatsAccount {
  readonly key: string;
  readonly token: string;
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

/** A new operator. Its account of the runs may use JetStream without limits beside those of the server. */
export function createOperator(atMs: number): NatsOperator {
  const [operator, system, runs] = [nkeys.createOperator(), nkeys.createAccount(), nkeys.createAccount()];
  const iat = seconds(atMs);
  const accountOf = (pair: KeyPair, name: string, limits: Readonly<Record<string, number>>): NatsAccount => {
    const key = pair.getPublicKey();
    const nats = { type: 'account', version: 2, limits: { ...ACCOUNT_LIMITS, ...limits } };
    return { key, token: signed(operator, { iat, name, sub: key, nats }) };
  };
  return {
    token: signed(operator, {
      ...{ iat, name: 'dartboard', sub: operator.getPublicKey() },
      nats: { type: 'operator', version: 2 },
    }),
    system: accountOf(system, 'system', {}),
    runs: accountOf(runs, 'runs', JETSTREAM_LIMITS),
    signingSeed: textOf(runs.getSeed()),
  };
}

/** The text of a credentials file for a new user. Throws a RangeError for a seed that is not that of an account. */
export function userCredentials(signingSeed: string, user: UserToken): string {
  const { name, permissions, maxPayload, atMs, validMs } = user;
  const account = signingKey(signingSeed);
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

function signingKey(signingSeed: string): KeyPair {
  try {
    const pair = nkeys.fromSeed(Buffer.from(signingSeed));
    if (pair.getPublicKey().startsWith('A')) return pair;
  } catch {
    // The error of the library has no advice.
  }
  throw new RangeError(
    "The signing seed of the NATS account is invalid. Give the seed of an account's key, which begins with SA.",
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
