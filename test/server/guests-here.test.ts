// The guests that clients of the daemon are offered, and what is missing otherwise.

import { expect, test } from 'vitest';
import { parseSettings, type Settings } from '../../runtime/config/settings.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { guestAddresses, guestsThere } from '../../runtime/server/desktops/guests-here.ts';
import { kindsHere } from '../../runtime/server/desktops/kinds.ts';
import { fakeGuest } from '../environments/guest/fake-guest.ts';

const hostsAt = (...addresses: readonly string[]) =>
  addresses.map(address => ({ address, browserPort: 9222, vlcPort: 8080 }));
const fileWith = (value: object): Settings =>
  parseSettings(value, path => `dartboard.json ${path.join('.')}`);
const guestFile = (addresses: readonly string[], others: object = {}): Settings =>
  fileWith({
    environments: { guest: { hosts: hostsAt(...addresses) } },
    ...{ suite: { files: 'osworld' }, ...others },
  });

const offerOf = async (file: Settings) => {
  const kinds = await kindsHere({
    engine: () => Promise.reject(new Error('no engine')),
    browser: () => undefined,
    guests: async () => guestsThere(file, systemClock),
    hasTrajectories: async () => true,
    clock: systemClock,
  });
  expect(kinds.at(-1)).toEqual({ kind: 'offline', is: 'here' });
  return kinds.find(({ kind }) => kind === 'guest');
};

test('guests are offered if one answers', async () => {
  const guest = await fakeGuest({ '/platform': [{ body: 'Linux' }] });
  try {
    expect(await offerOf(guestFile([guest.url, 'http://127.0.0.1:9']))).toEqual({
      kind: 'guest',
      is: 'here',
    });
    // Whatever else the file chooses.
    const minutes = guestFile([guest.url, 'http://127.0.0.1:9'], { minutes: 3, preset: 'taught' });
    expect(await offerOf(minutes)).toEqual({ kind: 'guest', is: 'here' });
  } finally {
    await guest.close();
  }
});

test('guests that do not answer are named with their addresses', async () => {
  expect(await offerOf(guestFile(['http://127.0.0.1:9', 'http://127.0.0.1:7']))).toEqual({
    ...{ kind: 'guest', is: 'away' },
    why: expect.stringMatching(
      /^Guests: no answer from http:\/\/127\.0\.0\.1:9, http:\/\/127\.0\.0\.1:7\. Start them .*environments\.guest\.hosts/,
    ),
  });
});

test('without guests the offer says what to write', async () => {
  expect(await offerOf(fileWith({}))).toEqual({
    ...{ kind: 'guest', is: 'away' },
    why: expect.stringMatching(/^Guests: none is configured\..*'environments\.guest\.hosts'.*'suite\.files'/),
  });
});

test('settings that cannot be read leave the other kinds', async () => {
  const broken = () => Promise.reject(new Error('dartboard.json is no JSON.'));
  const kinds = await kindsHere({
    engine: async () => ({ tag: 'desktop', isThere: true }),
    browser: () => undefined,
    ...{ guests: broken, hasTrajectories: broken, clock: systemClock },
  });
  expect(kinds.map(({ kind, is }) => [kind, is])).toEqual([
    ['pocket', 'here'],
    ['docker', 'here'],
    ['web', 'here'],
    ['guest', 'away'],
  ]);
  expect(kinds.at(-1)).toMatchObject({ why: expect.stringContaining('dartboard.json is no JSON') });
});

test('guests without tasks, or too few of them, are reported as by a training', () => {
  const noTasks = fileWith({ environments: { guest: { hosts: hostsAt('http://a:5000', 'http://b:5000') } } });
  expect(() => guestAddresses(noTasks)).toThrow(/OSWorld's task files in .* 'suite\.files'/);
  const tooFew = fileWith({
    ...{ environments: { desktops: 2, guest: { hosts: hostsAt('http://a:5000') } } },
    suite: { files: 'tasks' },
  });
  expect(() => guestAddresses(tooFew)).toThrow(/There are 1 guests for 2 desktops/);
});
