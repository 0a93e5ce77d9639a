import { nkeys } from '@nats-io/transport-node';
import { expect, test } from 'vitest';
import {
  createGuestAccount,
  createOperator,
  nameIn,
  removalToken,
  userCredentials,
} from '../../runtime/hosts/nats-tokens.ts';

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
  const [token = '', seed = ''] = blocksOf(userCredentials(operator.runs.seed, user));
  expect(claimsOf(token)).toMatchObject({
    ...{ iss: operator.runs.key, name: 'tower', iat: NOW / 1000, exp: NOW / 1000 + 60 },
    sub: nkeys.fromSeed(Buffer.from(seed)).getPublicKey(),
    nats: { type: 'user', payload: 1000, pub: { allow: ['a.b'] }, sub: { allow: ['c.>'] } },
  });
});

test('each user has a key of its own', () => {
  const [one, other] = [1, 2].map(() => blocksOf(userCredentials(operator.runs.seed, user))[1]);
  expect(one).not.toBe(other);
});

test('an account of a guest has the given subjects of another account, and nothing of its own', () => {
  const guest = createGuestAccount(operator.seed, {
    ...{ name: 'tower', of: operator.runs.key, permissions: user.permissions, atMs: NOW },
  });
  const imported = { account: operator.runs.key };
  expect(claimsOf(guest.token)).toMatchObject({
    ...{ iss: claimsOf(operator.token)['iss'], sub: guest.key },
    nats: {
      limits: { exports: 0, leaf: 0 },
      imports: [
        { ...imported, type: 'service', subject: 'a.b' },
        { ...imported, type: 'stream', subject: 'c.>' },
        { ...imported, type: 'service', local_subject: '$JS.API.INFO' },
      ],
    },
  });
  expect(JSON.stringify(claimsOf(guest.token))).not.toContain('disk_storage');
  expect(nameIn(guest.token)).toBe('tower');
  const [token = ''] = blocksOf(userCredentials(guest.seed, user));
  expect(claimsOf(token)).toMatchObject({ iss: guest.key });
});

test('the operator signs the removal of accounts', () => {
  const { iss } = claimsOf(operator.token);
  expect(claimsOf(removalToken(operator.seed, ['A1', 'A2'], NOW))).toMatchObject({
    ...{ iss, sub: iss },
    nats: { type: 'generic', accounts: ['A1', 'A2'] },
  });
});

test.each(['', 'nonsense', 'a.b.c', 'a.e30.c', `a.${Buffer.from('{"name":1}').toString('base64url')}.c`])(
  'a text without a name is no token: %j',
  text => {
    expect(nameIn(text)).toBeUndefined();
  },
);

test('a seed of another kind is refused, and is not repeated', () => {
  const [one, another, third] = [nkeys.createUser(), nkeys.createOperator(), nkeys.createAccount()].map(
    pair => Buffer.from(pair.getSeed()).toString(),
  );
  const guest = { name: 'tower', of: operator.runs.key, permissions: user.permissions, atMs: NOW };
  const refusing = [
    { uses: (seed = '') => userCredentials(seed, user), seeds: [one, another] },
    { uses: (seed = '') => createGuestAccount(seed, guest), seeds: [one, third] },
    { uses: (seed = '') => removalToken(seed, [], NOW), seeds: [one, third] },
  ];
  for (const { uses, seeds } of refusing)
    for (const seed of [...seeds, 'SAUNSENSE', 'SOUNSENSE', '', operator.runs.key]) {
      expect(() => uses(seed), seed).toThrow(RangeError);
      if (seed) expect(() => uses(seed)).not.toThrow(seed);
    }
});
