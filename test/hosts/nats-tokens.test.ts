import { nkeys } from '@nats-io/transport-node';
import { expect, test } from 'vitest';
import { createOperator, userCredentials } from '../../runtime/hosts/nats-tokens.ts';

const NOW = Date.UTC(2026, 10, 26);
const operator = createOperator(NOW);
const user = {
  ...{ name: 'tower', permissions: { publish: ['a.b'], subscribe: ['c.>'] } },
  ...{ maxPayload: 1000, atMs: NOW, validMs: 60_000 },
};

/** The claims, if the token is signed by its issuer. */
function claimsOf(token: string): Record<string, unknown> {
  const [header = '', content = '', signature = ''] = token.split('.');
  const claims: Record<string, unknown> = JSON.parse(Buffer.from(content, 'base64url').toString());
  const issuer = nkeys.fromPublic(String(claims['iss']));
  if (!issuer.verify(Buffer.from(`${header}.${content}`), Buffer.from(signature, 'base64url')))
    throw new Error('The signature is wrong.');
  return claims;
}

const blocksOf = (credentials: string): readonly string[] =>
  [...credentials.matchAll(/-{3,}BEGIN [A-Z ]+-{3,}\n(.+)\n/g)].map(([, content = '']) => content);

test('the operator signs its accounts, and only the account of the runs has JetStream', () => {
  const { iss } = claimsOf(operator.token);
  for (const { key, token } of [operator.system, operator.runs])
    expect(claimsOf(token)).toMatchObject({ iss, sub: key });
  const limits = { disk_storage: -1, streams: -1 };
  expect(claimsOf(operator.runs.token)).toMatchObject({ nats: { limits } });
  expect(claimsOf(operator.system.token)).not.toMatchObject({ nats: { limits } });
});

test('the account signs a user with its permissions and its end, for the key in the file', () => {
  const [token = '', seed = ''] = blocksOf(userCredentials(operator.signingSeed, user));
  expect(claimsOf(token)).toMatchObject({
    ...{ iss: operator.runs.key, name: 'tower', iat: NOW / 1000, exp: NOW / 1000 + 60 },
    sub: nkeys.fromSeed(Buffer.from(seed)).getPublicKey(),
    nats: { type: 'user', payload: 1000, pub: { allow: ['a.b'] }, sub: { allow: ['c.>'] } },
  });
});

test('each user has a key of its own', () => {
  const [one, other] = [1, 2].map(() => blocksOf(userCredentials(operator.signingSeed, user))[1]);
  expect(one).not.toBe(other);
});

test('a seed that is not that of an account is refused, and is not repeated', () => {
  const seeds = [nkeys.createUser(), nkeys.createOperator()].map(pair =>
    Buffer.from(pair.getSeed()).toString(),
  );
  for (const seed of [...seeds, 'SAUNSENSE', '', operator.runs.key]) {
    expect(() => userCredentials(seed, user), seed).toThrow(RangeError);
    if (seed !== '') expect(() => userCredentials(seed, user)).not.toThrow(seed);
  }
});
