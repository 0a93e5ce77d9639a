import { expect, test } from 'vitest';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { Members } from '../../runtime/hosts/members.ts';
import { HOST_TTL_MS } from '../../runtime/hosts/messages.ts';

function started() {
  const clock = new VirtualClock();
  const members = new Members({ reserved: ['local'], clock });
  const join = (wanted: string) => {
    const host = members.nameFor(wanted);
    return { host, token: members.add(host, 1) };
  };
  return { members, join, pass: (ms: number) => clock.run(clock.now() + ms) };
}

test('names are unique, and none is reserved', () => {
  const { members, join } = started();
  expect(['tower', 'tower', 'tower-2', 'tower', 'local'].map(name => join(name).host)).toEqual([
    'tower',
    'tower-2',
    'tower-2-2',
    'tower-3',
    'local-2',
  ]);
  members.remove('tower');
  expect(join('tower').host).toBe('tower');
});

test('a token ends when its host is silent, and each search of it starts the time anew', async () => {
  const { members, join, pass } = started();
  const { token } = join('tower');
  const silent = join('laptop');
  for (let quarter = 0; quarter < 8; quarter += 1) {
    await pass(HOST_TTL_MS / 4);
    expect(members.find(token)).toBe('tower');
  }
  expect(members.find(silent.token)).toBeUndefined();
  expect(members.hosts).toEqual(['tower']);
  await pass(HOST_TTL_MS + 1);
  expect(members.find(token)).toBeUndefined();
  // Its name is free again.
  expect(join('tower').host).toBe('tower');
});

test('a removed host has no token, and others keep theirs', () => {
  const { members, join } = started();
  const [one, other] = [join('one'), join('other')];
  members.remove('one');
  expect(members.find(one.token)).toBeUndefined();
  expect(members.find(other.token)).toBe('other');
  expect(members.find('')).toBeUndefined();
});

test.each([
  ['is a member', () => undefined],
  ['has left', (members: Members) => members.remove('tower')],
])('the name of a host that is refused while it %s is not given again', (_, before) => {
  const { members, join } = started();
  join('tower');
  before(members);
  members.refuse('tower', 'It sent wrong values.');
  expect(join('tower').host).toBe('tower-2');
});
