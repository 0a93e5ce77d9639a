import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { daemonAccess, readCredentials, systemAccess } from '../../../runtime/fabric/nats/credentials.ts';
import { temporaryFolder } from '../../temporary.ts';

const SERVERS = ['tls://10.0.0.5:4222'];
const SECRET = 'the-secret';
const ACCOUNTS = { operatorSeed: 'SO', account: 'A', system: { creds: 'system' } };
const user = { user: 'daemon', password: SECRET };

async function fileWith(content: unknown): Promise<string> {
  const file = join(temporaryFolder('credentials'), 'credentials.json');
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

test('the daemon logs in with a user or with the text of a credentials file, and trusts the authority', async () => {
  const withUser = await readCredentials(await fileWith({ daemon: user, host: user, ca: 'PEM' }));
  expect(daemonAccess(SERVERS, withUser)).toEqual({ servers: SERVERS, ...user, ca: 'PEM' });
  const signed = {
    daemon: { creds: 'text' },
    host: ACCOUNTS,
    tls: { certificate: 'c', key: 'k' },
  };
  const { creds, ...rest } = daemonAccess(SERVERS, await readCredentials(await fileWith(signed)));
  expect(creds?.()).toBe('text');
  expect(rest).toEqual({ servers: SERVERS });
});

test('accounts of hosts are managed with the login to the system account', () => {
  const { creds, ...rest } = systemAccess(SERVERS, ACCOUNTS, 'PEM');
  expect(creds?.()).toBe('system');
  expect(rest).toEqual({ servers: SERVERS, ca: 'PEM' });
});

test('without credentials, only the servers are known', () => {
  expect(daemonAccess(SERVERS)).toEqual({ servers: SERVERS });
});

test.each([
  ['no JSON', `{ "password": "${SECRET}"`],
  ['no host', { daemon: user }],
  ['a number as password', { daemon: { ...user, password: 1 }, host: user }],
  ['both kinds of login', { daemon: { ...user, creds: SECRET }, host: user }],
  ['an empty seed', { daemon: user, host: { ...ACCOUNTS, operatorSeed: '' } }],
  ['no login to the system account', { daemon: user, host: { operatorSeed: SECRET, account: 'A' } }],
  ['an unknown field', { daemon: user, host: user, [SECRET]: 1 }],
  ['a certificate without its key', { daemon: user, host: user, tls: { certificate: SECRET } }],
])('a file with %s is refused; the error names the file and repeats no secret', async (_, content) => {
  const file = await fileWith(content);
  const reading = readCredentials(file);
  await expect(reading).rejects.toThrow(RangeError);
  await expect(reading).rejects.toThrow(file);
  await expect(reading).rejects.not.toThrow(SECRET);
});

test('a missing file is named, with what to do', async () => {
  await expect(readCredentials('/nowhere/credentials.json')).rejects.toThrow(/nowhere.*dartboard up/);
});
